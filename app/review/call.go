package review

import (
	"encoding/json"
	"fmt"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// Call is a call as exports and the command line give it, with all that the log
// has of its input and result. Times are UTC in RFC 3339.
type Call struct {
	ID       int64          `json:"id"` // number of its first entry
	At       string         `json:"at"`
	RunID    string         `json:"runId"`
	CallID   string         `json:"callId"`
	Seq      int            `json:"seq"`
	Fn       string         `json:"fn"`
	Input    app.Value      `json:"input"` // null: the log has none
	Decision *Decision      `json:"decision"`
	Outcome  sqlite.Outcome `json:"outcome"`
	Value    app.Value      `json:"value,omitempty"`
	Error    *app.Reason    `json:"error,omitempty"`
	Ms       float64        `json:"ms,omitempty"`
	Noted    *Noted         `json:"noted,omitempty"`
}

// Decision is how a call was decided.
type Decision struct {
	Verdict  app.Verdict `json:"verdict"`
	By       app.Decider `json:"by"`
	Reason   string      `json:"reason,omitempty"`
	Shown    string      `json:"shown,omitempty"` // the title of its card
	WaitedMs int64       `json:"waitedMs"`
}

// Noted is what a person has found out about a call whose outcome is unknown.
type Noted struct {
	Finding app.Finding `json:"finding"`
	Reason  string      `json:"reason,omitempty"`
	At      string      `json:"at"`
}

// WireTime is how times are written in json, jsonl and csv.
const WireTime = "2006-01-02T15:04:05.000Z"

// NewCall reads what the log has about a call.
func NewCall(c sqlite.Call) (Call, error) {
	out := Call{ID: c.Number, At: c.First().At.UTC().Format(WireTime), RunID: c.RunID, CallID: c.CallID, Seq: c.Seq, Fn: c.Fn,
		Input: c.Input(), Outcome: c.Outcome()}
	if c.Decided != nil {
		d := c.Decision()
		out.Decision = &Decision{d.Verdict, d.By, d.Reason, d.Shown, d.WaitedMs}
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
	if c.Noted != nil {
		var body app.CallNotedBody
		if err := json.Unmarshal(c.Noted.Body, &body); err != nil {
			return out, fmt.Errorf("entry %d cannot be read: %w", c.Noted.Number, err)
		}
		out.Noted = &Noted{body.Finding, body.Reason, c.Noted.At.UTC().Format(WireTime)}
	}
	return out, nil
}

// DecisionWords is the decision in a few words; "" where there was none.
func (c Call) DecisionWords() string {
	if c.Decision == nil {
		return ""
	}
	return DecisionWords(c.Decision.Verdict, c.Decision.By)
}

// OutcomeWords is how far the call came in a few words.
func (c Call) OutcomeWords() string {
	failure := ""
	if c.Error != nil {
		failure = c.Error.Name
	}
	var verdict app.Verdict
	if c.Decision != nil {
		verdict = c.Decision.Verdict
	}
	return OutcomeWords(c.Outcome, verdict, failure)
}

// Ran reports whether the call settled, so that Ms says how long it took.
func (c Call) Ran() bool { return c.Outcome == sqlite.OK || c.Outcome == sqlite.Failed }
