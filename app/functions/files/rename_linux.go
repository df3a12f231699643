package files

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"github.com/faustine-ai/countersign/app/folder"
)

// rename moves a name from one open folder to another, replacing a file.
func rename(from *folder.Dir, old string, to *folder.Dir, name string) error {
	return between(from, to, func(a, b int) error { return unix.Renameat(a, old, b, name) })
}

// renameNew is rename that replaces nothing, even if it came a moment ago.
func renameNew(from *folder.Dir, old string, to *folder.Dir, name string) error {
	return between(from, to, func(a, b int) error {
		err := unix.Renameat2(a, old, b, name, unix.RENAME_NOREPLACE)
		if !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOSYS) {
			return err
		}
		// A file system that cannot say so: a link fails on what exists. It has no
		// second name for a folder; renaming one fails on all but an empty folder.
		if err = unix.Linkat(a, old, b, name, 0); err == nil {
			return unix.Unlinkat(a, old, 0)
		}
		if errors.Is(err, fs.ErrExist) {
			return err
		}
		var stat unix.Stat_t
		if err := unix.Fstatat(b, name, &stat, unix.AT_SYMLINK_NOFOLLOW); !errors.Is(err, unix.ENOENT) {
			return unix.EEXIST
		}
		return unix.Renameat(a, old, b, name)
	})
}

// between hands out the descriptors of two open folders.
func between(from, to *folder.Dir, do func(from, to int) error) (err error) {
	a, err := from.Root.Open(".")
	if err != nil {
		return err
	}
	defer a.Close() // only renamed in
	b, err := to.Root.Open(".")
	if err != nil {
		return err
	}
	defer b.Close() // only renamed in
	return withDescriptor(a, func(a int) error {
		return withDescriptor(b, func(b int) error { return do(a, b) })
	})
}

func withDescriptor(file *os.File, do func(int) error) (err error) {
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	if failed := raw.Control(func(fd uintptr) { err = do(int(fd)) }); failed != nil {
		return failed
	}
	return err
}

func isInvalid(err error) bool { return errors.Is(err, unix.EINVAL) }

func isOtherVolume(err error) bool { return errors.Is(err, unix.EXDEV) }

func isIntoItself(err error) bool { return errors.Is(err, unix.EINVAL) }
