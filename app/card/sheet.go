package card

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/faustine-ai/countersign/app"
)

// maxDetail bounds the text of one input, in bytes, as it is shown. What is
// longer cannot be read by anyone, so it is refused instead of cut. An input may
// have 1 MiB; the rest is room for indentation and escapes.
const maxDetail = 8 << 20

// maxSummary is how many characters of an input its line in the list shows. The
// detail beside the list always has all of it.
const maxSummary = 300

// sheet is a card as it is drawn: every string has gone through Plain.
type sheet struct {
	Window  string // title of the window
	Title   string
	Request string
	Warning string
	Rows    []sheetRow
	wrap    func(text string, columns int) string
}

// sheetRow is one call on a sheet.
type sheetRow struct {
	CallID   string
	Function string // orders.cancel
	Summary  string // the input on one line, cut with an ellipsis
	Heading  string // “Cancel an order”
	Meta     string // “orders.cancel · call 4 · 42 characters”
	Detail   string // the full input, PlainLines
	Warning  string
}

// draw makes the sheet of a card. pretty writes a value over several lines. An
// error means that something on the card cannot be shown whole.
func draw(card app.Card, pretty func(app.Value) string) (*sheet, error) {
	if len(card.Rows) == 0 {
		return nil, fmt.Errorf("card %s: expected at least one row, got none", card.ID)
	}
	title, found := Plain(card.Title)
	request, odd := PlainLines(strings.TrimSpace(card.Request))
	found |= odd
	s := &sheet{Title: title, Window: title + " – Countersign", Request: request, wrap: Wrap}
	rows := 0 // with a warning
	for _, row := range card.Rows {
		drawn, odd, err := drawRow(row, pretty)
		if err != nil {
			return nil, err
		}
		if odd != 0 {
			rows++
		}
		found |= odd
		s.Rows = append(s.Rows, drawn)
	}
	s.Warning = sheetWarning(found, rows, len(s.Rows))
	return s, nil
}

func drawRow(row app.Row, pretty func(app.Value) string) (sheetRow, Oddity, error) {
	fn, found := Plain(row.Fn)
	heading, odd := Plain(row.Title)
	found |= odd
	if heading == "" {
		heading = fn
	}
	text := pretty(row.Input)
	found |= jsonControls(text)
	detail, odd := PlainLines(text)
	found |= odd
	if len(detail) > maxDetail {
		return sheetRow{}, 0, fmt.Errorf("call %d of %s: its input takes %d bytes to show, at most %d can be read on a card; ask for less at a time",
			row.Seq, fn, len(detail), maxDetail)
	}
	length := "1 character"
	if n := utf8.RuneCountInString(string(row.Input)); n != 1 {
		length = thousands(n) + " characters"
	}
	return sheetRow{
		CallID:   row.CallID,
		Function: fn,
		Summary:  summary(row.Input),
		Heading:  heading,
		Meta:     fmt.Sprintf("%s · call %d · %s", fn, row.Seq, length),
		Detail:   detail,
		Warning:  found.Warning(),
	}, found, nil
}

// summary is the canonical input on one line, cut at maxSummary characters.
func summary(input app.Value) string {
	text := string(input)
	if len(text) > maxSummary*utf8.UTFMax { // no need to escape what is cut
		text = text[:runeEnd(text, maxSummary*utf8.UTFMax)]
	}
	shown, _ := Plain(text)
	n := 0
	for i := range shown {
		if n++; n > maxSummary {
			return shown[:i] + "…"
		}
	}
	if len(text) < len(input) {
		return shown + "…"
	}
	return shown
}

func sheetWarning(found Oddity, odd, rows int) string {
	switch {
	case odd == 0 || rows == 1:
		return found.Warning()
	case odd == 1:
		return "One of " + strconv.Itoa(rows) + " rows contains " + found.kinds() + escapesNote
	}
	return strconv.Itoa(odd) + " of " + strconv.Itoa(rows) + " rows contain " + found.kinds() + escapesNote
}

func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
