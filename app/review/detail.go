package review

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
	"github.com/faustine-ai/countersign/app/value"
)

// Run is what the log has of one run.
type Run struct {
	RunID   string            `json:"runId"`
	Began   *app.RunBeganBody `json:"began"` // nil: no entry of this log began it
	At      string            `json:"at"`
	Ended   *app.RunEndedBody `json:"ended"` // nil: it has not ended
	EndedAt string            `json:"endedAt,omitempty"`
	// Pauses are when its card was open as the page or the app went, and when it was shown again.
	Pauses []Pause   `json:"pauses"`
	Calls  []RunCall `json:"calls"`
}

// Pause is one run.suspended or run.resumed.
type Pause struct {
	At   string   `json:"at"`
	Kind app.Kind `json:"kind"`
}

// RunCall is a call of a run with the times of its entries, for drawing them.
type RunCall struct {
	Row
	Line        int    `json:"line,omitempty"` // of the program; 0: not known
	Card        string `json:"card,omitempty"` // id; calls that were shown together share it
	RequestedAt string `json:"requestedAt,omitempty"`
	DecidedAt   string `json:"decidedAt,omitempty"`
	StartedAt   string `json:"startedAt,omitempty"`
	SettledAt   string `json:"settledAt,omitempty"`
}

// Entry is an entry as it is stored, laid out.
type Entry struct {
	Number   int64    `json:"number"`
	At       string   `json:"at"`
	Kind     app.Kind `json:"kind"`
	Body     string   `json:"body"` // indented JSON
	Previous string   `json:"previous"`
	Hash     string   `json:"hash"`
	Fits     bool     `json:"fits"` // the hash is that of what the entry says
}

// Detail is all about one call.
type Detail struct {
	Row      Row          `json:"row"`
	Line     int          `json:"line,omitempty"` // of the program; 0: not known
	Input    string       `json:"input"`          // in full, laid out; "": the log has none
	Value    string       `json:"value"`          // its result in full; "": there is none
	Error    *app.Reason  `json:"error,omitempty"`
	Decision *Decision    `json:"decision,omitempty"`
	Reason   string       `json:"reason,omitempty"` // in full
	Card     *Card        `json:"card,omitempty"`   // as it was shown
	Same     Sameness     `json:"same"`
	Notes    []DetailNote `json:"notes"`
	Points   []Point      `json:"points"` // what stands out
	Entries  []Entry      `json:"entries"`
	Run      *Run         `json:"run,omitempty"` // nil: it belongs to none
	Noted    *Noted       `json:"noted,omitempty"`
}

// DetailNote is a finding that a person noted.
type DetailNote struct {
	Noted
	Words string `json:"words"`
}

// Card is the card that a call was decided on, as far as the log has it.
type Card struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Request string `json:"request"` // the person's own words, shown as context
	Rows    []Row  `json:"rows"`    // all calls that it showed
}

// Sameness says whether what was shown is what ran.
type Sameness struct {
	State  string `json:"state"` // same, differs, not known
	Text   string `json:"text"`
	Digest string `json:"digest,omitempty"`
}

// Point is something that stands out about a call.
type Point struct {
	Weight string `json:"weight"` // bad, doubt, plain
	Title  string `json:"title"`
	Text   string `json:"text"`
}

