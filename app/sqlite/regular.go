package sqlite

import (
	"errors"
	"os"
)

// errIrregular is that of a pipe, a device or a folder in the place of a file.
var errIrregular = errors.New("it is no regular file")

// regular looks at what is at path before it is opened: opening a pipe waits for
// somebody to write into it, for ever where nobody does.
func regular(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errIrregular
	}
	return err
}

// readRegular is os.ReadFile for what is a file.
func readRegular(path string) ([]byte, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}
