//go:build !linux

package files

import (
	"errors"
	"fmt"

	"github.com/faustine-ai/countersign/app/folder"
)

var errSystem = fmt.Errorf("it is not built for this system yet: %w", errors.ErrUnsupported)

// rename renames within one folder; between two, os.Root offers no way yet that
// cannot be led astray.
func rename(from *folder.Dir, old string, to *folder.Dir, name string) error {
	if from.Real != to.Real {
		return errSystem
	}
	return from.Rename(old, name)
}

// renameNew is rename that replaces nothing: a link fails on what exists.
func renameNew(from *folder.Dir, old string, to *folder.Dir, name string) error {
	if from.Real != to.Real {
		return errSystem
	}
	if err := from.Link(old, name); err != nil {
		return err
	}
	return from.Remove(old)
}

func isInvalid(error) bool { return true } // folders cannot be synced everywhere

func isOtherVolume(error) bool { return false }

func isIntoItself(error) bool { return false }
