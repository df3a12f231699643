package conversations

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// Message is one message as it is saved.
type Message struct {
	Words string          `json:"words"` // what a person may search for in it
	Body  json.RawMessage `json:"body"`  // what the page needs to show it again
}

// Saved is a change to one conversation, which is made where there is none.
type Saved struct {
	ID    string `json:"id"`
	Title string `json:"title"` // kept only as long as the person has not named it
	// Messages take the place of those from number From on; earlier ones stay.
	From     int       `json:"from"`
	Messages []Message `json:"messages"`
	Runs     []Run     `json:"runs"` // each takes the place of what was saved under its tool call
}

// Save keeps a change whole or not at all.
func (s *Store) Save(ctx context.Context, change Saved) error {
	return s.within(ctx, func(tx *sql.Tx) error {
		now := stamp(s.now())
		made, err := tx.ExecContext(ctx, `INSERT INTO conversation (id, title, created, updated) VALUES (?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET updated = excluded.updated, title = iif(named, title, excluded.title) WHERE deleted IS NULL`,
			change.ID, change.Title, now, now)
		if err != nil {
			return err
		}
		// A deleted one is not brought back by the last words of its answer.
		if n, err := made.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, notFound(change.ID))
		}
		var has int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM message WHERE conversation = ?`, change.ID).Scan(&has); err != nil {
			return err
		}
		if change.From < 0 || change.From > has {
			return app.Errorf(app.BadRequest, "conversation.save: from is %d, and the conversation has %d messages: the ones between are missing", change.From, has)
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM message WHERE conversation = ? AND seq >= ?`, change.ID, change.From); err != nil {
			return err
		}
		for i, m := range change.Messages {
			if _, err := tx.ExecContext(ctx, `INSERT INTO message (conversation, seq, body, words) VALUES (?, ?, ?, ?)`,
				change.ID, change.From+i, string(m.Body), m.Words); err != nil {
				return err
			}
		}
		for _, r := range change.Runs {
			if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO run (conversation, tool_call, run, view) VALUES (?, ?, ?, ?)`,
				change.ID, r.ToolCallID, r.RunID, string(r.View)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Rename gives a conversation the title that the person chose.
func (s *Store) Rename(ctx context.Context, id, title string) error {
	return s.change(ctx, id, `UPDATE conversation SET title = ?, named = 1 WHERE id = ? AND deleted IS NULL`, title)
}

// Draft keeps what the person has written and not yet asked.
func (s *Store) Draft(ctx context.Context, id, text string) error {
	return s.change(ctx, id, `UPDATE conversation SET draft = ? WHERE id = ? AND deleted IS NULL`, text)
}

// undo is how long a deleted conversation can be brought back.
const undo = time.Minute

// Delete takes a conversation out of sight, and what was deleted more than a
// minute ago away for good; the rest goes when the store is closed. The log keeps
// what ran.
func (s *Store) Delete(ctx context.Context, id string) error {
	if err := s.change(ctx, id, `UPDATE conversation SET deleted = ? WHERE id = ? AND deleted IS NULL`, stamp(s.now())); err != nil {
		return err
	}
	return s.purge(ctx, s.now().Add(-undo))
}

// Restore brings back what was deleted just now.
func (s *Store) Restore(ctx context.Context, id string) error {
	return s.change(ctx, id, `UPDATE conversation SET deleted = NULL WHERE ? AND id = ?`, true)
}

func (s *Store) change(ctx context.Context, id, query string, to any) error {
	done, err := s.db.ExecContext(ctx, query, to, id)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, notFound(id))
	}
	return nil
}

// Left is where the person was, as the page put it, or nil.
func (s *Store) Left(ctx context.Context) (json.RawMessage, error) {
	var value []byte
	err := s.db.QueryRowContext(ctx, `SELECT value FROM kept WHERE name = 'left'`).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return json.RawMessage("null"), nil
	}
	return value, err
}

// Leave keeps where the person is.
func (s *Store) Leave(ctx context.Context, left json.RawMessage) error {
	_, err := s.db.ExecContext(ctx, `INSERT OR REPLACE INTO kept (name, value) VALUES ('left', ?)`, string(left))
	return err
}

func (s *Store) within(ctx context.Context, do func(*sql.Tx) error) error {
	s.using.RLock()
	defer s.using.RUnlock()
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