// detail gives all about the call that an entry belongs to.
func (s *source) detail(ctx context.Context, entry int64) (*Detail, error) {
	number, err := s.catalog.Find(ctx, entry)
	if err != nil {
		return nil, err
	}
	if number == 0 {
		return nil, app.Errorf(app.BadRequest, "no call has the number %d in this log", entry)
	}
	list, err := rows(ctx, s.catalog, []int64{number}, "")
	if err != nil {
		return nil, err
	}
	whole, err := s.catalog.Whole(ctx, []int64{number})
	if err != nil {
		return nil, err
	}
	if len(list) != 1 || len(whole) != 1 {
		return nil, app.Errorf(app.BadRequest, "the call %d is not in this log any more", number)
	}
	call, err := NewCall(whole[0])
	if err != nil {
		return nil, err
	}
	d := &Detail{Row: list[0], Error: call.Error, Decision: call.Decision, Noted: call.Noted, Notes: []DetailNote{}, Same: sameness(whole[0])}
	if call.Input != nil {
		d.Input = value.Pretty(call.Input)
	} else if whole[0].Requested != nil {
		var body app.CallRequestedBody
		if json.Unmarshal(whole[0].Requested.Body, &body) == nil {
			d.Input = body.Text // it was no value
		}
	}
	if call.Outcome == sqlite.OK {
		d.Value = value.Pretty(call.Value)
	}
	if call.Decision != nil {
		d.Reason = call.Decision.Reason
	}
	d.Line = lineOf(whole[0])
	if err := s.entries(ctx, d, whole[0]); err != nil {
		return nil, err
	}
	if d.Row.RunID != "" {
		if d.Run, err = s.run(ctx, d.Row.RunID); err != nil {
			return nil, err
		}
		d.Card = card(d, whole[0])
	}
	d.Points = points(d)
	return d, nil
}

func lineOf(c sqlite.Call) int {
	var body app.CallRequestedBody
	if c.Requested == nil || json.Unmarshal(c.Requested.Body, &body) != nil {
		return 0
	}
	return body.Line
}

// entries adds the entries of the call, all of them, in order.
func (s *source) entries(ctx context.Context, d *Detail, c sqlite.Call) error {
	filter := sqlite.Filter{RunID: c.RunID, CallID: c.CallID}
	if c.CallID == "" {
		filter = sqlite.Filter{Number: c.Number}
	}
	found, err := s.catalog.Log().Entries(ctx, filter)
	if err != nil {
		return err
	}
	for _, e := range found {
		d.Entries = append(d.Entries, newEntry(e))
		var noted app.CallNotedBody
		if e.Kind == app.CallNoted && json.Unmarshal(e.Body, &noted) == nil {
			d.Notes = append(d.Notes, DetailNote{Noted{noted.Finding, noted.Reason, e.At.UTC().Format(WireTime)}, FindingWords(noted.Finding)})
		}
	}
	return nil
}

func newEntry(e app.Entry) Entry {
	body := string(e.Body)
	if text, err := json.MarshalIndent(json.RawMessage(e.Body), "", "  "); err == nil {
		body = string(text)
	}
	return Entry{e.Number, e.At.UTC().Format(WireTime), e.Kind, body, e.Previous, e.Hash, sqlite.Fits(e)}
}

// maxRunCalls bounds the calls of a run that are listed.
const maxRunCalls = 5000

// run gives what the log has of a run.
func (s *source) run(ctx context.Context, id string) (*Run, error) {
	entries, err := s.catalog.Log().RunEntries(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, app.Errorf(app.BadRequest, "this log has no run %.60q", id)
	}
	run := &Run{RunID: id, Pauses: []Pause{}, Calls: []RunCall{}, At: entries[0].At.UTC().Format(WireTime)}
	for _, e := range entries {
		at := e.At.UTC().Format(WireTime)
		switch e.Kind {
		case app.RunBegan:
			run.Began, run.At = &app.RunBeganBody{}, at
			err = json.Unmarshal(e.Body, run.Began)
		case app.RunEnded:
			run.Ended, run.EndedAt = &app.RunEndedBody{}, at
			err = json.Unmarshal(e.Body, run.Ended)
		case app.RunSuspended, app.RunResumed:
			run.Pauses = append(run.Pauses, Pause{at, e.Kind})
		}
		if err != nil {
			return nil, fmt.Errorf("entry %d cannot be read: %w", e.Number, err)
		}
	}
	numbers, err := s.catalog.Numbers(ctx, sqlite.Filter{RunID: id}, 0, maxRunCalls)
	if err != nil {
		return nil, err
	}
	slices.Reverse(numbers)
	list, err := rows(ctx, s.catalog, numbers, "")
	if err != nil {
		return nil, err
	}
	times, err := s.catalog.Times(ctx, numbers)
	if err != nil {
		return nil, err
	}
	for i, row := range list {
		t := times[i]
		run.Calls = append(run.Calls, RunCall{row, t.Line, t.Card, t.Requested, t.Decided, t.Started, t.Settled})
	}
	return run, nil
}

