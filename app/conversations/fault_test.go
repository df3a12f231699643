package conversations

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
)

func TestAFullDiskIsCalledThatAndNotedOnce(t *testing.T) {
	var noted bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&noted, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	path := filepath.Join(t.TempDir(), "conversations.db")
	s := Open(t.Context(), path)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	save := func(ctx context.Context, words int) error {
		text, err := json.Marshal(Saved{ID: "a", Title: "A", Messages: []Message{{Body: json.RawMessage(`"` + strings.Repeat("x", words) + `"`)}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range s.Operations() {
			if o.Name == "conversation.save" {
				_, err = o.Do(ctx, text)
				return err
			}
		}
		return nil
	}
	// The one connection may not make the file larger, as on a disk that is full.
	if _, err := s.db.Exec("PRAGMA max_page_count = 1"); err != nil {
		t.Fatal(err)
	}
	for range 9 {
		if err := save(t.Context(), 1<<20); app.CodeOf(err) != NotKept || !strings.Contains(err.Error(), "the disk is full; free some space") || !strings.Contains(err.Error(), path) {
			t.Fatalf("got %v", err)
		}
	}
	if n := strings.Count(noted.String(), "level=ERROR"); n != 1 {
		t.Errorf("noted %d times:\n%s", n, noted.String())
	}
	if err := save(t.Context(), 1); err != nil {
		t.Errorf("what fits: %v", err)
	}
	if err := save(t.Context(), 1<<20); app.CodeOf(err) != NotKept || strings.Count(noted.String(), "level=ERROR") != 2 {
		t.Errorf("full again: %v\n%s", err, noted.String())
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	for _, o := range s.Operations() {
		if o.Name == "conversation.list" {
			if _, err := o.Do(gone, json.RawMessage(`{}`)); app.CodeOf(err) != app.Cancelled {
				t.Errorf("cancelled: %v", err)
			}
		}
	}
	// What was said last is kept, also when its page goes in that moment.
	if err := save(gone, 1); err != nil {
		t.Errorf("not kept: %v", err)
	}
}
