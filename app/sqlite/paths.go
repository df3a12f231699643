package sqlite

import (
	"path/filepath"

	"github.com/adrg/xdg"
)

// DefaultPath is where the app keeps its log: countersign/log.db in the XDG
// data home.
func DefaultPath() string { return filepath.Join(xdg.DataHome, "countersign", "log.db") }

// HeadFor is where the file anchor of a log is: countersign/log.head in the XDG
// state home for the app's own log, so that the two are not copied or removed
// together, and path.head beside any other.
func HeadFor(path string) string {
	absolute, err := filepath.Abs(path)
	if err == nil && absolute == DefaultPath() {
		return filepath.Join(xdg.StateHome, "countersign", "log.head")
	}
	return path + ".head"
}

// KeyFor is where the key of a log is: beside its anchor, as log.key or path.key.
func KeyFor(path string) string {
	head := HeadFor(path)
	return head[:len(head)-len("head")] + "key"
}
