package review

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// chosen answers every dialog with one path.
type chosen struct{ path string }

func (c *chosen) SaveFile(context.Context, string, string) (string, error) { return c.path, nil }
func (c *chosen) OpenFile(context.Context, string) (string, error)         { return c.path, nil }

func marshal(t *testing.T, x any) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// desk is a log with one run that ended in every way a call can, and a Review of it.
type desk struct {
	t      *testing.T
	path   string
	log    *sqlite.Log
	dialog *chosen
	review *Review
	asked  map[string]app.Operation
}

func newDesk(t *testing.T) *desk { return deskIn(t, t.TempDir()) }

func deskIn(t *testing.T, folder string) *desk {
	t.Helper()
	d := &desk{t: t, path: filepath.Join(folder, "log.db"), dialog: &chosen{}}
	log, err := sqlite.Open(d.path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d.log = log
	at := time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC)
	entry := func(kind app.Kind, run, id, fn string, b any) app.Entry {
		at = at.Add(time.Minute)
		return app.Entry{At: at, Kind: kind, RunID: run, CallID: id, Seq: len(id), Fn: fn, Body: marshal(t, b)}
	}
	seven := app.Value(`{"id":7}`)
	if err := log.Append(t.Context(),
		entry(app.RunBegan, "r1", "", "", app.RunBeganBody{Request: "Cancel what Zoë ordered twice", Code: "one\ntwo\nthree", Model: "m1"}),
		entry(app.CallStarted, "r1", "a", "orders.list", app.CallStartedBody{Input: app.Value(`{"who":"Zoë Müller"}`), Digest: "d"}), // 2
		entry(app.CallSettled, "r1", "a", "orders.list", app.CallSettledBody{Value: app.Value(`[7]`), Ms: 3}),
		entry(app.CallRequested, "r1", "bb", "orders.cancel", app.CallRequestedBody{Input: seven, Digest: seven.Digest(), Line: 2}), // 4
		entry(app.CallRequested, "r1", "ccc", "orders.cancel", app.CallRequestedBody{Input: app.Value(`8`)}),                        // 5
		entry(app.CallDecided, "r1", "bb", "orders.cancel", app.CallDecidedBody{Verdict: app.Approve, By: app.ByUser, Digest: seven.Digest(), Card: "k", Shown: "Cancel 2 orders?", WaitedMs: 1500}),
		entry(app.CallDecided, "r1", "ccc", "orders.cancel", app.CallDecidedBody{Verdict: app.Reject, By: app.ByUser, Card: "k", Shown: "Cancel 2 orders?", Reason: "not Zoë’s", WaitedMs: 1500}),
		entry(app.CallStarted, "r1", "bb", "orders.cancel", app.CallStartedBody{Marked: true, Digest: seven.Digest()}),
		entry(app.CallSettled, "r1", "bb", "orders.cancel", app.CallSettledBody{Error: &app.Reason{Name: "FunctionFailed", Message: "it is cancelled already"}, Ms: 2}),
		entry(app.CallRefused, "r1", "dddd", "orders.cancel", app.CallRefusedBody{Code: app.ApprovalRequired, Message: "needs an approval"}), // 10
		entry(app.CallStarted, "r1", "eeeee", "mail.send", app.CallStartedBody{Input: seven, Digest: seven.Digest()}),                        // 11
		entry(app.RunEnded, "r1", "", "", app.RunEndedBody{Status: app.StatusAborted, Unknown: []string{"eeeee"}}),
		entry(app.RunBegan, "r2", "", "", app.RunBeganBody{Request: "Later", Model: "m2"}),
		entry(app.CallStarted, "r2", "a", "orders.list", app.CallStartedBody{Input: seven}), // 14
	); err != nil {
		t.Fatal(err)
	}
	d.review = New(Config{Path: d.path, Log: log, Filters: filepath.Join(t.TempDir(), "filters.json"), Dialogs: d.dialog})
	t.Cleanup(func() {
		if err := d.review.Close(); err != nil {
			t.Error(err)
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	d.asked = map[string]app.Operation{}
	for _, o := range d.review.Operations() {
		d.asked[o.Name] = o
	}
	return d
}

// ask asks as the page does.
func (d *desk) ask(name, args string, into any) error {
	d.t.Helper()
	out, err := d.asked[name].Do(d.t.Context(), json.RawMessage(args))
	if err != nil {
		return err
	}
	return json.Unmarshal(marshal(d.t, out), into)
}

func (d *desk) must(name, args string, into any) {
	d.t.Helper()
	if err := d.ask(name, args, into); err != nil {
		d.t.Fatalf("%s %s: %v", name, args, err)
	}
}

func TestAPageHasOneRowPerCallInTheWordsOfTheCommandLine(t *testing.T) {
	d := newDesk(t)
	var p Page
	d.must("log.calls", `{"source":"","filter":{"run":"r1"},"before":0,"limit":10}`, &p)
	var got []string
	for _, r := range p.Rows {
		got = append(got, r.Fn+" | "+r.DecisionWords+" | "+r.OutcomeWords+" | "+r.Input)
	}
	want := []string{"mail.send |  | outcome unknown | {\"id\":7}", "orders.cancel |  | refused: ApprovalRequired | ",
		"orders.cancel | rejected by user | rejected | 8", "orders.cancel | approved by user | error: FunctionFailed | {\"id\":7}", "orders.list |  | ok | {\"who\":\"Zoë Müller\"}"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if p.Head != 14 || p.Rows[0].Request != "Cancel what Zoë ordered twice" || p.Rows[0].Model != "m1" {
		t.Errorf("head %d, %+v", p.Head, p.Rows[0])
	}
	var s Survey
	d.must("log.count", `{"source":"own","filter":{}}`, &s)
	if s.Count != 6 || len(s.Marks) != 0 {
		t.Errorf("%+v", s)
	}
}

// What lists the calls is kept beside the log; a reviewer must see the log all the
// same where nothing can be kept there.
func TestTheLogIsReadWhereNothingCanBeKeptBesideIt(t *testing.T) {
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(sqlite.CatalogFor(filepath.Join(folder, "log.db")), "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	var s Survey
	deskIn(t, folder).must("log.count", `{"source":"","filter":{}}`, &s)
	if s.Count != 6 {
		t.Errorf("%+v", s)
	}
}

func TestASearchMarksWhatItFound(t *testing.T) {
	d := newDesk(t)
	var p Page
	d.must("log.search", `{"source":"","filter":{"text":"zoe mull*"},"before":0,"limit":10}`, &p)
	if len(p.Rows) != 1 || len(p.Rows[0].Hits) != 1 {
		t.Fatalf("%+v", p.Rows)
	}
	hit := p.Rows[0].Hits[0]
	if hit.Part != "input" || len(hit.Pieces) != 3 || hit.Pieces[1] != (Piece{"Zoë Müller", true}) {
		t.Errorf("%+v", hit)
	}
	d.must("log.search", `{"source":"","filter":{"text":"ZOË"},"before":0,"limit":10}`, &p)
	if len(p.Rows) != 5 { // its request has it
		t.Errorf("%d rows", len(p.Rows))
	}
	if err := d.ask("log.search", `{"source":"","filter":{},"before":0,"limit":10}`, &p); app.CodeOf(err) != app.BadRequest {
		t.Errorf("without a text: %v", err)
	}
}

func TestADetailSaysWhatStandsOut(t *testing.T) {
	d := newDesk(t)
	for id, want := range map[int64]string{4: "Approved, but it failed", 5: "Rejected with a reason", 10: "Refused", 11: "Outcome unknown", 14: "Started, not settled", 2: ""} {
		var got Detail
		d.must("log.call", string(marshal(t, map[string]any{"source": "", "id": id})), &got)
		titles := []string{}
		for _, p := range got.Points {
			titles = append(titles, p.Title)
		}
		if strings.Join(titles, ", ") != want {
			t.Errorf("call %d: %v, want %s", id, titles, want)
		}
		for _, e := range got.Entries {
			if !e.Fits {
				t.Errorf("call %d: the hash of entry %d does not fit", id, e.Number)
			}
		}
	}
	var got Detail
	d.must("log.call", `{"source":"","id":9}`, &got) // by any of its entries
	if got.Row.ID != 4 || got.Line != 2 || len(got.Entries) != 4 || got.Same.State != "same" || got.Run.Began.Code != "one\ntwo\nthree" {
		t.Errorf("%+v", got)
	}
	if c := got.Card; c == nil || c.Title != "Cancel 2 orders?" || len(c.Rows) != 2 || c.Request != "Cancel what Zoë ordered twice" {
		t.Errorf("the card: %+v", got.Card)
	}
	if got.Input != "{\n  \"id\": 7\n}" || got.Error.Message != "it is cancelled already" {
		t.Errorf("input %q, error %+v", got.Input, got.Error)
	}
}

func TestAFindingIsNotedOnceTheOutcomeIsUnknownForGood(t *testing.T) {
	d := newDesk(t)
	note := func(id int64, finding string) error {
		var none struct{}
		return d.ask("log.note", string(marshal(t, map[string]any{"source": "", "id": id, "finding": finding, "reason": "asked the shop"})), &none)
	}
	for _, id := range []int64{2, 4, 14, 99} { // known, known, its run goes on, no call
		if err := note(id, "took effect"); app.CodeOf(err) != app.BadRequest {
			t.Errorf("call %d: %v", id, err)
		}
	}
	if err := note(11, "nonsense"); app.CodeOf(err) != app.BadRequest {
		t.Errorf("%v", err)
	}
	var before, after Ends
	d.must("log.ends", `{"source":""}`, &before)
	if err := note(11, "took effect"); err != nil {
		t.Fatal(err)
	}
	d.must("log.ends", `{"source":""}`, &after)
	if len(before.Unknown) != 1 || len(before.Runs) != 1 || len(after.Unknown) != 0 || len(after.Noted) != 1 {
		t.Errorf("before %+v, after %+v", before, after)
	}
	var got Detail
	d.must("log.call", `{"source":"","id":11}`, &got)
	if got.Row.Outcome != sqlite.Unknown || len(got.Notes) != 1 || got.Notes[0].Words != "noted: it took effect" || got.Notes[0].Reason != "asked the shop" {
		t.Errorf("%+v", got)
	}
	if report, err := d.log.Verify(t.Context()); err != nil || report.State != sqlite.Intact {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestVerifyingTellsAndHeadsCompare(t *testing.T) {
	d := newDesk(t)
	var v Verifying
	d.must("log.verify", `{"source":"","start":true,"key":"","since":0}`, &v)
	for v.Running {
		d.must("log.verify", string(marshal(t, map[string]any{"source": "", "start": false, "key": "", "since": v.Step})), &v)
	}
	if v.Report == nil || v.Report.State != sqlite.Intact || v.Meaning.Weight != "good" || v.Done != 14 {
		t.Fatalf("%+v", v)
	}
	var head HeadNote
	d.must("log.head", `{"source":""}`, &head)
	other := strings.Repeat("ab", 32)
	entries, err := d.log.Entries(t.Context(), sqlite.Filter{Number: 3})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		head.Text: "same",
		"entry 14, " + strings.ToUpper(head.Hash): "same",
		"3 " + entries[0].Hash:                    "goes on",
		"3 " + other:                              "differs",
		"15 " + other:                             "ends before",
		`{"log":"x","number":3,"hash":"` + entries[0].Hash + `"}`: "another log",
	} {
		var c Comparison
		d.must("log.compare", string(marshal(t, map[string]any{"source": "", "text": text})), &c)
		if c.Finding != want {
			t.Errorf("%s: %+v, want %s", text, c, want)
		}
	}
	var c Comparison
	if err := d.ask("log.compare", `{"source":"","text":"nothing"}`, &c); app.CodeOf(err) != app.BadRequest {
		t.Errorf("%v", err)
	}
}

func TestAnExportIsOpenedReadOnlyAndCannotBeWrittenTo(t *testing.T) {
	d := newDesk(t)
	d.dialog.path = filepath.Join(t.TempDir(), "some.jsonl")
	var done Exported
	d.must("log.export", `{"source":"","filter":{"run":"r1"},"format":"jsonl"}`, &done)
	if info, err := os.Stat(d.dialog.path); err != nil || info.Mode().Perm() != 0o600 || done.Calls != 5 || done.Entries != 12 || !done.Signed || done.Bytes != info.Size() {
		t.Fatalf("%+v, %v", done, err)
	}
	var opened struct{ Source *Source }
	d.must("log.open", `{}`, &opened)
	if opened.Source == nil || opened.Source.Kind != Export || !opened.Source.Partial {
		t.Fatalf("%+v", opened.Source)
	}
	id := opened.Source.ID
	var p Page
	d.must("log.calls", `{"source":"`+id+`","filter":{},"before":0,"limit":10}`, &p)
	if len(p.Rows) != 5 {
		t.Errorf("%d rows", len(p.Rows))
	}
	var none struct{}
	if err := d.ask("log.note", `{"source":"`+id+`","id":11,"finding":"took effect","reason":""}`, &none); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("a note: %v", err)
	}
	if err := d.ask("log.export", `{"source":"`+id+`","filter":{},"format":"csv"}`, &done); err == nil || !strings.Contains(err.Error(), "open here") {
		t.Errorf("over itself: %v", err)
	}
	d.dialog.path = d.path
	if err := d.ask("log.export", `{"source":"","filter":{},"format":"csv"}`, &done); err == nil || !strings.Contains(err.Error(), "open here") {
		t.Errorf("over the log: %v", err)
	}
	d.must("log.open", `{}`, &opened)
	if opened.Source.Kind != OwnLog {
		t.Errorf("the own log is opened as %s", opened.Source.Kind)
	}
	d.must("log.close", `{"source":"`+id+`"}`, &none)
	if err := d.ask("log.calls", `{"source":"`+id+`","filter":{},"before":0,"limit":10}`, &p); app.CodeOf(err) != app.BadRequest {
		t.Errorf("after closing: %v", err)
	}
	d.dialog.path = ""
	d.must("log.open", `{}`, &opened)
	if opened.Source != nil {
		t.Errorf("nothing was chosen: %+v", opened.Source)
	}
}

func TestFiltersAreSaved(t *testing.T) {
	d := newDesk(t)
	var list []SavedFilter
	d.must("log.filters.save", `{"name":" Refused ","filter":{"outcome":"refused","since":"7d"}}`, &list)
	d.must("log.filters.save", `{"name":"A","filter":{}}`, &list)
	d.must("log.filters.list", `{}`, &list)
	if len(list) != 2 || list[1].Name != "Refused" || list[1].Filter.Outcome != "refused" {
		t.Errorf("%+v", list)
	}
	if err := d.ask("log.filters.save", `{"name":"B","filter":{"since":"yesterday"}}`, &list); app.CodeOf(err) != app.BadRequest {
		t.Errorf("%v", err)
	}
	if err := d.ask("log.calls", `{"source":"","filter":{"outcome":"odd"},"before":0,"limit":10}`, &list); err == nil || !strings.Contains(err.Error(), "expected one of ok, error") {
		t.Errorf("%v", err)
	}
	d.must("log.filters.delete", `{"name":"A"}`, &list)
	if len(list) != 1 {
		t.Errorf("%+v", list)
	}
}

func TestStatsCountEachCallOnce(t *testing.T) {
	d := newDesk(t)
	var s Stats
	d.must("log.stats", `{"source":"","filter":{}}`, &s)
	if s.Calls != 6 || s.Runs != 2 || s.Approved != 1 || s.Rejected != 1 || s.Undecided != 4 || s.Outcomes["unknown"] != 2 || s.Waits.Decisions != 2 || s.Waits.MedianMs != 1500 {
		t.Errorf("%+v", s)
	}
	sum := int64(0)
	for _, span := range s.Activity.Spans {
		sum += span.Free + span.Approved + span.Rejected + span.Refused
	}
	if sum != s.Calls || s.Activity.Unit != "minute" {
		t.Errorf("%+v", s.Activity)
	}
}

func TestSpansWithoutCallsAreSeen(t *testing.T) {
	d := newDesk(t)
	var s Stats
	d.must("log.stats", `{"source":"","filter":{}}`, &s)
	for i, span := range s.Activity.Spans {
		at, err := time.Parse("2006-01-02T15:04", span.At)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && at.Format("15:04") == s.Activity.Spans[i-1].At[11:] {
			t.Errorf("%s stands there twice", span.At)
		}
	}
	if first, last := s.Activity.Spans[0].At, s.Activity.Spans[len(s.Activity.Spans)-1].At; first != "2026-11-29T10:02" || last != "2026-11-29T10:14" || len(s.Activity.Spans) != 13 {
		t.Errorf("%d spans from %s to %s", len(s.Activity.Spans), first, last)
	}
}

func TestACallThatWasNotDecidedWhenItsRunEndedDoesNotReadAsWaiting(t *testing.T) {
	d := newDesk(t)
	on := map[string]bool{"r3": true}
	d.review.config.On = func(runID string) bool { return on[runID] }
	add := func(kind app.Kind, id string, b any) {
		t.Helper()
		if err := d.log.Append(t.Context(), app.Entry{Kind: kind, RunID: "r3", CallID: id, Seq: len(id), Body: marshal(t, b)}); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(words string, open ...OpenRun) {
		t.Helper()
		var p Page
		d.must("log.calls", `{"source":"","filter":{"run":"r3"},"before":0,"limit":10}`, &p)
		if len(p.Rows) != 1 || p.Rows[0].OutcomeWords != words {
			t.Errorf("got %+v, want %q", p.Rows, words)
		}
		var ends Ends
		d.must("log.ends", `{"source":""}`, &ends)
		for i, run := range open {
			if ends.Runs[i].RunID != "r3" || ends.Runs[i].Words != run.Words || ends.Runs[i].Waiting != run.Waiting {
				t.Errorf("open: %+v, want %+v", ends.Runs[i], run)
			}
		}
		if len(open) == 0 && len(ends.Runs) != 1 { // r2
			t.Errorf("open: %+v", ends.Runs)
		}
	}
	add(app.RunBegan, "", app.RunBeganBody{})
	add(app.CallRequested, "c", app.CallRequestedBody{Input: app.Value("1")})
	expect("waiting", OpenRun{Words: "its card is open", Waiting: 1})
	on["r3"] = false // its end could not be logged
	expect("waiting", OpenRun{Words: "is over: that could not be logged, and is tried again"})
	add(app.RunEnded, "", app.RunEndedBody{Status: app.StatusError})
	expect("not decided, not run")
	add(app.CallDecided, "c", app.CallDecidedBody{Verdict: app.Reject, By: app.ByAborted})
	expect("rejected")
}
