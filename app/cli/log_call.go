package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/review"
)

// visible makes text safe for a terminal: whatever is not drawn as itself
// (control, format and direction characters, odd blanks) becomes an escape, so
// that what was logged cannot move the cursor or reorder a line.
func visible(s string, lines bool) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x{%02X}`, s[i])
		case r == '\n' && lines, unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u{%04X}`, r)
		}
		i += size
	}
	return b.String()
}

// short cuts text for a table, and shows that it did.
func short(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most-1]) + "…"
}

// local is how tables and text say a time: the person's own clock, and its offset.
func local(at time.Time) string { return at.Local().Format(review.Clock) }

// localOf is local for a time as json has it.
func localOf(wire string) string {
	at, err := time.Parse(review.WireTime, wire)
	if err != nil {
		return wire
	}
	return local(at)
}

// plainError leaves out the code, which is for programs.
func plainError(err error) error {
	var e *app.Error
	if errors.As(err, &e) {
		return errors.New(e.Message)
	}
	return err
}
