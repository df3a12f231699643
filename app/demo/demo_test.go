package demo

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
)

func TestParseDecide(t *testing.T) {
	for text, approved := range map[string]int{"approve": 5, "reject": 0, "first:2": 2, "first:0": 0, "first:9": 0} {
		d, err := ParseDecide(text)
		if err != nil || d.approves(5, false) != approved {
			t.Errorf("%s: %d of 5, %v; want %d", text, d.approves(5, false), err, approved)
		}
	}
	for _, text := range []string{"", "yes", "Approve", "first", "first:", "first:-1", "first:x", "approve "} {
		if _, err := ParseDecide(text); err == nil || !strings.Contains(err.Error(), "first:N") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestThePresenterDecidesAsToldAndSaysSo(t *testing.T) {
	card := app.Card{Rows: []app.Row{{CallID: "a"}, {CallID: "b"}, {CallID: "c"}}}
	for text, want := range map[string]app.Answer{
		"approve": {Approve: []string{"a", "b", "c"}, By: app.ByDemo},
		"first:1": {Approve: []string{"a"}, By: app.ByDemo, Reason: "the demo was told to reject"},
		"reject":  {By: app.ByDemo, Reason: "the demo was told to reject"},
		"first:9": {By: app.ByDemo, Reason: "the demo was told to approve more rows than there are"},
	} {
		d, err := ParseDecide(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Presenter(d, false).Present(context.Background(), card); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got, _ := Presenter(Decide{-1}, false).Present(ctx, card); got.By != app.ByAborted || got.Approve != nil {
		t.Errorf("after the end of the run: %+v", got)
	}
}

// thursday is a day whose last week is 2026-11-16 to 2026-11-22.
var thursday = time.Date(2026, 11, 26, 9, 0, 0, 0, time.Local)

func entry(kind app.Kind, callID, fn string, b any) app.Entry {
	text, err := json.Marshal(b)
	if err != nil {
		panic(err)
	}
	return app.Entry{Kind: kind, RunID: "r", CallID: callID, Fn: fn, Body: text}
}

// good is a scene in which order 1 was approved and order 2 rejected.
func good() Ending {
	cancel := func(id, verdict string) []app.Entry {
		input := app.Value(`{"id":` + id + `}`)
		out := []app.Entry{
			entry(app.CallRequested, id, "orders.cancel", app.CallRequestedBody{Input: input}),
			entry(app.CallDecided, id, "orders.cancel", app.CallDecidedBody{Verdict: app.Verdict(verdict), By: app.ByDemo}),
		}
		if verdict == "approve" {
			out = append(out, entry(app.CallStarted, id, "orders.cancel", app.CallStartedBody{Marked: true}),
				entry(app.CallSettled, id, "orders.cancel", app.CallSettledBody{Value: app.Value(`{}`)}))
		}
		return out
	}
	entries := []app.Entry{entry(app.RunBegan, "", "", app.RunBeganBody{Request: "do"})}
	entries = append(entries, cancel("1", "approve")...)
	entries = append(entries, cancel("2", "reject")...)
	entries = append(entries, entry(app.RunEnded, "", "", app.RunEndedBody{Status: app.StatusOK}))
	return Ending{
		Scene: "cancel-orders", Request: "do", Ends: []app.Status{app.StatusOK}, Decide: &Decide{1}, Now: thursday, Entries: entries,
		Before: World{Orders: []Order{{ID: 1, Status: "open", Total: 101, Placed: "2026-11-16"}, {ID: 2, Status: "open", Total: 200, Placed: "2026-11-22"}, {ID: 3, Status: "open", Total: 100, Placed: "2026-11-20"}, {ID: 4, Status: "open", Total: 300, Placed: "2026-11-23"}, {ID: 5, Status: "shipped", Total: 300, Placed: "2026-11-18"}}},
		After:  World{Orders: []Order{{ID: 1, Status: "cancelled", Total: 101, Placed: "2026-11-16"}, {ID: 2, Status: "open", Total: 200, Placed: "2026-11-22"}, {ID: 3, Status: "open", Total: 100, Placed: "2026-11-20"}, {ID: 4, Status: "open", Total: 300, Placed: "2026-11-23"}, {ID: 5, Status: "shipped", Total: 300, Placed: "2026-11-18"}}},
	}
}

func TestCheckSeesWhatWentWrong(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Ending)
		want   string // "" for nothing
	}{
		"as it should be":     {func(*Ending) {}, ""},
		"a person decided so": {func(e *Ending) { e.Decide = nil }, ""},
		"another request":     {func(e *Ending) { e.Request = "other" }, "request"},
		"another status":      {func(e *Ending) { e.Ends = []app.Status{app.StatusLimit} }, "ends [ok]; expected the ends [limit]"},
		"the run never ended": {func(e *Ending) { e.Entries = e.Entries[:len(e.Entries)-1] }, "ends []"},
		"an empty log":        {func(e *Ending) { e.Entries = nil }, "0 beginnings"},
		"more than there are": {func(e *Ending) { e.Decide = &Decide{9} }, "first:9: expected at least 9 rows, there were 2"},
		"there was no card": {func(e *Ending) {
			e.Scene, e.Entries, e.After = "throws", slices.Delete(e.Entries, 1, 7), e.Before
		}, ""},
		"decided otherwise": {func(e *Ending) { e.Decide = &Decide{-1} }, "not what --decide said"},
		"decided by somebody else": {func(e *Ending) {
			e.Entries[2] = entry(app.CallDecided, "1", "orders.cancel", app.CallDecidedBody{Verdict: app.Approve, By: app.ByUser})
		}, "not what --decide said"},
		"approved, but not run": {func(e *Ending) { e.Entries = append(e.Entries[:3:3], e.Entries[5:]...) }, "started 0 times"},
		"rejected, yet run": {func(e *Ending) {
			e.Entries = append(e.Entries, entry(app.CallStarted, "2", "orders.cancel", app.CallStartedBody{}))
		}, "yet ran"},
		"ran twice": {func(e *Ending) {
			e.Entries = append(e.Entries, entry(app.CallStarted, "1", "orders.cancel", app.CallStartedBody{}))
		}, "started 2 times"},
		"an order changed by itself": {func(e *Ending) { e.After.Orders[2].Status = "cancelled" }, "order 3 changed"},
		"an amount changed":          {func(e *Ending) { e.After.Orders[4].Total = 1 }, "order 5 changed"},
		"the approved one did not":   {func(e *Ending) { e.After.Orders[0].Status = "open" }, "order 1 is open"},
		"an order has gone":          {func(e *Ending) { e.After.Orders = e.After.Orders[:4] }, "has 4"},
		"a row too few":              {func(e *Ending) { e.Before.Orders[2].Total, e.After.Orders[2].Total = 100.01, 100.01 }, "expected [1 2 3]"},
		"a row too many":             {func(e *Ending) { e.Before.Orders[1].Placed, e.After.Orders[1].Placed = "2026-11-15", "2026-11-15" }, "expected [1]"},
	} {
		t.Run(name, func(t *testing.T) {
			e := good()
			c.change(&e)
			err := Check(e)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestLastWeekIsMondayToSunday(t *testing.T) {
	for now, first := range map[string]string{"2026-11-23": "2026-11-16", "2026-11-29": "2026-11-16", "2026-11-30": "2026-11-23", "2027-01-01": "2026-12-21"} {
		at, err := time.ParseInLocation(time.DateOnly, now, time.Local)
		if err != nil {
			t.Fatal(err)
		}
		monday, _ := time.ParseInLocation(time.DateOnly, first, time.Local)
		for offset, want := range map[int]bool{-1: false, 0: true, 6: true, 7: false} {
			if day := monday.AddDate(0, 0, offset).Format(time.DateOnly); lastWeek(at, day) != want {
				t.Errorf("on %s: %s: want %v", now, day, want)
			}
		}
	}
}

func TestTheTranscriptPrintsDecisionsFromTheLog(t *testing.T) {
	var out strings.Builder
	tr := &Transcript{Out: &out, Plain: func(s string) string { return strings.ReplaceAll(s, "\x1b", "ESC") }, Entries: func() ([]app.Entry, error) { return good().Entries, nil }}
	tr.Tell("request", "do\x1b[2J")
	tr.Tell("program", "const a = 1\nreturn a")
	p := tr.Watch(Presenter(Decide{1}, false))
	if _, err := p.Present(context.Background(), app.Card{Title: "Cancel 2 orders?", Rows: []app.Row{{CallID: "1", Fn: "orders.cancel", Input: app.Value(`{"id":1}`)}, {CallID: "2", Fn: "orders.cancel", Input: app.Value(`{"id":2}`)}}}); err != nil {
		t.Fatal(err)
	}
	tr.Tell("status", "ok")
	tr.Tell("answer", "Done.")
	want := `Request
  doESC[2J

Program
    1  const a = 1
    2  return a

Card
  Cancel 2 orders?
    1  orders.cancel {"id":1}
    2  orders.cancel {"id":2}

Decision
  1 of 2 approved, by demo
  reason for the others: the demo was told to reject

Outcomes
  orders.cancel {"id":1}  approved by demo, ran: {}
  orders.cancel {"id":2}  rejected by demo, did not run

Status
  ok

Answer
  Done.
`
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}
