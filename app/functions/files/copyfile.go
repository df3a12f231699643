package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/faustine-ai/countersign/app/folder"
)

// copyFile copies one file of a folder into the draft of its copy.
func (c *copying) copyFile(found found, into *folder.Dir, at string) error {
	file, err := found.dir.Open(found.name)
	if err != nil {
		return err
	}
	defer file.Close()
	copied, err := into.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, found.info.Mode().Perm())
	if err != nil {
		return err
	}
	n, err := io.Copy(copied, reader{c.ctx, file})
	c.out.Size += n
	return errors.Join(err, copied.Close())
}

// localized turns a walk's path into the system's form. Its parts are names that
// the system gave.
func localized(at string) string { return filepath.FromSlash(at) }
