package settings

import (
	"path/filepath"

	"github.com/adrg/xdg"
)

// DefaultPath is where the app's own settings are: countersign/settings.jsonc in
// the XDG config home.
func DefaultPath() string { return filepath.Join(xdg.ConfigHome, "countersign", "settings.jsonc") }

// LastGoodFor is where the last good text of a settings file is kept: in the XDG
// state home for the app's own, beside any other.
func LastGoodFor(path string) string {
	if path == DefaultPath() {
		return filepath.Join(xdg.StateHome, "countersign", "settings.last-good.jsonc")
	}
	return path + ".last-good"
}
