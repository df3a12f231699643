package card

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
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
	Groups  []sheetGroup // in the order of their first calls; one: no headings
	size    size
	wrap    func(text string, columns int) string
}

// sheetGroup heads the calls of one function.
type sheetGroup struct {
	Function string // orders.cancel
	Title    string // “Cancel an order · 3 calls”
	Heading  string // “Cancel an order”
	count    int
}

// sheetRow is one call on a sheet.
type sheetRow struct {
	CallID   string
	Call     string // “4”: the number of the call in its run
	Label    string // for screen readers: “Call 4, Cancel an order”
	Group    int    // index in the sheet's Groups
	Function string // orders.cancel
	Summary  string // the function's own words, or the input on one line, cut with an ellipsis
	Heading  string // “Cancel an order”
	Top      string // the heading, and below it the function's own words
	Meta     string // “orders.cancel · call 4 · 42 characters”
	Detail   string // the full input, PlainLines
	Warning  string

	worded   bool           // Summary is the function's own words
	binaries []value.Binary // that Detail describes
	names    []string       // that saving them proposes
}

// draw makes the sheet of a card. pretty writes a value over several lines. An
// error means that something on the card cannot be shown whole.
func draw(card app.Card, pretty func(app.Value) (string, []value.Binary)) (*sheet, error) {
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
		drawn.Group = s.group(drawn)
		s.Rows = append(s.Rows, drawn)
	}
	for i := range s.Groups {
		g := &s.Groups[i]
		g.Title = g.Heading + " · " + counted(g.count, "call")
	}
	s.Warning = sheetWarning(found, rows, len(s.Rows))
	return s, nil
}

// group counts a row to its function's group and returns the group's index.
func (s *sheet) group(row sheetRow) int {
	for i := range s.Groups {
		if s.Groups[i].Function == row.Function {
			s.Groups[i].count++
			return i
		}
	}
	s.Groups = append(s.Groups, sheetGroup{Function: row.Function, Heading: row.Heading, count: 1})
	return len(s.Groups) - 1
}

func drawRow(row app.Row, pretty func(app.Value) (string, []value.Binary)) (sheetRow, Oddity, error) {
	fn, found := Plain(row.Fn)
	heading, odd := Plain(row.Title)
	found |= odd
	if heading == "" {
		heading = fn
	}
	text, binaries := pretty(row.Input)
	found |= jsonControls(text)
	detail, odd := PlainLines(text)
	found |= odd
	if len(detail) > maxDetail {
		return sheetRow{}, 0, fmt.Errorf("call %d of %s: its input takes %d bytes to show, at most %d can be read on a card; ask for less at a time",
			row.Seq, fn, len(detail), maxDetail)
	}
	names := make([]string, len(binaries))
	for i, b := range binaries {
		names[i] = saveName(b, row.Seq, i+1)
	}
	words, odd := Plain(row.Words)
	found |= odd
	short := words
	if short == "" {
		short = summary(row.Input)
	}
	length := counted(utf8.RuneCountInString(string(row.Input)), "character")
	if lines := strings.Count(detail, "\n") + 1; lines > 1 {
		length += ", " + thousands(lines) + " lines"
	}
	return sheetRow{
		CallID:   row.CallID,
		Call:     strconv.Itoa(row.Seq),
		Label:    fmt.Sprintf("Call %d, %s", row.Seq, heading),
		Function: fn,
		Summary:  short,
		Heading:  heading,
		Top:      strings.TrimSuffix(heading+"\n"+words, "\n"),
		Meta:     fmt.Sprintf("%s · call %d · %s", fn, row.Seq, length),
		Detail:   detail,
		Warning:  found.Warning(),
		worded:   words != "",
		binaries: binaries,
		names:    names,
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

// counted is a number with its noun: “1 call”, “2,000 calls”.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// matches says which rows a filter leaves in sight: those that have the text,
// in whatever case, in what is shown of them anywhere.
func (s *sheet) matches(text string) []bool {
	text = strings.ToLower(strings.TrimSpace(text))
	shown := make([]bool, len(s.Rows))
	for i, row := range s.Rows {
		shown[i] = text == "" || contains(row.Function, text) || contains(row.Heading, text) || contains(row.Summary, text) || contains(row.Detail, text)
	}
	return shown
}

func contains(in, lower string) bool { return strings.Contains(strings.ToLower(in), lower) }
