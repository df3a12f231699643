package desk

import (
	"os"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/demo"
	"github.com/faustine-ai/countersign/app/model"
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
