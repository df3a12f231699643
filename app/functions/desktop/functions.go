package desktop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
	"github.com/faustine-ai/countersign/app/registry"
)

// System is what the family needs of the desktop session. Texts are plain.
type System interface {
	Notify(ctx context.Context, summary, body string) error
	ReadClipboard(ctx context.Context) (string, error)
	WriteClipboard(ctx context.Context, text string) error
	// Open has the person's own program open https://… or file:///….
	Open(ctx context.Context, uri string) error
}

// Desktop is the family on a session.
type Desktop struct {
	system  System
	folders *folder.Folders
	notices *rate.Limiter
}

// New makes the family. folders are those whose files may be opened.
func New(system System, folders *folder.Folders) *Desktop {
	// A few at once, then one in half a minute: more would be ignored, or annoy.
	return &Desktop{system, folders, rate.NewLimiter(rate.Every(30*time.Second), 3)}
}

const (
	systemTime   = 10 * time.Second // for what the desktop is asked
	maxSummary   = 80               // characters
	maxBody      = 400
	maxClipboard = 1 << 20 // bytes
)

type none struct{}

type notifyInput struct {
	Title string `json:"title" jsonschema:"up to 80 characters"`
	Body  string `json:"body,omitempty" jsonschema:"up to 400 characters"`
}

type openInput struct {
	URL  string `json:"url,omitempty" jsonschema:"https://example.com/page, for the browser"`
	Path string `json:"path,omitempty" jsonschema:"in place of url: a file or folder such as Downloads/letter.pdf, for the person's own program"`
}

type writeInput struct {
	Text string `json:"text"`
}

type readOutput struct {
	Text string `json:"text" jsonschema:"empty when there is no text in it"`
	More bool   `json:"more" jsonschema:"it was cut after 1 MiB"`
}

// Functions returns the family's functions.
func (d *Desktop) Functions() []*app.Function {
	return []*app.Function{
		registry.Define("desktop.notify", d.notify,
			registry.Title("Show a notification"), registry.NeverNull(),
			registry.Description("Shows a notification on the person's desktop, as of a program. For the end of something long; a few at once, then one in half a minute."),
		),
		registry.Define("desktop.open", d.open,
			registry.Title("Open on the desktop"), registry.Plural("Open {n} things on the desktop"), registry.NeverNull(),
			registry.Description("Opens a web page in the person's browser, or a file or folder from a picked folder in their own program. Programs and scripts are not opened."),
			registry.Marked(), registry.Valid(openInput.valid), registry.Row(d.openWords),
		),
		registry.Define("desktop.readClipboard", d.readClipboard,
			registry.Title("Read the clipboard"), registry.Plural("Read the clipboard {n} times"), registry.NeverNull(),
			registry.Description("The text in the clipboard."),
			registry.Marked(),
			registry.Row(func(context.Context, none) string { return "What you copied last, passwords too" }),
		),
		registry.Define("desktop.writeClipboard", d.writeClipboard,
			registry.Title("Write to the clipboard"), registry.Plural("Write to the clipboard {n} times"), registry.NeverNull(),
			registry.Description("Puts text into the clipboard, in the place of what is there."),
			registry.Marked(), registry.Valid(writeInput.valid),
			registry.Row(func(_ context.Context, in writeInput) string {
				return fmt.Sprintf("%d characters, in the place of what is there", len([]rune(in.Text)))
			}),
		),
	}
}

func (d *Desktop) notify(ctx context.Context, in notifyInput) (none, error) {
	title, body := tame(in.Title), tame(in.Body)
	switch {
	case title == "":
		return none{}, app.Errorf(app.InvalidInput, "input.title is empty; expected up to %d characters", maxSummary)
	case len([]rune(title)) > maxSummary:
		return none{}, app.Errorf(app.InvalidInput, "input.title: expected up to %d characters, got %d", maxSummary, len([]rune(title)))
	case len([]rune(body)) > maxBody:
		return none{}, app.Errorf(app.InvalidInput, "input.body: expected up to %d characters, got %d", maxBody, len([]rune(body)))
	}
	if !d.notices.Allow() {
		return none{}, app.Errorf(app.FunctionFailed, "there were several notifications a moment ago, so this one was not shown; return what matters instead")
	}
	// Said to be a program's, so that it cannot pose as the app, which asks for
	// approvals by notifications too.
	return none{}, d.asked(ctx, "show the notification", func(ctx context.Context) error {
		return d.system.Notify(ctx, "A program says: "+title, body)
	})
}

func (d *Desktop) readClipboard(ctx context.Context, _ none) (out readOutput, err error) {
	err = d.asked(ctx, "read the clipboard", func(ctx context.Context) (err error) {
		out.Text, err = d.system.ReadClipboard(ctx)
		return err
	})
	if len(out.Text) > maxClipboard {
		out.Text, out.More = whole(out.Text[:maxClipboard]), true
	}
	return out, err
}

// valid refuses what can only fail before a card asks for it.
func (in writeInput) valid() error {
	switch {
	case len(in.Text) > maxClipboard:
		return app.Errorf(app.InvalidInput, "input.text: expected up to 1 MiB, got %d bytes", len(in.Text))
	case strings.ContainsRune(in.Text, 0):
		return app.Errorf(app.InvalidInput, "input.text has a NUL character in it, which the clipboard cannot hold")
	}
	return nil
}

func (d *Desktop) writeClipboard(ctx context.Context, in writeInput) (none, error) {
	return none{}, d.asked(ctx, "write to the clipboard", func(ctx context.Context) error { return d.system.WriteClipboard(ctx, in.Text) })
}

// asked asks the desktop for something within a time, and words why it cannot be.
func (d *Desktop) asked(ctx context.Context, what string, do func(context.Context) error) error {
	within, cancel := context.WithTimeout(ctx, systemTime)
	defer cancel()
	err := do(within)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return app.Errorf(app.FunctionFailed, "the desktop did not %s within %v", what, systemTime)
	}
	return &app.Error{Code: app.FunctionFailed, Cause: err, Message: fmt.Sprintf("the desktop could not %s: %.300s", what, err)}
}
