package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/faustine-ai/countersign/app"
)

// closeDangling ends, by entries, the runs that an earlier process left open: it
// crashed or was killed. Calls that waited are rejected as aborted. A call that
// had started and not settled stays as it is, outcome unknown: it is named in
// run.ended and never run again.
func (l *Log) closeDangling(ctx context.Context) error {
	runs, err := openRuns(ctx, l.db)
	if err != nil {
		return err
	}
	var entries []app.Entry
	for _, run := range runs {
		var unknown []string
		err := each(ctx, l.db, Filter{RunID: run}, func(c Call) error {
			if c.Requested != nil && c.Decided == nil {
				entries = append(entries, entryWith(app.Entry{Kind: app.CallDecided, RunID: run, CallID: c.CallID, Seq: c.Seq, Fn: c.Fn},
					app.CallDecidedBody{Verdict: app.Reject, By: app.ByAborted, Reason: "the app ended before this was decided"}))
			}
			if c.Started != nil && c.Settled == nil {
				unknown = append(unknown, c.CallID)
			}
			return nil
		})
		if err != nil {
			return err
		}
		entries = append(entries, entryWith(app.Entry{Kind: app.RunEnded, RunID: run}, app.RunEndedBody{
			Status: app.StatusAborted, Unknown: unknown,
			Error: &app.Reason{Name: "Aborted", Message: "the app ended before the run did; noted when it started again"}}))
	}
	if len(entries) == 0 {
		return nil
	}
	return l.commitAlone(ctx, entries...)
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
