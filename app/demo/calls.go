package demo

import (
	"encoding/json"
	"fmt"

	"github.com/faustine-ai/countersign/app"
)

// call is what the log says of one call of the scene.
type call struct {
	id, fn    string
	input     app.Value
	requested bool // it waited for a decision
	decisions []app.CallDecidedBody
	starts    int
	settled   *app.CallSettledBody
	refused   *app.CallRefusedBody
	// numbers of entries
	requestedAt, decidedAt, settledAt int64
}

// calls collects the calls of a log in the order of their first entries.
func calls(entries []app.Entry) []*call {
	var all []*call
	byID := map[string]*call{}
	for _, e := range entries {
		if e.CallID == "" {
			continue
		}
		c := byID[e.RunID+" "+e.CallID]
		if c == nil {
			c = &call{id: e.CallID, fn: e.Fn}
			byID[e.RunID+" "+e.CallID] = c
			all = append(all, c)
		}
		switch e.Kind {
		case app.CallRequested:
			c.requested, c.requestedAt = true, e.Number
			c.input = body[app.CallRequestedBody](e).Input
		case app.CallDecided:
			c.decisions, c.decidedAt = append(c.decisions, body[app.CallDecidedBody](e)), e.Number
		case app.CallStarted:
			c.starts++
			if c.input == nil {
				c.input = body[app.CallStartedBody](e).Input
			}
		case app.CallSettled:
			settled := body[app.CallSettledBody](e)
			c.settled, c.settledAt = &settled, e.Number
		case app.CallRefused:
			refused := body[app.CallRefusedBody](e)
			c.refused = &refused
		}
	}
	return all
}

// approved reports whether the call was decided, once, to run.
func (c *call) approved() bool {
	return len(c.decisions) == 1 && c.decisions[0].Verdict == app.Approve
}

func (c *call) succeeded() bool { return c.settled != nil && c.settled.Error == nil }

// order is the id of the order that the call is about, or 0.
func (c *call) order() int64 {
	return read[struct {
		ID int64 `json:"id"`
	}](c.input).ID
}

// read reads an input; what does not fit stays empty.
func read[T any](input app.Value) (v T) {
	_ = json.Unmarshal(input, &v)
	return v
}

func (c *call) outcome() string {
	decided := "not decided"
	if len(c.decisions) > 0 {
		d := c.decisions[len(c.decisions)-1]
		decided = map[app.Verdict]string{app.Approve: "approved", app.Reject: "rejected"}[d.Verdict] + " by " + string(d.By)
		switch d.By { // nobody decided these
		case app.ByClosed:
			decided = "rejected: card closed"
		case app.ByAborted:
			decided = "rejected: run stopped"
		}
		if d.Reason != "" {
			decided += " (" + d.Reason + ")"
		}
	}
	switch {
	case c.settled != nil && c.settled.Error != nil:
		return fmt.Sprintf("%s, failed: %s", decided, c.settled.Error.Message)
	case c.settled != nil:
		return fmt.Sprintf("%s, ran: %s", decided, c.settled.Value)
	case c.refused != nil:
		return fmt.Sprintf("%s, refused: %s", decided, c.refused.Message)
	case c.starts > 0:
		return decided + ", outcome unknown"
	}
	return decided + ", did not run"
}
