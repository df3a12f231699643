package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// fillEvery is how many entries one step of filling takes.
const fillEvery = 20_000

// Fill brings the catalog up to the last entry of the log, and returns that.
func (c *Catalog) Fill(ctx context.Context) (Head, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing.Load() {
		return Head{}, fault(ErrClosed, "the log %s is closed, since the app is ending", c.log.path)
	}
	head, err := readHead(ctx, c.log.db)
	if err != nil {
		return head, unreadable(c.log.path, err)
	}
	for {
		if c.closing.Load() {
			return head, fault(ErrClosed, "the log %s is closed, since the app is ending", c.log.path)
		}
		at, err := c.step(ctx, head)
		if err != nil {
			return head, unreadable(c.log.path, c.unwritable(fmt.Errorf("reading its calls: %w", err)))
		}
		c.progress.set(at, head.Number)
		if at >= head.Number {
			return head, nil
		}
	}
}

// step takes the next entries, and returns the number of the last one that is in.
func (c *Catalog) step(ctx context.Context, head Head) (at int64, err error) {
	var known Head
	err = c.db.QueryRowContext(ctx, "SELECT log, number, hash FROM source").Scan(&known.Log, &known.Number, &known.Hash)
	if err == nil && known == head {
		return head.Number, nil // nothing new: no need to write
	}
	tx, err := c.writer.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	from, err := c.from(ctx, tx, head)
	if err != nil {
		return 0, err
	}
	to := min(head.Number, from+fillEvery)
	for _, statement := range fillStatements {
		if _, err := tx.ExecContext(ctx, statement, sql.Named("from", from), sql.Named("to", to)); err != nil {
			return 0, err
		}
	}
	if c.searching {
		if _, err := tx.ExecContext(ctx, indexEntries+" AND number <= ?", from, to); err != nil {
			return 0, err
		}
	}
	last := Head{Log: head.Log, Number: to, Hash: head.Hash}
	if to != head.Number {
		if err := tx.QueryRowContext(ctx, "SELECT hash FROM entries WHERE number = ?", to).Scan(&last.Hash); errors.Is(err, sql.ErrNoRows) {
			last.Hash = "" // it was removed on purpose, with those before it
		} else if err != nil {
			return 0, err
		}
	}
	if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO source VALUES (1, ?, ?, ?)", last.Log, last.Number, last.Hash); err != nil {
		return 0, err
	}
	return to, tx.Commit()
}

// from is the number of the last entry that is in, after what does not belong to
// this log has been dropped: all, when it is another one, or one that was put back;
// what the log has removed on purpose.
func (c *Catalog) from(ctx context.Context, tx *sql.Tx, head Head) (int64, error) {
	var first int64
	if err := tx.QueryRowContext(ctx, "SELECT coalesce((SELECT number FROM entries ORDER BY number LIMIT 1), 0)").Scan(&first); err != nil {
		return 0, err
	}
	var known Head
	err := tx.QueryRowContext(ctx, "SELECT log, number, hash FROM source").Scan(&known.Log, &known.Number, &known.Hash)
	if errors.Is(err, sql.ErrNoRows) {
		return max(first-1, 0), nil
	}
	if err != nil {
		return 0, err
	}
	same := known.Log == head.Log && known.Number <= head.Number
	if same && known.Number >= first && known.Number > 0 {
		var hash string
		if err := tx.QueryRowContext(ctx, "SELECT hash FROM entries WHERE number = ?", known.Number).Scan(&hash); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return 0, err
		}
		same = hash == known.Hash
	}
	below := first
	if !same {
		below = head.Number + known.Number + 1
	}
	for _, statement := range []string{"DELETE FROM calls WHERE number < ?", "DELETE FROM runs WHERE number < ?", "DELETE FROM blocks WHERE (block + 1) * 1024 <= ?"} {
		if _, err := tx.ExecContext(ctx, statement, below); err != nil {
			return 0, err
		}
	}
	if !same {
		known.Number = 0
	}
	return max(known.Number, first-1, 0), nil
}

