package shell

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
)

// Dialogs asks the person for places in the file system, in the system's own
// dialogs over the app's window. It is made before the window, and what asks it
// early waits for the window. One dialog is open at a time.
type Dialogs struct {
	turn   chan struct{}
	opened chan struct{} // closed when the window can carry a dialog
	window context.Context
}

// NewDialogs returns Dialogs for one window: hand them to its Config.
func NewDialogs() *Dialogs {
	return &Dialogs{turn: make(chan struct{}, 1), opened: make(chan struct{})}
}

// PickFolder asks for a folder that there is and returns its absolute path, ""
// when the person chose none. The dialog closes when ctx ends, which is an error.
func (d *Dialogs) PickFolder(ctx context.Context, title string) (string, error) {
	return d.ask(ctx, question{what: folder, title: title})
}

// OpenFile asks for a file that there is and returns its absolute path, "" when
// the person chose none.
func (d *Dialogs) OpenFile(ctx context.Context, title string) (string, error) {
	return d.ask(ctx, question{what: file, title: title})
}

// SaveFile asks where to write a file and proposes its name, which must be one
// without folders. It returns an absolute path, "" when the person chose none.
// The dialog has asked before it returns the path of a file that exists.
func (d *Dialogs) SaveFile(ctx context.Context, title, name string) (string, error) {
	if name == "" || filepath.Base(name) != name {
		return "", errors.New("a dialog proposes a file's name, not a path: " + name)
	}
	return d.ask(ctx, question{what: newFile, title: title, name: name})
}

// question is what a dialog asks for.
type question struct {
	what        what
	title, name string // name: that is proposed for a new file
}

type what int

const (
	folder what = iota
	file
	newFile
)

func (d *Dialogs) ask(ctx context.Context, q question) (string, error) {
	select {
	case <-d.opened:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if path, ok := answered(); ok {
		return path, nil
	}
	path, err := openDialog(ctx, d.window, q)
	if err != nil || path == "" {
		return "", err
	}
	return filepath.Abs(path)
}

// open lets the dialogs come: the window is there. window is Wails' context.
func (d *Dialogs) open(window context.Context) {
	d.window = window
	close(d.opened)
}

// Picked answers the operation folder.pick: the folder that the person chose, or
// "" for none.
type Picked struct {
	Path string `json:"path"`
}

// Operations are what the page may ask for:
//
//	folder.pick {title}  → {path}   the person chooses a folder; "": none
func (d *Dialogs) Operations() []app.Operation {
	return []app.Operation{{Name: "folder.pick", Do: func(ctx context.Context, raw json.RawMessage) (any, error) {
		type args struct {
			Title string `json:"title"`
		}
		asked, err := operation.Args[args]("folder.pick", raw)
		if err != nil {
			return nil, err
		}
		if asked.Title == "" || len(asked.Title) > maxDialogTitle {
			return nil, app.Errorf(app.BadRequest, "folder.pick: expected a title of 1 to %d bytes, got %d", maxDialogTitle, len(asked.Title))
		}
		path, err := d.PickFolder(ctx, asked.Title)
		if err != nil {
			return nil, err
		}
		return Picked{path}, nil
	}}}
}

const maxDialogTitle = 200