// card puts together what the card showed: every call that was decided on it.
func card(d *Detail, c sqlite.Call) *Card {
	decided := c.Decision()
	if decided.Card == "" && decided.Shown == "" {
		return nil
	}
	out := &Card{ID: decided.Card, Title: decided.Shown, Rows: []Row{}}
	if d.Run.Began != nil {
		out.Request = d.Run.Began.Request
	}
	for _, other := range d.Run.Calls {
		if other.Row.ID == d.Row.ID || decided.Card != "" && other.Card == decided.Card {
			out.Rows = append(out.Rows, other.Row)
		}
	}
	return out
}

// sameness compares the digests of what was requested, shown and run.
func sameness(c sqlite.Call) Sameness {
	read := func(e *app.Entry) string {
		var body struct{ Digest string }
		if e == nil || json.Unmarshal(e.Body, &body) != nil {
			return ""
		}
		return body.Digest
	}
	requested, decided, started := read(c.Requested), read(c.Decided), read(c.Started)
	switch {
	case c.Started == nil:
		return Sameness{State: "not known", Text: "Nothing ran.", Digest: requested}
	case requested == "" && decided == "":
		return Sameness{State: "not known", Text: "Nothing was shown: this call needed no approval.", Digest: started}
	case requested == decided && decided == started && started != "":
		return Sameness{"same", "What was asked for, shown and run is the same input: the log has one digest in all three entries.", started}
	}
	return Sameness{State: "differs", Text: fmt.Sprintf("The digests differ: asked for %.16s…, shown %.16s…, run %.16s….", requested, decided, started)}
}

// points says what stands out.
func points(d *Detail) []Point {
	out := []Point{}
	add := func(weight, title, format string, args ...any) {
		out = append(out, Point{weight, title, fmt.Sprintf(format, args...)})
	}
	switch d.Row.Outcome {
	case sqlite.Failed:
		if d.Row.Verdict == app.Approve {
			add("bad", "Approved, but it failed", "It was approved and ran, and ended with %s.", d.Row.OutcomeWords)
		} else {
			add("bad", "It failed", "It ran and ended with %s.", d.Row.OutcomeWords)
		}
	case sqlite.Unknown:
		if d.Row.RunOpen {
			add("doubt", "Started, not settled", "Its run has not ended: it may still be at work, or the app was not closed in order and has not been started since.")
		} else {
			add("bad", "Outcome unknown", "It had started, and the log does not have how it ended: nobody knows whether it took effect, and it is never run again by itself. Look at what %s would have changed for the input below, then note what you find.", d.Row.Fn)
		}
	case sqlite.Rejected:
		switch d.Row.By {
		case "":
			add("doubt", "Not decided, not run", "Its run ended, and the log has no decision of it: it did not run, and nothing waits.")
		case app.ByClosed, app.ByAborted:
			add("plain", "Rejected without a decision", "%s. It did not run.", d.Row.DecisionWords)
		default:
			if d.Reason != "" {
				add("plain", "Rejected with a reason", "“%s”. It did not run.", d.Reason)
			} else {
				add("plain", "Rejected", "No reason was given. It did not run.")
			}
		}
	case sqlite.Refused:
		add("bad", "Refused", "Nobody was asked, and it did not run: %s.", d.Row.OutcomeWords)
	case sqlite.Waiting:
		add("doubt", "Waiting", "Nobody has decided it. It has not run.")
	case sqlite.Approved:
		add("doubt", "Approved, not run", "It was approved, and the program did not reach it: it did not run.")
	}
	if d.Same.State == "differs" {
		add("bad", "What ran is not what was shown", "%s", d.Same.Text)
	}
	for _, e := range d.Entries {
		if !e.Fits {
			add("bad", "An entry was changed", "The hash of entry %d is not that of what it says.", e.Number)
		}
	}
	return out
}
