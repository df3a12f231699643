package conversations

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/faustine-ai/countersign/app"
)

// Summary is a conversation in a list. Times are UTC, RFC 3339 with milliseconds.
type Summary struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Created string `json:"created"`
	Updated string `json:"updated"`
	// Excerpt is where a search found it; what was found stands between U+0002 and
	// U+0003. Empty in a list, and where only the title was found.
	Excerpt string `json:"excerpt,omitempty"`
}

// Conversation is one as a whole.
type Conversation struct {
	Summary
	Draft    string            `json:"draft"`
	Messages []json.RawMessage `json:"messages"` // as the page saved them, in order
	Runs     []Run             `json:"runs"`
}

// Run is what the run view shows of one run.
type Run struct {
	ToolCallID string          `json:"toolCallId"`
	RunID      string          `json:"runId"`
	View       json.RawMessage `json:"view"`
}

// NotFound is the code of an answer about a conversation that there is not.
const NotFound app.Code = "NotFound"

func notFound(id string) error {
	return app.Errorf(NotFound, "there is no conversation %q; it may have been deleted", id)
}

// List gives all conversations, the one that was spoken in last first.
func (s *Store) List(ctx context.Context) ([]Summary, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id, title, created, updated, '' FROM conversation WHERE deleted IS NULL ORDER BY updated DESC, id`)
	if err != nil {
		return nil, err
	}
	return summaries(rows)
}

func summaries(rows *sql.Rows) ([]Summary, error) {
	defer rows.Close()
	list := []Summary{}
	for rows.Next() {
		var c Summary
		if err := rows.Scan(&c.ID, &c.Title, &c.Created, &c.Updated, &c.Excerpt); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, rows.Err()
}

// Read gives one conversation.
func (s *Store) Read(ctx context.Context, id string) (*Conversation, error) {
	c := &Conversation{Messages: []json.RawMessage{}, Runs: []Run{}}
	err := s.db.QueryRowContext(ctx, `SELECT id, title, created, updated, draft FROM conversation WHERE id = ? AND deleted IS NULL`, id).
		Scan(&c.ID, &c.Title, &c.Created, &c.Updated, &c.Draft)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, notFound(id)
	} else if err != nil {
		return nil, err
	}
	messages, err := s.db.QueryContext(ctx, `SELECT body FROM message WHERE conversation = ? ORDER BY seq`, id)
	if err != nil {
		return nil, err
	}
	defer messages.Close()
	for messages.Next() {
		var body []byte
		if err := messages.Scan(&body); err != nil {
			return nil, err
		}
		c.Messages = append(c.Messages, body)
	}
	if err := messages.Err(); err != nil {
		return nil, err
	}
	runs, err := s.db.QueryContext(ctx, `SELECT tool_call, run, view FROM run WHERE conversation = ?`, id)
	if err != nil {
		return nil, err
	}
	defer runs.Close()
	for runs.Next() {
		var r Run
		var view []byte
		if err := runs.Scan(&r.ToolCallID, &r.RunID, &view); err != nil {
			return nil, err
		}
		r.View = view
		c.Runs = append(c.Runs, r)
	}
	return c, runs.Err()
}

// OfRun gives the conversation that a run belongs to, or nil: runs of demos and of
// deleted conversations belong to none.
func (s *Store) OfRun(ctx context.Context, run string) (*Summary, error) {
	if s.why != nil {
		return nil, s.why
	}
	rows, err := s.db.QueryContext(ctx, `SELECT c.id, title, created, updated, '' FROM run JOIN conversation c ON c.id = conversation WHERE run = ? AND deleted IS NULL`, run)
	if err != nil {
		return nil, err
	}
	found, err := summaries(rows)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}
