package files

import (
	"context"
	"errors"
	"io/fs"

	"github.com/faustine-ai/countersign/app/folder"
)

type statInput struct {
	Path string `json:"path" jsonschema:"such as Downloads/letter.txt"`
}

type statOutput struct {
	Exists bool   `json:"exists"`
	Entry  *Entry `json:"entry,omitempty" jsonschema:"left out when it does not exist. A symbolic link that leads to something inside the folder is described as that"`
}

func (f *Files) stat(_ context.Context, in statInput) (statOutput, error) {
	place, err := f.folders.At(in.Path)
	if err != nil {
		return statOutput{}, err
	}
	defer place.Close()
	info, err := place.Stat()
	if err != nil {
		// A link that leads nowhere, or out, is there itself.
		if link, failed := place.Lstat(); failed == nil && folder.KindOf(link.Mode()) == folder.Link {
			info, err = link, nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return statOutput{}, nil
	}
	if err != nil {
		return statOutput{}, place.Explain(err)
	}
	e := entryOf(place.Path, place.Name(), info)
	e.Write = place.IsFolder() && place.Folder.Write
	return statOutput{Exists: true, Entry: &e}, nil
}
