package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// logCall is a call as json, jsonl and csv give it. Times are UTC in RFC 3339.
type logCall struct {
	ID       int64          `json:"id"` // number of its first entry
	At       string         `json:"at"`
	RunID    string         `json:"runId"`
	CallID   string         `json:"callId"`
	Seq      int            `json:"seq"`
	Fn       string         `json:"fn"`
	Input    app.Value      `json:"input"` // null: the log has none
	Decision *logDecision   `json:"decision"`
	Outcome  sqlite.Outcome `json:"outcome"`
	Value    app.Value      `json:"value,omitempty"`
	Error    *app.Reason    `json:"error,omitempty"`
	Ms       float64        `json:"ms,omitempty"`
}

type logDecision struct {
	Verdict  app.Verdict `json:"verdict"`
	By       app.Decider `json:"by"`
	Reason   string      `json:"reason,omitempty"`
	Shown    string      `json:"shown,omitempty"`
	WaitedMs int64       `json:"waitedMs"`
}

const wireTime = "2006-01-02T15:04:05.000Z"

func newLogCall(c sqlite.Call) (logCall, error) {
	out := logCall{ID: c.Number, At: c.First().At.UTC().Format(wireTime), RunID: c.RunID, CallID: c.CallID, Seq: c.Seq, Fn: c.Fn,
		Input: c.Input(), Outcome: c.Outcome()}
	if c.Decided != nil {
		d := c.Decision()
		out.Decision = &logDecision{d.Verdict, d.By, d.Reason, d.Shown, d.WaitedMs}
	}
	switch {
	case c.Settled != nil:
		var body app.CallSettledBody
		if err := json.Unmarshal(c.Settled.Body, &body); err != nil {
			return out, fmt.Errorf("entry %d cannot be read: %w", c.Settled.Number, err)
		}
		out.Value, out.Error, out.Ms = body.Value, body.Error, body.Ms
	case c.Refused != nil:
		var body app.CallRefusedBody
		if err := json.Unmarshal(c.Refused.Body, &body); err != nil {
			return out, fmt.Errorf("entry %d cannot be read: %w", c.Refused.Number, err)
		}
		out.Error = &app.Reason{Name: string(body.Code), Message: body.Message}
	}
	return out, nil
}

// decision is the decision in a few words.
func (c logCall) decision() string {
	if c.Decision == nil {
		return ""
	}
	words := map[app.Verdict]string{app.Approve: "approved", app.Reject: "rejected"}
	switch c.Decision.By { // nobody decided these
	case app.ByClosed:
		return words[c.Decision.Verdict] + ": card closed"
	case app.ByAborted:
		return words[c.Decision.Verdict] + ": run stopped"
	}
	return words[c.Decision.Verdict] + " by " + string(c.Decision.By)
}

// outcome is the outcome in a few words.
func (c logCall) outcome() string {
	switch {
	case c.Outcome == sqlite.Unknown:
		return "outcome unknown"
	case c.Outcome == sqlite.Approved:
		return "approved, not run"
	case c.Error != nil:
		return string(c.Outcome) + ": " + c.Error.Name
	}
	return string(c.Outcome)
}

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
func local(at time.Time) string { return at.Local().Format("2006-01-02 15:04:05 -07:00") }

// localOf is local for a time as json has it.
func localOf(wire string) string {
	at, err := time.Parse(wireTime, wire)
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
