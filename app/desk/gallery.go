package desk

import (
	"os"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/demo"
	"github.com/faustine-ai/countersign/app/functions/probe"
	"github.com/faustine-ai/countersign/app/model"
	"github.com/faustine-ai/countersign/app/selftest"
)

// openGallery lets the page of the app play demos. A demo's own window cannot.
func (d *desk) openGallery(s setup) ([]app.Operation, error) {
	if !s.gallery {
		return nil, nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var shown []demo.Shown
	for _, scene := range model.Scenes() {
		if scene.Notice != "" { // the others are scenes of tests
			shown = append(shown, demo.Shown{Name: scene.Name, Title: scene.Title, Request: scene.Request, Notice: scene.Notice})
		}
	}
	gallery := demo.NewGallery(self, shown)
	d.closers = append(d.closers, gallery.Close)
	return gallery.Operations(), nil
}

// openChecks lets the page of the app check its isolation whenever a person asks.
func (d *desk) openChecks() []app.Operation {
	live := selftest.NewLive(func() (selftest.Canary, error) { return probe.Open() })
	d.closers = append(d.closers, live.Close)
	return live.Operations()
}
