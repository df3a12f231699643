package files

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
)

// unfinished begins the names of files that are being written.
const unfinished = ".countersign-"

// put writes a file under a name of its folder: whole, durable, or not at all.
// It is written beside its place and then moved there. Without overwrite what is
// there stays, even if it came a moment ago.
func put(ctx context.Context, dir *folder.Dir, name string, content io.Reader, mode fs.FileMode, overwrite bool) (n int64, err error) {
	mode, err = replaceable(dir, name, mode, overwrite)
	if err != nil {
		return 0, err
	}
	draft := unfinished + rand.Text()
	file, err := dir.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreMissing(dir.Remove(draft)))
		}
	}()
	n, err = io.Copy(file, reader{ctx, content})
	if err == nil && overwrite {
		err = file.Chmod(mode) // as it was, whatever the umask says
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return 0, err
	}
	if err := settle(dir, draft, name, overwrite); err != nil {
		return 0, err
	}
	return n, nil
}

// replaceable looks at what is in the place of a new file. It gives the mode that
// the new one has: that of a file it replaces.
func replaceable(dir *folder.Dir, name string, mode fs.FileMode, overwrite bool) (fs.FileMode, error) {
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return mode, nil
	case err != nil:
		return 0, err
	case !overwrite:
		return 0, &fs.PathError{Op: "write", Path: name, Err: fs.ErrExist}
	case !info.Mode().IsRegular():
		return 0, app.Errorf(app.FunctionFailed, "%s is a %s, and only a file can be replaced by one", name, folder.KindOf(info.Mode()))
	}
	return info.Mode().Perm(), nil
}

// settle gives a draft its name.
func settle(dir *folder.Dir, draft, name string, overwrite bool) error {
	var err error
	if overwrite {
		err = dir.Rename(draft, name)
	} else {
		err = renameNew(dir, draft, dir, name)
	}
	if err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes a renaming last. Systems that cannot do it for folders do it by
// themselves.
func syncDir(dir *folder.Dir) error {
	handle, err := dir.Root.Open(".")
	if err != nil {
		return err
	}
	if err := handle.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !isInvalid(err) {
		return errors.Join(err, handle.Close())
	}
	return handle.Close()
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// reader ends with its context.
type reader struct {
	ctx  context.Context
	from io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}
