package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// Checkpoint says that the entries of a log up to a number were removed on
// purpose, and where the chain goes on: the entry behind it names Hash as its
// previous. Signature is Ed25519 over "countersign checkpoint\n" and the
// canonical JSON of the other members but key.
type Checkpoint struct {
	Log       string `json:"log"`
	Number    int64  `json:"number"`
	Hash      string `json:"hash"` // of the entry with that number
	At        string `json:"at"`
	Key       string `json:"key"` // public, in hex
	Signature string `json:"signature"`
}

const checkpointPurpose = "countersign checkpoint"

func (c Checkpoint) statement() []byte {
	text, err := json.Marshal(map[string]any{"log": c.Log, "number": c.Number, "hash": c.Hash, "at": c.At})
	if err != nil {
		panic("sqlite: a checkpoint cannot fail to marshal: " + err.Error())
	}
	return text
}

func (c Checkpoint) holds() bool {
	return signedBy(c.Key, c.Signature, checkpointPurpose, c.statement())
}

// lastCheckpoint reads the newest checkpoint; nil: none.
func lastCheckpoint(ctx context.Context, db querier) (*Checkpoint, error) {
	var there bool
	if err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'checkpoints')").Scan(&there); err != nil {
		return nil, fmt.Errorf("reading the log: %w", err)
	}
	if !there { // a log of an earlier version, read before that has migrated it
		return nil, nil
	}
	var c Checkpoint
	err := db.QueryRowContext(ctx, "SELECT (SELECT id FROM log), number, hash, at, key, signature FROM checkpoints ORDER BY number DESC LIMIT 1").
		Scan(&c.Log, &c.Number, &c.Hash, &c.At, &c.Key, &c.Signature)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the checkpoint of the log: %w", err)
	}
	return &c, nil
}

// Pruned is what Prune did.
type Pruned struct {
	Removed    int64       `json:"removed"`    // entries
	Checkpoint *Checkpoint `json:"checkpoint"` // nil: nothing was old enough
}

// Prune removes the entries before a time: a whole prefix of the log, and only
// whole runs, so it may remove less. A signed checkpoint takes their place, an
// entry says so, and what is left verifies as before. What is removed is gone
// from the file as well.
func (l *Log) Prune(ctx context.Context, before time.Time) (Pruned, error) {
	var done Pruned
	if err := l.intact(ctx); err != nil { // what a tampered log still has is evidence
		return done, err
	}
	task := func() (err error) {
		if err := l.ready(ctx); err != nil {
			return unavailable(l.path, err)
		}
		if done, err = l.prune(ctx, before); err != nil {
			return unavailable(l.path, err)
		}
		return nil
	}
	return done, <-l.send(request{task: task})
}

func (l *Log) prune(ctx context.Context, before time.Time) (Pruned, error) {
	last, err := l.prefix(ctx, before)
	if err != nil || last == nil {
		return Pruned{}, err
	}
	c := &Checkpoint{Log: l.head.Log, Number: last.Number, Hash: last.Hash, At: formatTime(time.Now()), Key: l.key.Public()}
	if c.Signature, err = l.key.sign(checkpointPurpose, c.statement()); err != nil {
		return Pruned{}, err
	}
	entry, err := l.prepare(entryWith(app.Entry{Kind: app.LogPruned}, app.LogPrunedBody{Number: c.Number, Hash: c.Hash, Key: c.Key, Signature: c.Signature, At: c.At}))
	if err != nil {
		return Pruned{}, err
	}
	var removed int64
	err = l.commitWith(ctx, []app.Entry{entry}, true, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO checkpoints (number, hash, at, key, signature) VALUES (?,?,?,?,?)", c.Number, c.Hash, c.At, c.Key, c.Signature); err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, "DELETE FROM entries WHERE number <= ?", c.Number)
		if err != nil {
			return err
		}
		if removed, err = result.RowsAffected(); err != nil || !l.searching {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM search WHERE rowid <= ?", c.Number)
		return err
	})
	if err != nil {
		return Pruned{}, err
	}
	// Deleted rows stay in free pages until the file is written anew.
	if _, err := l.db.ExecContext(ctx, "VACUUM"); err != nil {
		return Pruned{}, fmt.Errorf("the entries were removed, but the file still holds them in free pages: %w", err)
	}
	if err := checkpoint(ctx, l.db); err != nil && !errors.Is(err, errBusyReaders) {
		return Pruned{}, err
	}
	return Pruned{Removed: removed, Checkpoint: c}, nil
}

// prefix finds the last entry that may go: all up to it are old enough, and every
// run that began before it has ended before it. At least one entry stays.
func (l *Log) prefix(ctx context.Context, before time.Time) (*Head, error) {
	var first, young int64
	if err := l.db.QueryRowContext(ctx, "SELECT coalesce(min(number), 0), coalesce((SELECT min(number) FROM entries WHERE at >= ?), max(number)) FROM entries", formatTime(before)).Scan(&first, &young); err != nil {
		return nil, err
	}
	limit := young
	for {
		// The earliest run that has not ended before the limit takes it back to its
		// beginning; then another may reach over that.
		var began int64
		err := l.db.QueryRowContext(ctx, `SELECT coalesce(min(b.number), ?1) FROM entries b WHERE b.kind = 'run.began' AND b.number < ?1
			AND NOT EXISTS (SELECT 1 FROM entries x WHERE x.kind = 'run.ended' AND x.run_id = b.run_id AND x.number < ?1)`, limit).Scan(&began)
		if err != nil {
			return nil, err
		}
		if began == limit {
			break
		}
		limit = began
	}
	if limit <= first {
		return nil, nil
	}
	last := Head{Log: l.head.Log, Number: limit - 1}
	err := l.db.QueryRowContext(ctx, "SELECT hash FROM entries WHERE number = ?", last.Number).Scan(&last.Hash)
	return &last, err
}
