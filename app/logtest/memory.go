package logtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gowebpki/jcs"

	"github.com/faustine-ai/countersign/app"
)

// Memory is a log in memory whose writing can be made to fail. It is for tests
// of what happens when a log fails; it keeps nothing.
type Memory struct {
	// Fail is asked before each entry is written; its error is what the append
	// gives. It may block. Set it before the log is used, or through SetFail.
	Fail func(app.Entry) error

	mu      sync.Mutex
	closed  bool
	entries []app.Entry
}

var _ app.Log = (*Memory)(nil)

// SetFail replaces Fail while the log is in use.
func (m *Memory) SetFail(fail func(app.Entry) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Fail = fail
}

// Append writes all entries or none.
func (m *Memory) Append(ctx context.Context, entries ...app.Entry) error {
	if err := ctx.Err(); err != nil {
		return &app.Error{Code: app.Cancelled, Cause: err, Message: "cancelled before it was logged"}
	}
	m.mu.Lock()
	fail := m.Fail
	m.mu.Unlock()
	for _, e := range entries {
		if fail == nil {
			break
		}
		if err := fail(e); err != nil {
			return &app.Error{Code: app.LogUnavailable, Cause: err, Message: "the log cannot be written: " + err.Error()}
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return app.Errorf(app.LogUnavailable, "the log is closed")
	}
	prepared := make([]app.Entry, len(entries))
	last := fmt.Sprintf("%064d", 0)
	if n := len(m.entries); n > 0 {
		last = m.entries[n-1].Hash
	}
	for i, e := range entries {
		if err := check(&e); err != nil {
			return &app.Error{Code: app.LogUnavailable, Cause: err, Message: "an entry cannot be logged: " + err.Error()}
		}
		e.Number, e.Previous = int64(len(m.entries)+i+1), last
		sum := sha256.Sum256(fmt.Appendf(nil, "%s%v", last, e))
		e.Hash = hex.EncodeToString(sum[:])
		prepared[i], last = e, e.Hash
	}
	m.entries = append(m.entries, prepared...)
	return nil
}

func check(e *app.Entry) error {
	if e.Kind == "" || !utf8.ValidString(e.RunID+e.CallID+e.Fn) {
		return fmt.Errorf("it has no kind, or text that is not UTF-8")
	}
	if len(e.Body) == 0 {
		e.Body = json.RawMessage("{}")
	}
	if len(e.Secrets) > 0 {
		body, err := app.Conceal(e.Body, e.Secrets, func(pointer string, part any) any {
			if pointer == "/digest" {
				return fmt.Sprintf("kept: %x", sha256.Sum256(fmt.Appendf(nil, "%v", part)))
			}
			return map[string]string{"$": "secret", "v": ""}
		})
		if err != nil {
			return err
		}
		e.Body, e.Secrets = body, nil
	}
	body, err := jcs.Transform(e.Body)
	if err != nil {
		return fmt.Errorf("its body is no JSON: %w", err)
	}
	e.Body = body
	if e.At.IsZero() {
		e.At = time.Now()
	}
	e.At = e.At.UTC().Truncate(time.Millisecond)
	return nil
}

// AppendSoon writes at once.
func (m *Memory) AppendSoon(entry app.Entry) <-chan error {
	done := make(chan error, 1)
	done <- m.Append(context.Background(), entry)
	return done
}

// Entries returns what was written.
func (m *Memory) Entries() []app.Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.entries)
}

// Kinds returns the kinds of what was written, for tests about the order.
func (m *Memory) Kinds() []app.Kind {
	var kinds []app.Kind
	for _, e := range m.Entries() {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

// Close makes every further append fail.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}
