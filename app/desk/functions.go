package desk

import (
	"log/slog"
	"slices"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
	"github.com/faustine-ai/countersign/app/functions/database"
	"github.com/faustine-ai/countersign/app/functions/files"
	"github.com/faustine-ai/countersign/app/registry"
	"github.com/faustine-ai/countersign/app/settings"
)

// openFunctions makes the list of functions that follows the settings: what the
// setup has of its own, or the families that work on what the person has chosen.
func (d *desk) openFunctions(s setup, own []*app.Function) error {
	if s.functions == nil {
		own = slices.Concat(own, d.families())
	}
	own = testFunctions(own)
	list := func(now settings.Settings) []*app.Function { return registry.Tighten(own, now.Tightened) }
	var err error
	if d.functions, err = registry.NewLive(list(d.settings.Current())...); err != nil {
		return err
	}
	stop := d.settings.Subscribe(func(now settings.Settings) {
		if err := d.functions.Replace(list(now)...); err != nil {
			slog.Error("the functions stay as they were", "error", err)
		}
	})
	d.closers = append(d.closers, func() error { stop(); return nil })
	return nil
}

// families are those that work on what the person has chosen in the settings.
func (d *desk) families() []*app.Function {
	folders := folder.New(d.folders, ownFolders()...)
	return slices.Concat(files.New(folders).Functions(), database.New(folders).Functions())
}

// folders are those that are picked at the moment.
func (d *desk) folders() []folder.Folder {
	var picked []folder.Folder
	for _, f := range d.settings.Current().Folders {
		picked = append(picked, folder.Folder{Name: f.Name, Path: f.Path, Write: f.Write})
	}
	return picked
}
