package files

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
)

type writeInput struct {
	Path      string  `json:"path" jsonschema:"such as Downloads/letter.txt"`
	Text      *string `json:"text,omitempty" jsonschema:"the whole content, written as UTF-8"`
	Bytes     []byte  `json:"bytes,omitempty" jsonschema:"in place of text: a Uint8Array"`
	Overwrite bool    `json:"overwrite,omitempty" jsonschema:"replace a file that exists"`
}

type writeOutput struct {
	Path string `json:"path"`
	Size int64  `json:"size" jsonschema:"in bytes"`
}

func (f *Files) write(ctx context.Context, in writeInput) (writeOutput, error) {
	content := in.Bytes
	if in.Text != nil {
		content = []byte(*in.Text)
	}
	place, dir, name, err := f.target(in.Path)
	if err != nil {
		return writeOutput{}, err
	}
	defer place.Close()
	defer dir.Close()
	size, err := put(ctx, dir, name, bytes.NewReader(content), 0o666, in.Overwrite)
	if err != nil {
		return writeOutput{}, taken(place, err)
	}
	return writeOutput{place.Path, size}, nil
}

// target opens the folder that something is put into. Close both.
func (f *Files) target(path string) (*folder.Place, *folder.Dir, string, error) {
	place, err := f.folders.ForChange(path)
	if err != nil {
		return nil, nil, "", err
	}
	dir, name, err := place.Parent(false)
	if err != nil {
		_ = place.Close() // nothing was written
		return nil, nil, "", err
	}
	return place, dir, name, nil
}

// taken says what to do about something that is in the way.
func taken(place *folder.Place, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return app.Errorf(app.FunctionFailed, "%s exists already, and was left as it is; choose another name, or replace a file with overwrite: true", place.Path)
	}
	return place.Explain(err)
}
