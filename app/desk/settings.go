package desk

import (
	"path/filepath"

	"github.com/adrg/xdg"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/keys"
	"github.com/faustine-ai/countersign/app/settings"
	"github.com/faustine-ai/countersign/app/shell"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// personsSettings opens the settings of whoever sits at the desk. What loosens
// them goes into this log.
func personsSettings(log app.Log) (*settings.Store, error) {
	return settings.Open(settings.Config{Path: settings.DefaultPath(), Log: log, Closed: ownFolders()})
}

// ownFolders are those that no function is given: settings and keys, the log and
// its anchor, and what the webview keeps.
func ownFolders() []string {
	return []string{
		filepath.Dir(settings.DefaultPath()), filepath.Dir(settings.LastGoodFor(settings.DefaultPath())), filepath.Dir(keys.DefaultPath()),
		filepath.Dir(sqlite.DefaultPath()), filepath.Dir(sqlite.HeadFor(sqlite.DefaultPath())), filepath.Join(xdg.CacheHome, "countersign"),
	}
}

// openSettings opens those of the setup. A demo and a self-test have fixed ones,
// so that they are the same on every machine.
func (d *desk) openSettings(s setup) error {
	if s.settings == nil {
		d.settings = settings.Fixed(settings.Defaults())
		return nil
	}
	store, err := s.settings(d.log)
	if err != nil {
		return err
	}
	d.settings = store
	shell.SetTheme(string(store.Current().Theme))
	store.Subscribe(func(now settings.Settings) { shell.SetTheme(string(now.Theme)) })
	d.closers = append([]func() error{store.Close}, d.closers...) // before the log that it writes to
	return nil
}
