package card

import (
	"fmt"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

func raw(v app.Value) (string, []value.Binary) { return string(v), nil }

func oneRow(input string) app.Card {
	return app.Card{ID: "c1", RunID: "r1", Title: "Cancel an order?", Request: "cancel it",
		Rows: []app.Row{{CallID: "k1", Seq: 4, Fn: "orders.cancel", Title: "Cancel an order", Input: app.Value(input)}}}
}

func TestSheetShowsTheWholeInput(t *testing.T) {
	for _, input := range []string{
		`{"id":1042}`,
		`{"body":"` + strings.Repeat("ok ", 100) + `AND delete everything"}`,
		`"` + strings.Repeat("x", 1<<20) + `"`,
	} {
		s, err := draw(oneRow(input), raw)
		if err != nil {
			t.Fatal(err)
		}
		if s.Rows[0].Detail != input {
			t.Errorf("%.40s…: the detail is not the input", input)
		}
		if len(s.Rows[0].Summary) > maxSummary+len("…") {
			t.Errorf("%.40s…: summary of %d bytes", input, len(s.Rows[0].Summary))
		}
	}
}

func TestAFunctionsOwnWordsStandInTheListAndTheInputBesideThem(t *testing.T) {
	c := oneRow(`{"id":1042}`)
	c.Rows[0].Words = "Order 1042 · Ada\u202E · $129.00"
	s, err := draw(c, raw)
	if err != nil {
		t.Fatal(err)
	}
	row := s.Rows[0]
	if want := `Order 1042 · Ada\u{202E} · $129.00`; row.Summary != want || row.Top != "Cancel an order\n"+want {
		t.Errorf("the list has %q, the detail begins %q", row.Summary, row.Top)
	}
	if row.Detail != `{"id":1042}` {
		t.Errorf("the input is shown as %q", row.Detail)
	}
	if s.Warning == "" {
		t.Error("no warning of what the words hold")
	}
	if seen := s.matches("ada"); !seen[0] {
		t.Error("the filter does not find the words")
	}
}

func TestSummarySaysThatItWasCut(t *testing.T) {
	if got := summary(app.Value(strings.Repeat("é", maxSummary))); strings.HasSuffix(got, "…") {
		t.Error("a summary that is whole ends in an ellipsis")
	}
	for _, n := range []int{maxSummary + 1, maxSummary * 10} {
		if got := summary(app.Value(strings.Repeat("é", n))); !strings.HasSuffix(got, "…") {
			t.Errorf("%d characters: cut without a mark", n)
		}
	}
}

func TestSheetRefusesWhatNobodyCanRead(t *testing.T) {
	input := `"` + strings.Repeat("\u202E", 1<<20) + `"` // 3 MiB, 8 MiB as escapes
	if _, err := draw(oneRow(input), raw); err == nil || !strings.Contains(err.Error(), "orders.cancel") {
		t.Errorf("got %v, want an error that names the function", err)
	}
	if _, err := draw(app.Card{ID: "c1", Title: "Nothing?"}, raw); err == nil {
		t.Error("a card without rows was drawn")
	}
}

func TestEveryTextOfASheetIsPlain(t *testing.T) {
	const evil = "a\u202E\x00\n\x1b"
	card := app.Card{Title: evil, Request: evil, Rows: []app.Row{{CallID: "k", Seq: 1, Fn: evil, Title: evil, Input: app.Value(evil)}}}
	s, err := draw(card, raw)
	if err != nil {
		t.Fatal(err)
	}
	r := s.Rows[0]
	for name, text := range map[string]string{"window": s.Window, "title": s.Title, "function": r.Function, "heading": r.Heading, "summary": r.Summary, "meta": r.Meta} {
		if again, found := Plain(text); found != 0 || again != text {
			t.Errorf("%s: %q", name, text)
		}
	}
	for name, text := range map[string]string{"request": s.Request, "detail": r.Detail} {
		if again, found := PlainLines(text); found != 0 || again != text {
			t.Errorf("%s: %q", name, text)
		}
	}
	if s.Warning == "" || r.Warning == "" {
		t.Error("no warning")
	}
}

func TestWarningCountsTheRows(t *testing.T) {
	card := app.Card{Title: "Send 3 mails?"}
	for i, body := range []string{"fine", "pay\u200Bnow", "also fine"} {
		card.Rows = append(card.Rows, app.Row{CallID: fmt.Sprint(i), Seq: i + 1, Fn: "mail.send", Input: app.Value(`"` + body + `"`)})
	}
	s, err := draw(card, raw)
	if err != nil {
		t.Fatal(err)
	}
	if want := "One of 3 rows contains invisible characters."; !strings.HasPrefix(s.Warning, want) {
		t.Errorf("got %q, want it to begin %q", s.Warning, want)
	}
	if s.Rows[0].Warning != "" || s.Rows[1].Warning == "" {
		t.Error("the warning is on the wrong row")
	}
}

func TestRowsAreGroupedByFunctionWithTheirCount(t *testing.T) {
	card := app.Card{Title: "Run 4 calls?"}
	for i, fn := range []string{"orders.cancel", "mail.send", "orders.cancel", "mail.send", "orders.cancel"} {
		title := map[string]string{"orders.cancel": "Cancel an order", "mail.send": "Send a mail"}[fn]
		card.Rows = append(card.Rows, app.Row{CallID: fmt.Sprint(i), Seq: i + 1, Fn: fn, Title: title, Input: app.Value("1")})
	}
	s, err := draw(card, raw)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Groups) != 2 || s.Groups[0].Title != "Cancel an order · 3 calls" || s.Groups[1].Title != "Send a mail · 2 calls" {
		t.Errorf("groups %+v", s.Groups)
	}
	for i, want := range []int{0, 1, 0, 1, 0} {
		if s.Rows[i].Group != want || s.Rows[i].CallID != fmt.Sprint(i) {
			t.Errorf("row %d is %+v", i, s.Rows[i])
		}
	}
}

func TestTheFilterLooksAtTheWholeInput(t *testing.T) {
	s, err := draw(oneRow(`{"a":"`+strings.Repeat("x", 2*maxSummary)+` Needle"}`), raw)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"": true, " ": true, "needle": true, "ORDERS.": true, "cancel an": true, "absent": false} {
		if got := s.matches(text); got[0] != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestTheSheetNamesLengths(t *testing.T) {
	s, err := draw(oneRow(`{"a":"`+strings.Repeat("é", 1993)+`"}`), func(v app.Value) (string, []value.Binary) { return "{\n" + string(v) + "\n}", nil })
	if err != nil {
		t.Fatal(err)
	}
	if want := "orders.cancel · call 4 · 2,001 characters, 3 lines"; s.Rows[0].Meta != want {
		t.Errorf("got %q, want %q", s.Rows[0].Meta, want)
	}
}
