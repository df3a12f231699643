//go:build desktoptest

package shell

import "os"

// answered is the path that COUNTERSIGN_TEST_DIALOG names: what a test chooses
// without a dialog.
func answered() (path string, ok bool) {
	path = os.Getenv("COUNTERSIGN_TEST_DIALOG")
	return path, path != ""
}
