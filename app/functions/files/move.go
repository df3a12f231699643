package files

import (
	"context"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
)

type moveInput struct {
	From      string `json:"from" jsonschema:"such as Downloads/letter.txt"`
	To        string `json:"to" jsonschema:"the new path, name included: Documents/2026/letter.txt"`
	Overwrite bool   `json:"overwrite,omitempty" jsonschema:"replace a file that exists"`
}

type moveOutput struct {
	From string `json:"from"`
	To   string `json:"to"`
}

func (f *Files) move(_ context.Context, in moveInput) (moveOutput, error) {
	source, err := f.folders.ForChange(in.From)
	if err != nil {
		return moveOutput{}, err
	}
	defer source.Close()
	from, old, err := source.Parent(true)
	if err != nil {
		return moveOutput{}, err
	}
	defer from.Close()
	info, err := from.Lstat(old)
	if err != nil {
		return moveOutput{}, source.Explain(err)
	}
	target, to, name, err := f.target(in.To)
	if err != nil {
		return moveOutput{}, err
	}
	defer target.Close()
	defer to.Close()
	if in.Overwrite {
		if err := replacing(info.Mode().IsRegular(), to, name); err != nil {
			return moveOutput{}, taken(target, err)
		}
		err = rename(from, old, to, name)
	} else {
		err = renameNew(from, old, to, name)
	}
	switch {
	case err == nil:
	case isOtherVolume(err):
		return moveOutput{}, app.Errorf(app.FunctionFailed, "%s and %s are on different disks, between which nothing is moved at once; copy it with files.copy, then files.trash the original", source.Path, target.Path)
	case isIntoItself(err):
		return moveOutput{}, app.Errorf(app.FunctionFailed, "%s cannot be moved into itself", source.Path)
	default:
		return moveOutput{}, taken(target, err)
	}
	if err := syncDir(to); err != nil {
		return moveOutput{}, target.Explain(err)
	}
	return moveOutput{source.Path, target.Path}, nil
}

// replacing refuses to replace anything but a file by a file.
func replacing(isFile bool, dir *folder.Dir, name string) error {
	_, err := replaceable(dir, name, 0, isFile)
	return err
}
