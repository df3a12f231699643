package desk

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/faustine-ai/countersign/app/shell"
)

// needDisplay refuses to go on where no window can be opened, and says what to do
// instead. It comes before any file is made.
func needDisplay(instead string) error {
	if err := shell.Ready(); err != nil {
		return fmt.Errorf("%w, or %s", err, instead)
	}
	return nil
}

// makePrivate makes folders that only this person can read, also of those that
// are there: WebKit makes the data folder by itself when a demo comes first, and
// lets everybody in.
func makePrivate(folders ...string) error {
	for _, folder := range folders {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
		info, err := os.Stat(folder)
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 == 0 {
			continue
		}
		if err := os.Chmod(folder, 0o700); err != nil {
			return fmt.Errorf("others can read the folder of the log: %w", err)
		}
	}
	return nil
}

// doorOf is the socket beside a log at which the app that holds it is reached.
func doorOf(log string) string { return filepath.Join(filepath.Dir(log), "door") }
