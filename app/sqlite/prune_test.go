package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

var pruneDay = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// runs makes a log of runs, one a day, each of four entries.
func runs(t *testing.T, n int) string {
	t.Helper()
	path := t.TempDir() + "/log.db"
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for day := range n {
		run := fmt.Sprint("r", day)
		at := pruneDay.AddDate(0, 0, day)
		if err := log.Append(t.Context(),
			app.Entry{At: at, Kind: app.RunBegan, RunID: run, Body: body(t, app.RunBeganBody{Request: "request of " + run})},
			app.Entry{At: at, Kind: app.CallStarted, RunID: run, CallID: run + ".1", Seq: 1, Fn: "orders.get"},
			app.Entry{At: at, Kind: app.CallSettled, RunID: run, CallID: run + ".1", Seq: 1, Fn: "orders.get"},
			app.Entry{At: at.Add(time.Hour), Kind: app.RunEnded, RunID: run}); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func prune(t *testing.T, path string, before time.Time) sqlite.Pruned {
	t.Helper()
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pruned, err := log.Prune(t.Context(), before)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return pruned
}

func TestPruningKeepsAChainThatVerifies(t *testing.T) {
	path := runs(t, 10)
	if p := prune(t, path, pruneDay.AddDate(0, 0, 3)); p.Removed != 12 || p.Checkpoint.Number != 12 {
		t.Fatalf("got %+v", p)
	}
	if r := verify(t, path); r.State != sqlite.Intact || r.Entries != 29 || r.Checkpoint == nil || len(r.Notes) != 1 {
		t.Errorf("got %+v", r)
	}
	// The app goes on writing, and prunes again.
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Append(t.Context(), app.Entry{Kind: app.RunBegan, RunID: "new"}, app.Entry{Kind: app.RunEnded, RunID: "new"}); err != nil {
		t.Fatal(err)
	}
	if calls, err := log.Calls(t.Context(), sqlite.Filter{Text: "request of r1"}); err != nil || len(calls) != 0 {
		t.Errorf("what was removed is found: %+v, %v", calls, err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if p := prune(t, path, pruneDay.AddDate(0, 0, 9)); p.Removed != 24 {
		t.Errorf("got %+v", p)
	}
	if r := verify(t, path); r.State != sqlite.Intact || r.Checkpoint.Number != 36 {
		t.Errorf("got %+v", r)
	}
}

func TestPruningTakesWholeRunsOnly(t *testing.T) {
	path := t.TempDir() + "/log.db"
	log := open(t, path)
	add := func(day int, kind app.Kind, run string) {
		t.Helper()
		if err := log.Append(t.Context(), app.Entry{At: pruneDay.AddDate(0, 0, day), Kind: kind, RunID: run}); err != nil {
			t.Fatal(err)
		}
	}
	add(0, app.RunBegan, "a") // 1
	add(0, app.RunEnded, "a") // 2
	add(1, app.RunBegan, "b") // 3: reaches over c, which reaches over the limit
	add(2, app.RunBegan, "c") // 4
	add(3, app.RunEnded, "b") // 5
	add(4, app.RunBegan, "d") // 6
	add(4, app.RunEnded, "d") // 7
	add(8, app.RunEnded, "c") // 8
	add(9, app.RunBegan, "e") // 9: has not ended
	p, err := log.Prune(t.Context(), pruneDay.AddDate(0, 0, 6))
	if err != nil || p.Checkpoint == nil || p.Checkpoint.Number != 2 {
		t.Errorf("got %+v, %v", p, err)
	}
	if p, err := log.Prune(t.Context(), pruneDay.AddDate(1, 0, 0)); err != nil || p.Checkpoint == nil || p.Checkpoint.Number != 8 {
		t.Errorf("got %+v, %v", p, err)
	}
	if p, err := log.Prune(t.Context(), pruneDay.AddDate(1, 0, 0)); err != nil || p.Checkpoint != nil {
		t.Errorf("a run that has not ended was cut: %+v, %v", p, err)
	}
}

func TestAPrefixThatSomebodyElseRemovedIsFound(t *testing.T) {
	for _, c := range []struct {
		name   string
		tamper func(t *testing.T, path string)
		state  sqlite.State
	}{
		{"a forged checkpoint", func(t *testing.T, path string) {
			db := raw(t, path)
			run(t, db, `INSERT INTO checkpoints SELECT number, hash, at, 'aa', 'bb' FROM entries WHERE number = 20`)
			run(t, db, `DELETE FROM entries WHERE number <= 20`)
		}, sqlite.EntryChanged},
		{"a checkpoint of another log's owner", func(t *testing.T, path string) {
			mine, err := os.ReadFile(path + ".key")
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(path + ".key"); err != nil {
				t.Fatal(err)
			}
			prune(t, path, pruneDay.AddDate(0, 0, 6)) // with a key made anew
			write(t, path+".key", mine)
		}, sqlite.Rewritten},
		{"more than the checkpoint says", func(t *testing.T, path string) {
			db := raw(t, path)
			run(t, db, `DROP TRIGGER entries_never_go`)
			run(t, db, `DELETE FROM entries WHERE number <= 16`)
		}, sqlite.EntryChanged},
		{"the checkpoint moved on", func(t *testing.T, path string) {
			db := raw(t, path)
			run(t, db, `DROP TRIGGER entries_never_go`)
			run(t, db, `DROP TRIGGER checkpoints_never_change`)
			run(t, db, `UPDATE checkpoints SET hash = (SELECT hash FROM entries WHERE number = 16), number = 16`)
			run(t, db, `DELETE FROM entries WHERE number <= 16`)
		}, sqlite.EntryChanged},
		{"the key removed", func(t *testing.T, path string) {
			if err := os.Remove(path + ".key"); err != nil {
				t.Fatal(err)
			}
		}, sqlite.AnchorMissing},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := runs(t, 10)
			if c.state != sqlite.Rewritten { // ours would not prune for another owner again
				prune(t, path, pruneDay.AddDate(0, 0, 3))
			}
			c.tamper(t, path)
			if r := verify(t, path); r.State != c.state || r.Message == "" {
				t.Errorf("got %+v, want %s", r, c.state)
			}
		})
	}
}

func TestAMissingKeyIsNeverReplacedUnseen(t *testing.T) {
	t.Run("under a checkpoint nothing is made", func(t *testing.T) {
		path := runs(t, 10)
		prune(t, path, pruneDay.AddDate(0, 0, 3))
		mine, err := os.ReadFile(path + ".key")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path + ".key"); err != nil {
			t.Fatal(err)
		}
		if _, err := sqlite.Open(path, sqlite.Options{}); !errors.Is(err, sqlite.ErrNoKey) || !strings.Contains(err.Error(), path+".key") || !strings.Contains(err.Error(), "restore") {
			t.Errorf("got %v", err)
		}
		if r := verify(t, path); r.State != sqlite.AnchorMissing {
			t.Errorf("without the key: %+v", r)
		}
		write(t, path+".key", mine)
		if r := verify(t, path); r.State != sqlite.Intact {
			t.Errorf("with the key restored: %+v", r)
		}
	})
	t.Run("without one the log says so for ever", func(t *testing.T) {
		path := runs(t, 2)
		if err := os.Remove(path + ".key"); err != nil {
			t.Fatal(err)
		}
		log, err := sqlite.Open(path, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if found, err := log.AtStart(t.Context()); err != nil || found.Trouble != nil || !strings.Contains(found.NoKey, path+".key") {
			t.Errorf("got %+v, %v", found, err)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		for range 2 { // a further start has the key, and notes nothing
			if r := verify(t, path); r.State != sqlite.Intact || r.Entries != 9 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "key was missing") {
				t.Errorf("got %+v", r)
			}
			if log, err = sqlite.Open(path, sqlite.Options{}); err != nil {
				t.Fatal(err)
			}
			if err := log.Close(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestADamagedKeyIsExplained(t *testing.T) {
	path := filled(t, 1)
	write(t, path+".key", []byte("no key"))
	if _, err := sqlite.Open(path, sqlite.Options{}); err == nil || !strings.Contains(err.Error(), "expected 64 hex digits") {
		t.Errorf("got %v", err)
	}
}

func TestTwentyThousandRunsArePrunedAtOnce(t *testing.T) {
	log := open(t, place(t))
	const n = 20_000
	var waiting []<-chan error
	for i := range n {
		at, run := pruneDay.Add(time.Duration(i)*time.Second), fmt.Sprint("r", i)
		waiting = append(waiting, log.AppendSoon(app.Entry{At: at, Kind: app.RunBegan, RunID: run}), log.AppendSoon(app.Entry{At: at, Kind: app.RunEnded, RunID: run}))
	}
	for _, w := range waiting {
		if err := <-w; err != nil {
			t.Fatal(err)
		}
	}
	began := time.Now()
	p, err := log.Prune(t.Context(), pruneDay.Add((n-100)*time.Second))
	if err != nil || p.Removed != 2*(n-100) {
		t.Fatalf("%+v, %v", p, err)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	if r, err := log.Verify(t.Context()); err != nil || r.State != sqlite.Intact || r.Entries != 201 {
		t.Errorf("%+v, %v", r, err)
	}
}
