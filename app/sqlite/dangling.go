package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/faustine-ai/countersign/app"
)

const noted = "; noted when it started again"

// closeDangling settles what an earlier process left open: it crashed or was
// killed. A run whose card waited, and of which everything is kept that it needs
// to go on, waits on: nothing of it is decided. Any other ends, by entries; its
// calls that waited are rejected as aborted. A call that had started and not
// settled stays as it is, outcome unknown: it is named in run.ended and never
// run again.
func (l *Log) closeDangling(ctx context.Context) error {
	runs, err := openRuns(ctx, l.db)
	if err != nil {
		return err
	}
	shelf := shelf{WaitingFor(l.path)}
	waiting := map[string]bool{}
	var entries []app.Entry
	for _, run := range runs {
		var calls []Call
		err := each(ctx, l.db, Filter{RunID: run}, func(c Call) error {
			calls = append(calls, c)
			return nil
		})
		if err != nil {
			return err
		}
		kept, err := shelf.Read(ctx, run)
		same := false
		if err == nil {
			if same, err = sameRun(ctx, l.db, kept.Run); err != nil {
				return err
			}
		}
		if same && waits(kept, calls) {
			waiting[run] = true
			last, err := lastKind(ctx, l.db, run)
			if err != nil {
				return err
			}
			if last != app.RunSuspended {
				entries = append(entries, suspended(kept))
			}
			continue
		}
		why := "the app ended before the run did"
		if err != nil && app.CodeOf(err) != app.NotWaiting {
			why += ", and " + err.Error()
		}
		entries = append(entries, ending(run, calls, why+noted)...)
	}
	if len(entries) > 0 {
		if err := l.commitAlone(ctx, entries...); err != nil {
			return err
		}
	}
	return shelf.tidy(waiting) // after the log has it: the log decides what is over
}

// waits reports whether the log agrees that a run waits: each row that was kept
// has been requested and not decided, and no other call is open.
func waits(kept app.WaitingRun, calls []Call) bool {
	rows := map[string]app.WaitingRow{}
	for _, r := range kept.Rows {
		rows[r.CallID] = r
	}
	for _, c := range calls {
		row, isRow := rows[c.CallID]
		switch {
		case isRow:
			if c.Outcome() != Waiting || c.Seq != row.Seq || c.Fn != row.Fn || row.Input.Digest() != row.Digest {
				return false
			}
			var requested struct{ Digest app.Digest } // no text where the input has secrets
			if json.Unmarshal(c.Requested.Body, &requested) == nil && requested.Digest != row.Digest {
				return false
			}
			delete(rows, c.CallID)
		case c.Outcome() == Waiting, c.Outcome() == Unknown:
			return false
		}
	}
	return len(kept.Rows) > 0 && len(rows) == 0
}

// sameRun reports whether the log began this very run.
func sameRun(ctx context.Context, db *sql.DB, run app.Run) (bool, error) {
	var text string
	err := db.QueryRowContext(ctx, "SELECT body FROM entries WHERE kind = ? AND run_id = ?", app.RunBegan, run.ID).Scan(&text)
	if err != nil {
		return false, fmt.Errorf("reading the log: %w", err)
	}
	var began app.RunBeganBody
	if err := json.Unmarshal([]byte(text), &began); err != nil {
		return false, nil // no entry of ours, so nothing that could go on
	}
	return began.Request == run.Request && began.Code == run.Code && began.Model == run.Model, nil
}

func suspended(kept app.WaitingRun) app.Entry {
	body := app.RunSuspendedBody{Reason: "the app ended while this waited for a decision" + noted}
	for _, r := range kept.Rows {
		body.Waiting = append(body.Waiting, r.CallID)
	}
	return entryWith(app.Entry{Kind: app.RunSuspended, RunID: kept.ID}, body)
}

func ending(run string, calls []Call, why string) (entries []app.Entry) {
	var unknown []string
	for _, c := range calls {
		if c.Requested != nil && c.Decided == nil {
			entries = append(entries, entryWith(app.Entry{Kind: app.CallDecided, RunID: run, CallID: c.CallID, Seq: c.Seq, Fn: c.Fn},
				app.CallDecidedBody{Verdict: app.Reject, By: app.ByAborted, Reason: "the app ended before this was decided"}))
		}
		if c.Started != nil && c.Settled == nil {
			unknown = append(unknown, c.CallID)
		}
	}
	return append(entries, entryWith(app.Entry{Kind: app.RunEnded, RunID: run}, app.RunEndedBody{
		Status: app.StatusAborted, Unknown: unknown, Error: &app.Reason{Name: "Aborted", Message: why}}))
}

func lastKind(ctx context.Context, db *sql.DB, run string) (kind app.Kind, err error) {
	err = db.QueryRowContext(ctx, "SELECT kind FROM entries WHERE run_id = ? ORDER BY number DESC LIMIT 1", run).Scan(&kind)
	return kind, err
}

func openRuns(ctx context.Context, db *sql.DB) (runs []string, err error) {
	rows, err := db.QueryContext(ctx, `SELECT run_id FROM entries AS began WHERE kind = ?
		AND NOT EXISTS (SELECT 1 FROM entries WHERE kind = ? AND run_id = began.run_id) ORDER BY number`, app.RunBegan, app.RunEnded)
	if err != nil {
		return nil, fmt.Errorf("reading the log: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var run string
		if err := rows.Scan(&run); err != nil {
			return nil, fmt.Errorf("reading the log: %w", err)
		}
		runs = append(runs, run)
	}
	return runs, rows.Err()
}