// fillStatements take the entries behind @from up to @to, in order.
var fillStatements = []string{
	`INSERT INTO runs (run_id, number, at, model)
		SELECT run_id, number, at, coalesce(body ->> '$.model', '') FROM entries
		WHERE number > @from AND number <= @to AND kind = 'run.began' AND true
		ON CONFLICT (run_id) DO NOTHING`,
	`UPDATE runs SET ended = e.number, status = e.status, suspended = NULL FROM
		(SELECT run_id, number, body ->> '$.status' AS status FROM entries WHERE number > @from AND number <= @to AND +kind = 'run.ended') e
		WHERE runs.run_id = e.run_id`,
	`UPDATE runs SET suspended = CASE e.kind WHEN 'run.suspended' THEN e.number END FROM
		(SELECT run_id, kind, max(number) AS number FROM entries WHERE number > @from AND number <= @to AND +kind IN ('run.suspended', 'run.resumed') GROUP BY run_id) e
		WHERE runs.run_id = e.run_id AND runs.ended IS NULL`,
	`INSERT INTO calls (number, run_id, call_id, seq, fn, model, at, last, requested, decided, started, settled, refused, verdict, decider, waited, ms, failure, failed)
		SELECT number, run_id, call_id, seq, fn, coalesce((SELECT model FROM runs WHERE runs.run_id = e.run_id), ''), at, number,
			iif(kind = 'call.requested', number, NULL), iif(kind = 'call.decided', number, NULL), iif(kind = 'call.started', number, NULL),
			iif(kind = 'call.settled', number, NULL), iif(kind = 'call.refused', number, NULL),
			iif(kind = 'call.decided', coalesce(body ->> '$.verdict', ''), NULL),
			iif(kind = 'call.decided', coalesce(body ->> '$.by', ''), NULL),
			iif(kind = 'call.decided', CAST(coalesce(body ->> '$.waitedMs', 0) AS INTEGER), NULL),
			iif(kind = 'call.settled', CAST(coalesce(body ->> '$.ms', 0) AS REAL), NULL),
			CASE kind WHEN 'call.settled' THEN body ->> '$.error.name' WHEN 'call.refused' THEN body ->> '$.code' END,
			iif(kind = 'call.settled', coalesce(json_type(body, '$.error'), 'null') <> 'null', 0)
		FROM entries e WHERE number > @from AND number <= @to
			AND +kind IN ('call.requested','call.decided','call.started','call.settled','call.refused') ORDER BY number
		ON CONFLICT (run_id, call_id) WHERE call_id <> '' DO UPDATE SET
			last = excluded.last,
			requested = coalesce(excluded.requested, requested), decided = coalesce(excluded.decided, decided),
			started = coalesce(excluded.started, started), settled = coalesce(excluded.settled, settled), refused = coalesce(excluded.refused, refused),
			verdict = coalesce(excluded.verdict, verdict), decider = coalesce(excluded.decider, decider), waited = coalesce(excluded.waited, waited),
			ms = coalesce(excluded.ms, ms), failure = coalesce(excluded.failure, failure), failed = max(excluded.failed, failed)`,
	`UPDATE calls SET noted = e.number FROM
		(SELECT run_id, call_id, max(number) AS number FROM entries WHERE number > @from AND number <= @to AND +kind = 'call.noted' GROUP BY run_id, call_id) e
		WHERE calls.run_id = e.run_id AND calls.call_id = e.call_id`,
	// Few wait at any time, so all of them are asked after.
	`UPDATE calls SET over = 1 WHERE outcome = 'waiting'
		AND EXISTS (SELECT 1 FROM entries e WHERE e.kind = 'run.ended' AND e.run_id = calls.run_id AND e.number <= @to)`,
	`INSERT INTO blocks SELECT number >> 10, min(at), max(at), max(last) FROM calls WHERE number > @from AND number <= @to GROUP BY 1
		ON CONFLICT (block) DO UPDATE SET earliest = min(earliest, excluded.earliest), latest = max(latest, excluded.latest), reach = max(reach, excluded.reach)`,
	// Calls of earlier steps that went on in this one reach further than was known.
	`UPDATE blocks SET reach = e.number FROM
		(SELECT c.number >> 10 AS block, max(x.number) AS number FROM entries x
			CROSS JOIN calls c ON c.run_id = x.run_id AND c.call_id = x.call_id AND c.call_id <> ''
			WHERE x.number > @from AND x.number <= @to AND +x.kind LIKE 'call.%' AND c.number <= @from GROUP BY 1) e
		WHERE blocks.block = e.block AND blocks.reach < e.number`,
}
