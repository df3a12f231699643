// Package logtest holds the contract that every log passes, and a log in memory
// for tests that need one to fail.
package logtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// Subject is a log under test.
type Subject struct {
	Log     app.Log
	Entries func() ([]app.Entry, error) // all, in order
	Close   func() error
}

// Run runs the contract. open gives a new, empty log each time.
func Run(t *testing.T, open func(t *testing.T) Subject) {
	for _, c := range []struct {
		claim string
		check func(t *testing.T, s Subject)
	}{
		{"entries are numbered and chained in the order of Append", numbered},
		{"an entry comes back as it was given", unchanged},
		{"one Append is all or none", allOrNone},
		{"AppendSoon answers once and keeps its place before a later Append", soon},
		{"parallel appends lose nothing and keep the chain", parallel},
		{"a cancelled Append writes nothing", cancelled},
		{"a bad entry spoils no other", bad},
		{"a secret is not stored, and what stands around it is", secret},
		{"a closed log takes nothing and says so", closed},
	} {
		t.Run(c.claim, func(t *testing.T) {
			s := open(t)
			c.check(t, s)
			if err := s.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
}

func entry(i int) app.Entry {
	return app.Entry{Kind: app.CallStarted, RunID: "r1", CallID: fmt.Sprint("c", i), Seq: i, Fn: "orders.list", Body: json.RawMessage(fmt.Sprintf(`{"i":%d}`, i))}
}

func all(t *testing.T, s Subject) []app.Entry {
	t.Helper()
	entries, err := s.Entries()
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func chained(t *testing.T, entries []app.Entry) {
	t.Helper()
	for i, e := range entries {
		if e.Number != int64(i+1) {
			t.Fatalf("entry %d has number %d", i+1, e.Number)
		}
		if len(e.Hash) != 64 || len(e.Previous) != 64 {
			t.Fatalf("entry %d has hash %q and previous %q; expected 64 hex digits", i+1, e.Hash, e.Previous)
		}
		if i > 0 && e.Previous != entries[i-1].Hash {
			t.Fatalf("entry %d does not name the hash of the one before", i+1)
		}
	}
}

func numbered(t *testing.T, s Subject) {
	for i := 1; i <= 3; i++ {
		if err := s.Log.Append(t.Context(), entry(i)); err != nil {
			t.Fatal(err)
		}
	}
	entries := all(t, s)
	chained(t, entries)
	if len(entries) != 3 || entries[2].CallID != "c3" {
		t.Errorf("got %+v", entries)
	}
}

func unchanged(t *testing.T, s Subject) {
	at := time.Date(2026, 11, 29, 10, 0, 0, 120_000_000, time.UTC)
	in := app.Entry{At: at, Kind: app.CallSettled, RunID: "r'; DROP TABLE entries;--", CallID: "c\x00\x1b[31m", Seq: 7, Fn: "a.b",
		Body: json.RawMessage(`{"b":"=1+1\u0000\n","a":[1.5,null]}`)}
	if err := s.Log.Append(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	before := time.Now().Add(-time.Second)
	if err := s.Log.Append(t.Context(), app.Entry{Kind: app.RunEnded, RunID: "r"}); err != nil {
		t.Fatal(err)
	}
	entries := all(t, s)
	got := entries[0]
	if !got.At.Equal(at) || got.Kind != in.Kind || got.RunID != in.RunID || got.CallID != in.CallID || got.Seq != 7 || got.Fn != "a.b" {
		t.Errorf("got %+v", got)
	}
	if want := `{"a":[1.5,null],"b":"=1+1\u0000\n"}`; string(got.Body) != want {
		t.Errorf("body %s, want %s", got.Body, want)
	}
	if e := entries[1]; e.At.Before(before) || e.At.After(time.Now()) || string(e.Body) != "{}" {
		t.Errorf("an entry without time and body became %+v", e)
	}
}

func allOrNone(t *testing.T, s Subject) {
	broken := entry(2)
	broken.Body = json.RawMessage(`{`)
	if err := s.Log.Append(t.Context(), entry(1), broken); app.CodeOf(err) != app.LogUnavailable {
		t.Errorf("got %v, want LogUnavailable", err)
	}
	if entries := all(t, s); len(entries) != 0 {
		t.Errorf("%d entries were written", len(entries))
	}
	if err := s.Log.Append(t.Context(), entry(1), entry(2)); err != nil {
		t.Fatal(err)
	}
	if entries := all(t, s); len(entries) != 2 {
		t.Errorf("%d entries were written, want 2", len(entries))
	}
}

func soon(t *testing.T, s Subject) {
	first := s.Log.AppendSoon(entry(1))
	if err := s.Log.Append(t.Context(), entry(2)); err != nil {
		t.Fatal(err)
	}
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-first:
		t.Errorf("a second answer: %v", err)
	default:
	}
	entries := all(t, s)
	chained(t, entries)
	if len(entries) != 2 || entries[0].CallID != "c1" {
		t.Errorf("got %+v", entries)
	}
}

func parallel(t *testing.T, s Subject) {
	const writers, each = 16, 25
	var wg sync.WaitGroup
	problems := make(chan error, writers*each)
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if w%2 == 0 {
					problems <- s.Log.Append(t.Context(), entry(w*each+i))
				} else {
					problems <- <-s.Log.AppendSoon(entry(w*each + i))
				}
			}
		})
	}
	wg.Wait()
	close(problems)
	for err := range problems {
		if err != nil {
			t.Fatal(err)
		}
	}
	entries := all(t, s)
	chained(t, entries)
	seen := map[string]bool{}
	for _, e := range entries {
		seen[e.CallID] = true
	}
	if len(entries) != writers*each || len(seen) != writers*each {
		t.Errorf("%d entries, %d different, want %d", len(entries), len(seen), writers*each)
	}
}

