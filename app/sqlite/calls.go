package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/faustine-ai/countersign/app"
)

// Outcome is how far a call came.
type Outcome string

const (
	Waiting  Outcome = "waiting"  // requested, not decided
	Rejected Outcome = "rejected" // it did not run
	Approved Outcome = "approved" // it has not run (yet)
	Refused  Outcome = "refused"  // the gate or dispatch refused it; it did not run
	Unknown  Outcome = "unknown"  // started, and nobody knows how it ended
	OK       Outcome = "ok"
	Failed   Outcome = "error"
)

// Call is all that the log has about one call, or about one refused attempt
// that belongs to none. Number is that of its first entry.
type Call struct {
	Number                                        int64
	RunID, CallID, Fn                             string
	Seq                                           int
	Requested, Decided, Started, Settled, Refused *app.Entry
}

// Outcome reads how far the call came.
func (c Call) Outcome() Outcome {
	switch {
	case c.Settled != nil:
		var body app.CallSettledBody
		if json.Unmarshal(c.Settled.Body, &body) == nil && body.Error == nil {
			return OK
		}
		return Failed
	case c.Started != nil:
		return Unknown
	case c.Refused != nil:
		return Refused
	case c.Decided == nil:
		return Waiting
	case c.Decision().Verdict == app.Approve:
		return Approved
	}
	return Rejected
}

// Decision reads how the call was decided; its zero value when it was not.
func (c Call) Decision() app.CallDecidedBody {
	var body app.CallDecidedBody
	if c.Decided == nil || json.Unmarshal(c.Decided.Body, &body) != nil {
		return app.CallDecidedBody{}
	}
	return body
}

// Input is the input of the call, or nil where the log has none.
func (c Call) Input() app.Value {
	for _, e := range []*app.Entry{c.Requested, c.Started, c.Refused} {
		if e == nil {
			continue
		}
		var body struct{ Input app.Value }
		if json.Unmarshal(e.Body, &body) == nil && len(body.Input) > 0 && body.Input.String() != "null" {
			return body.Input
		}
		// A null input is one, too; it is told from none by its digest.
		var digest struct{ Digest app.Digest }
		if json.Unmarshal(e.Body, &digest) == nil && digest.Digest == app.Value("null").Digest() {
			return app.Value("null")
		}
	}
	return nil
}

// First is the call's first entry.
func (c Call) First() app.Entry {
	for _, e := range []*app.Entry{c.Requested, c.Started, c.Refused, c.Decided, c.Settled} {
		if e != nil && e.Number == c.Number {
			return *e
		}
	}
	return app.Entry{Number: c.Number}
}

func calls(ctx context.Context, db *sql.DB, f Filter) ([]Call, error) {
	where, args := f.where()
	return readCalls(ctx, db, where, args, f.Limit)
}

// readCalls reads the calls of which an entry, aliased e, fulfils where.
// Attempts without a call id stand for themselves.
func readCalls(ctx context.Context, db *sql.DB, where string, args []any, limit int) ([]Call, error) {
	chosen := `SELECT min(e.number) AS first, e.run_id, e.call_id FROM entries e
		WHERE e.kind IN ('call.requested','call.decided','call.started','call.settled','call.refused') AND ` + where + `
		GROUP BY e.run_id, e.call_id, CASE WHEN e.call_id = '' THEN e.number ELSE 0 END`
	if limit > 0 {
		chosen += " ORDER BY first DESC LIMIT ?"
		args = append(args, limit)
	}
	all, err := scan(ctx, db, "SELECT x.number, x.at, x.kind, x.run_id, x.call_id, x.seq, x.fn, x.body, x.previous, x.hash FROM ("+chosen+`) c
		JOIN entries x ON x.run_id = c.run_id AND x.call_id = c.call_id AND (x.call_id <> '' OR x.number = c.first)
		WHERE x.kind LIKE 'call.%' ORDER BY c.first, x.number`, args)
	if err != nil {
		return nil, err
	}
	var out []Call
	for i := range all {
		e := &all[i]
		if n := len(out); n == 0 || e.CallID == "" || out[n-1].RunID != e.RunID || out[n-1].CallID != e.CallID {
			out = append(out, Call{Number: e.Number, RunID: e.RunID, CallID: e.CallID, Fn: e.Fn, Seq: e.Seq})
		}
		out[len(out)-1].add(e)
	}
	return out, nil
}

func (c *Call) add(e *app.Entry) {
	switch e.Kind {
	case app.CallRequested:
		c.Requested = e
	case app.CallDecided:
		c.Decided = e
	case app.CallStarted:
		c.Started = e
	case app.CallSettled:
		c.Settled = e
	case app.CallRefused:
		c.Refused = e
	}
}
