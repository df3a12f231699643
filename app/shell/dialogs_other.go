//go:build !linux

package shell

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// openDialog leaves a dialog whose ctx has ended to the person: Wails cannot
// close one. What they then choose is thrown away.
func openDialog(ctx, window context.Context, q question) (string, error) {
	type chosen struct {
		path string
		err  error
	}
	answer := make(chan chosen, 1)
	go func() {
		var c chosen
		switch q.what {
		case newFile:
			c.path, c.err = runtime.SaveFileDialog(window, runtime.SaveDialogOptions{Title: q.title, DefaultFilename: q.name, CanCreateDirectories: true})
		case file:
			c.path, c.err = runtime.OpenFileDialog(window, runtime.OpenDialogOptions{Title: q.title})
		default:
			c.path, c.err = runtime.OpenDirectoryDialog(window, runtime.OpenDialogOptions{Title: q.title, CanCreateDirectories: true})
		}
		answer <- c
	}()
	select {
	case c := <-answer:
		return c.path, c.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
