package shell

import (
	"fmt"
	"os"
	"strings"
)

// wailsLog writes what Wails has to say to stderr. Wails quotes the messages it
// cannot process, so the secret is taken out and long texts are cut.
type wailsLog struct{ secret string }

const maxWailsLine = 400

func (l wailsLog) write(message string) {
	message = strings.TrimSpace(strings.ReplaceAll(message, l.secret, "…"))
	if len(message) > maxWailsLine {
		message = message[:maxWailsLine] + "…"
	}
	fmt.Fprintf(os.Stderr, "countersign: wails: %q\n", message)
}

func (l wailsLog) Print(message string)   { l.write(message) }
func (l wailsLog) Warning(message string) { l.write(message) }
func (l wailsLog) Error(message string)   { l.write(message) }

// Fatal must not return: Wails goes on as if it had not.
func (l wailsLog) Fatal(message string) {
	l.write(message)
	os.Exit(1)
}

// What Wails traces is no business of a person at the desk.
func (wailsLog) Trace(string) {}
func (wailsLog) Debug(string) {}
func (wailsLog) Info(string)  {}
