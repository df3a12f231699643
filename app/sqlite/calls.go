package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/faustine-ai/countersign/app"
)

// Outcome is how far a call came.
type Outcome string

const (
	Waiting  Outcome = "waiting"  // requested, not decided, and its run has not ended
	Rejected Outcome = "rejected" // it did not run: it was rejected, or its run ended before it was decided
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
	Noted                                         *app.Entry // the last finding that a person has noted
	RunEnded                                      bool       // known where it was requested
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
	case c.Decided == nil && !c.RunEnded:
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

// each goes through the calls that a filter chooses, oldest first.
func each(ctx context.Context, db *sql.DB, f Filter, yield func(Call) error) (err error) {
	with, from, text, args := "", "entries e", "", []any(nil)
	if f.Text != "" {
		match := phrase(f.Text)
		if match == "" || !canSearch(ctx, db) {
			text, args = textCondition(f.Text)
		} else {
			defer func() { err = searchFault(err) }()
			often, err := common(ctx, db, match)
			if err != nil {
				return err
			}
			if often && f.Limit > 0 {
				firsts, err := newest(ctx, db, f, match)
				if err != nil {
					return err
				}
				text = "e.number IN (" + strings.Trim(strings.ReplaceAll(fmt.Sprint(firsts), " ", ","), "[]") + ")"
			} else {
				args = append([]any{match}, wanted(f.Text)...)
				with, from = hits, `hit CROSS JOIN entries e ON e.run_id = hit.run_id AND e.call_id = hit.call_id AND hit.only_number IN (0, e.number)`
			}
		}
	}
	where, more := f.where(true)
	if text != "" {
		where = text + " AND " + where
	}
	return eachWhere(ctx, db, with, from, where, append(args, more...), f.Limit, yield)
}

// isFirst says that an entry, aliased e, is the first of a call. The unary + keeps
// SQLite from reading by kind, which would sort the whole log.
const isFirst = `+e.kind IN ('call.requested','call.decided','call.started','call.settled','call.refused')
	AND (e.call_id = '' OR NOT EXISTS (SELECT 1 FROM entries p WHERE p.run_id = e.run_id AND p.call_id = e.call_id AND p.number < e.number))`

// runEnded says, where an entry, aliased x, requests a call, whether the run of it has ended.
const runEnded = `(x.kind = 'call.requested' AND EXISTS (SELECT 1 FROM entries z WHERE z.kind = 'run.ended' AND z.run_id = x.run_id))`

// eachWhere goes through the calls whose first entry, aliased e, fulfils where.
// Attempts without a call id stand for themselves.
func eachWhere(ctx context.Context, db *sql.DB, with, from, where string, args []any, limit int, yield func(Call) error) error {
	chosen := with + `SELECT e.number AS first, e.run_id AS run_id, e.call_id AS call_id FROM ` + from + `
		WHERE ` + isFirst + " AND " + where + ` ORDER BY e.number`
	if limit > 0 {
		chosen += " DESC LIMIT ?"
		args = append(args, limit)
	}
	var call Call
	err := scanWith(ctx, db, "SELECT x.number, x.at, x.kind, x.run_id, x.call_id, x.seq, x.fn, x.body, x.previous, x.hash, "+runEnded+" FROM ("+chosen+`) c
		CROSS JOIN entries x ON (c.call_id <> '' AND x.run_id = c.run_id AND x.call_id = c.call_id) OR (c.call_id = '' AND x.number = c.first)
		WHERE x.kind LIKE 'call.%' ORDER BY c.first, x.number`, args, func(e app.Entry, ended []int64) error {
		if call.Number != 0 && (e.CallID == "" || call.RunID != e.RunID || call.CallID != e.CallID) {
			if err := yield(call); err != nil {
				return err
			}
			call = Call{}
		}
		if call.Number == 0 {
			call = Call{Number: e.Number, RunID: e.RunID, CallID: e.CallID, Fn: e.Fn, Seq: e.Seq}
		}
		call.add(&e)
		call.RunEnded = call.RunEnded || ended[0] != 0
		return nil
	})
	if err == nil && call.Number != 0 {
		err = yield(call)
	}
	return err
}

func calls(ctx context.Context, db *sql.DB, f Filter) (out []Call, err error) {
	err = each(ctx, db, f, func(c Call) error {
		out = append(out, c)
		return nil
	})
	return out, err
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
	case app.CallNoted:
		c.Noted = e
	}
}