func cancelled(t *testing.T, s Subject) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Log.Append(ctx, entry(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if entries := all(t, s); len(entries) != 0 {
		t.Errorf("%d entries were written", len(entries))
	}
}

func bad(t *testing.T, s Subject) {
	for _, spoil := range []func(*app.Entry){
		func(e *app.Entry) { e.Kind = "" },
		func(e *app.Entry) { e.Body = json.RawMessage(`{"a":1,"a":2}`) },
		func(e *app.Entry) { e.Body = json.RawMessage(`"\ud800"`) },
		func(e *app.Entry) { e.Fn = "a\xff" },
	} {
		e := entry(1)
		spoil(&e)
		good := s.Log.AppendSoon(entry(2))
		if err := <-s.Log.AppendSoon(e); app.CodeOf(err) != app.LogUnavailable {
			t.Errorf("%+v: got %v, want LogUnavailable", e, err)
		}
		if err := <-good; err != nil {
			t.Errorf("the entry beside it: %v", err)
		}
	}
	chained(t, all(t, s))
}

func closed(t *testing.T, s Subject) {
	if err := s.Log.Append(t.Context(), entry(1)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Log.Append(t.Context(), entry(2)); app.CodeOf(err) != app.LogUnavailable {
		t.Errorf("Append: got %v, want LogUnavailable", err)
	}
	if err := <-s.Log.AppendSoon(entry(3)); app.CodeOf(err) != app.LogUnavailable {
		t.Errorf("AppendSoon: got %v, want LogUnavailable", err)
	}
}

func secret(t *testing.T, s Subject) {
	e := entry(1)
	e.Body = json.RawMessage(`{"digest":"d1","input":{"a/b":"hunter2","list":[{"pin":4711},{"pin":{"$":"undefined"}}],"n":1e21,"user":"ada"}}`)
	e.Secrets = []string{"/input/a~1b", "/input/list/0/pin", "/input/list/1/pin", "/digest", "/input/no/such", "/value"}
	if err := s.Log.Append(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	got := all(t, s)[0]
	var body struct {
		Digest string
		Input  struct {
			AB struct {
				Tag string `json:"$"`
			} `json:"a/b"`
			List []struct {
				Pin struct {
					Tag string `json:"$"`
				}
			}
			N    float64
			User string
		}
	}
	if err := json.Unmarshal(got.Body, &body); err != nil {
		t.Fatalf("%v in %s", err, got.Body)
	}
	if in := body.Input; in.AB.Tag != "secret" || len(in.List) != 2 || in.List[0].Pin.Tag != "secret" || in.List[1].Pin.Tag != "secret" || in.N != 1e21 || in.User != "ada" || body.Digest == "d1" || body.Digest == "" {
		t.Errorf("stored: %s", got.Body)
	}
	if len(got.Secrets) != 0 {
		t.Errorf("an entry that was read has secrets: %v", got.Secrets)
	}
	broken := entry(2)
	broken.Secrets = []string{"nowhere"}
	if err := s.Log.Append(t.Context(), broken); app.CodeOf(err) != app.LogUnavailable {
		t.Errorf("a secret that cannot be found: got %v, want LogUnavailable", err)
	}
}
