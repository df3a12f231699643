package files

import (
	"errors"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
)

// What an input must be beyond its schema. A call that can only fail is refused
// where it was made, so that nobody is asked to approve it.

func (f *Files) writeValid(in writeInput) error {
	switch {
	case in.Text != nil && in.Bytes != nil:
		return app.Errorf(app.InvalidInput, "input: expected text or bytes, got both")
	case in.Text == nil && in.Bytes == nil:
		return app.Errorf(app.InvalidInput, "input: expected text or bytes, got neither; an empty file is text: \"\"")
	}
	return at("path", f.folders.CheckInside(in.Path))
}

func (f *Files) moveValid(in moveInput) error {
	if err := at("from", f.folders.CheckInside(in.From)); err != nil {
		return err
	}
	return at("to", f.folders.CheckInside(in.To))
}

func (f *Files) copyValid(in copyInput) error {
	if err := at("from", folder.CheckPath(in.From)); err != nil {
		return err
	}
	return at("to", f.folders.CheckInside(in.To))
}

func (f *Files) makeFolderValid(in makeFolderInput) error {
	return at("path", folder.CheckPath(in.Path))
}

func (f *Files) trashValid(in trashInput) error { return at("path", f.folders.CheckInside(in.Path)) }

// at names the member that an error is about.
func at(member string, err error) error {
	if e := (*app.Error)(nil); errors.As(err, &e) {
		return &app.Error{Code: app.InvalidInput, Cause: e.Cause, Message: "input." + member + ": " + e.Message}
	}
	return err
}
