package desk

import (
	"errors"
	"os"

	"github.com/mattn/go-isatty"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/card"
	"github.com/faustine-ai/countersign/app/shell"
)

// unopened is why the app has not opened. Who started it from a menu sees nothing
// of what is written to standard error.
type unopened struct{ error }

func (u unopened) Unwrap() error { return u.error }

// Show shows it in a dialog, unless standard error is a terminal.
func (u unopened) Show() {
	if stderr := os.Stderr.Fd(); isatty.IsTerminal(stderr) || isatty.IsCygwinTerminal(stderr) || !testShow() {
		return
	}
	text := u.Error()
	var known *app.Error
	if errors.As(u.error, &known) && known.Error() == text {
		text = known.Message
	}
	text, _ = card.PlainLines(text) // paths are in it
	shell.Explain(text)
}
