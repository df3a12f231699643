package files

import (
	"context"
	"errors"

	"github.com/faustine-ai/countersign/app"
)

type trashInput struct {
	Path string `json:"path" jsonschema:"a file, folder or symbolic link, such as Downloads/old.zip"`
}

type trashOutput struct {
	Path  string `json:"path" jsonschema:"where it was"`
	Trash string `json:"trash" jsonschema:"its name in the trash"`
}

func (f *Files) trash(_ context.Context, in trashInput) (trashOutput, error) {
	place, err := f.folders.ForChange(in.Path)
	if err != nil {
		return trashOutput{}, err
	}
	defer place.Close()
	dir, name, err := place.Parent(true)
	if err != nil {
		return trashOutput{}, err
	}
	defer dir.Close()
	if _, err := dir.Lstat(name); err != nil {
		return trashOutput{}, place.Explain(err)
	}
	kept, err := discard(dir, name)
	switch {
	case err == nil:
		return trashOutput{place.Path, kept}, nil
	case errors.Is(err, errNoTrash):
		return trashOutput{}, &app.Error{Code: app.FunctionFailed, Cause: err, Message: place.Path + " was left where it is: its disk has no trash that it could be moved to, and nothing is deleted for good; ask the person to delete it"}
	case errors.Is(err, errors.ErrUnsupported):
		return trashOutput{}, app.Errorf(app.FunctionFailed, "%s was left where it is: the trash of this system is not built in yet, and nothing is deleted for good; ask the person to delete it", place.Path)
	}
	return trashOutput{}, place.Explain(err)
}

// errNoTrash: no trash can on this disk can be used.
var errNoTrash = errors.New("no trash on this disk")
