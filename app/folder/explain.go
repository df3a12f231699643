package folder

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"github.com/faustine-ai/countersign/app"
)

// errBarred: what is the app's own.
var errBarred = errors.New("it belongs to Countersign itself")

// notAFile: what cannot be read or written as a file.
type notAFile struct{ kind Kind }

func (n *notAFile) Error() string { return "it is " + n.kind.article() + ", and no ordinary file" }

func (p *Place) barred() error {
	return app.Errorf(app.FunctionFailed, "%s is, or holds, what belongs to Countersign itself (its settings, keys and log), which programs cannot reach", clip(p.Path))
}

// Explain words an error of the system about this path.
func (p *Place) Explain(err error) error {
	var known *app.Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(err, errBarred):
		return p.barred()
	}
	return &app.Error{Code: app.FunctionFailed, Cause: err, Message: clip(p.Path) + ": " + reason(err)}
}

// reason says in words what the system's error means, without its paths.
func reason(err error) string {
	var odd *notAFile
	var path *fs.PathError
	switch {
	case errors.As(err, &odd):
		return odd.Error()
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file or folder"
	case errors.Is(err, fs.ErrExist):
		return "it exists already"
	case errors.Is(err, syscall.EROFS):
		return "it is on a disk that cannot be written to"
	case errors.Is(err, fs.ErrPermission):
		return "the system does not permit it"
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full"
	case isQuota(err):
		return "the space that this person may use is used up"
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "its name is too long"
	case errors.Is(err, syscall.ENOTDIR), strings.HasSuffix(err.Error(), "not a directory"): // os.Root's own
		return "a part of the path is not a folder"
	case errors.Is(err, syscall.EISDIR):
		return "it is a folder"
	case errors.Is(err, syscall.ENOTEMPTY):
		return "there is a folder that is not empty"
	case errors.Is(err, syscall.ELOOP):
		return "its symbolic links go in a circle"
	case strings.Contains(err.Error(), "path escapes from parent"): // os has no name for it
		return "a symbolic link leads out of the picked folder, and is not followed"
	case errors.As(err, &path):
		return path.Err.Error()
	}
	return err.Error()
}
