package sqlite_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gowebpki/jcs"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// raw opens the file as anybody could, without our pragmas.
func raw(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func run(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// filled makes a closed log with n entries in a folder without odd characters.
func filled(t *testing.T, n int) string {
	t.Helper()
	path := t.TempDir() + "/log.db"
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	entries := make([]app.Entry, n)
	for i := range entries {
		entries[i] = app.Entry{Kind: app.CallSettled, RunID: "r", CallID: fmt.Sprint("c", i), Seq: i + 1, Fn: "a.b", Body: json.RawMessage(`{"value":1}`)}
	}
	if err := log.Append(t.Context(), entries...); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEntriesCannotBeChangedByAnyStatement(t *testing.T) {
	path := filled(t, 3)
	db := raw(t, path)
	for _, statement := range []string{
		`UPDATE entries SET body = '{}' WHERE number = 2`,
		`UPDATE entries SET number = 9 WHERE number = 2`,
		`DELETE FROM entries WHERE number = 3`,
		`DELETE FROM entries`,
		`INSERT OR REPLACE INTO entries SELECT 2, at, kind, run_id, call_id, seq, fn, '{}', previous, hash FROM entries WHERE number = 2`,
		`REPLACE INTO entries SELECT * FROM entries WHERE number = 3`,
		`INSERT INTO entries SELECT 9, at, kind, run_id, call_id, seq, fn, body, previous, hash FROM entries WHERE number = 3`,
		`INSERT OR IGNORE INTO entries SELECT 0, at, kind, run_id, call_id, seq, fn, body, previous, hash FROM entries WHERE number = 3`,
		`UPDATE log SET id = 'x'`,
		`DELETE FROM log`,
	} {
		if _, err := db.Exec(statement); err == nil {
			t.Errorf("%s was carried out", statement)
		}
	}
	if r := verify(t, path); r.State != sqlite.Intact || r.Entries != 3 {
		t.Errorf("got %+v", r)
	}
}

func verify(t *testing.T, path string) sqlite.Report {
	t.Helper()
	r, err := sqlite.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	report, err := r.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// rehash computes the hash of a row by the documentation, not by the code.
func rehash(t *testing.T, db *sql.DB, number int, body, previous string) string {
	t.Helper()
	var at, kind, runID, callID, fn string
	var seq int
	if err := db.QueryRow(`SELECT at, kind, run_id, call_id, seq, fn FROM entries WHERE number = ?`, number).Scan(&at, &kind, &runID, &callID, &seq, &fn); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"at": at, "kind": kind, "runId": runID, "callId": callID, "seq": seq, "fn": fn, "number": number, "previous": previous, "body": json.RawMessage(body)})
	if err != nil {
		t.Fatal(err)
	}
	canonical, err := jcs.Transform(text)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}

func TestVerifyTellsWhatWasDone(t *testing.T) {
	unlock := func(t *testing.T, db *sql.DB) {
		run(t, db, `DROP TRIGGER entries_never_change`)
		run(t, db, `DROP TRIGGER entries_never_go`)
		run(t, db, `DROP TRIGGER entries_only_at_the_end`)
	}
	rewrite := func(t *testing.T, db *sql.DB, from int, last int) {
		var previous string
		if err := db.QueryRow(`SELECT previous FROM entries WHERE number = ?`, from).Scan(&previous); err != nil {
			t.Fatal(err)
		}
		for n := from; n <= last; n++ {
			body := `{"value":1}`
			if n == from {
				body = `{"value":2}`
			}
			hash := rehash(t, db, n, body, previous)
			run(t, db, `UPDATE entries SET body = ?, previous = ?, hash = ? WHERE number = ?`, body, previous, hash, n)
			previous = hash
		}
	}
	for _, c := range []struct {
		name   string
		tamper func(t *testing.T, path string, db *sql.DB)
		state  sqlite.State
		number int64
	}{
		{"nothing", func(*testing.T, string, *sql.DB) {}, sqlite.Intact, 0},
		{"a body", func(t *testing.T, _ string, db *sql.DB) {
			run(t, db, `UPDATE entries SET body = '{"value":2}' WHERE number = 3`)
		}, sqlite.EntryChanged, 3},
		{"a time", func(t *testing.T, _ string, db *sql.DB) {
			run(t, db, `UPDATE entries SET at = '2020-01-01T00:00:00.000Z' WHERE number = 1`)
		}, sqlite.EntryChanged, 1},
		{"a function's name", func(t *testing.T, _ string, db *sql.DB) {
			run(t, db, `UPDATE entries SET fn = 'a.c' WHERE number = 5`)
		}, sqlite.EntryChanged, 5},
		{"bytes moved from a column into the body", func(t *testing.T, _ string, db *sql.DB) {
			run(t, db, `UPDATE entries SET body = body || ',"callId":"' || call_id || '"', call_id = '' WHERE number = 2`)
		}, sqlite.EntryChanged, 2},
		{"an entry hashed anew", func(t *testing.T, _ string, db *sql.DB) { rewrite(t, db, 2, 2) }, sqlite.EntryChanged, 2},
		{"an entry removed", func(t *testing.T, _ string, db *sql.DB) { run(t, db, `DELETE FROM entries WHERE number = 3`) }, sqlite.EntryChanged, 3},
		{"the first entries removed", func(t *testing.T, _ string, db *sql.DB) { run(t, db, `DELETE FROM entries WHERE number < 3`) }, sqlite.EntryChanged, 1},
		{"two entries swapped", func(t *testing.T, _ string, db *sql.DB) {
			run(t, db, `UPDATE entries SET number = 100 WHERE number = 2`)
			run(t, db, `UPDATE entries SET number = 2 WHERE number = 3`)
			run(t, db, `UPDATE entries SET number = 3 WHERE number = 100`)
		}, sqlite.EntryChanged, 2},
		{"the tail", func(t *testing.T, _ string, db *sql.DB) { run(t, db, `DELETE FROM entries WHERE number > 3`) }, sqlite.TailCut, 4},
		{"everything removed", func(t *testing.T, _ string, db *sql.DB) { run(t, db, `DELETE FROM entries`) }, sqlite.TailCut, 1},
		{"the chain from an entry on", func(t *testing.T, _ string, db *sql.DB) { rewrite(t, db, 2, 5) }, sqlite.Rewritten, 5},
		{"the last entry hashed anew", func(t *testing.T, _ string, db *sql.DB) { rewrite(t, db, 5, 5) }, sqlite.Rewritten, 5},
		{"the anchor removed", func(t *testing.T, path string, _ *sql.DB) {
			if err := os.Remove(path + ".head"); err != nil {
				t.Fatal(err)
			}
		}, sqlite.AnchorMissing, 0},
		{"the anchor overwritten", func(t *testing.T, path string, _ *sql.DB) {
			if err := os.WriteFile(path+".head", []byte(`{"log":"x","number":5,"hash":"y","sum":"z"}`), 0o600); err != nil {
				t.Fatal(err)
			}
		}, sqlite.AnchorMissing, 0},
		{"another log in its place", func(t *testing.T, path string, db *sql.DB) {
			copyFile(t, filled(t, 7), path)
		}, sqlite.Rewritten, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filled(t, 5)
			db := raw(t, path)
			unlock(t, db)
			c.tamper(t, path, db)
			report := verify(t, path)
			if report.State != c.state || c.number != 0 && report.Number != c.number {
				t.Errorf("got %+v, want %s at %d", report, c.state, c.number)
			}
			if report.Message == "" {
				t.Error("the report says nothing")
			}
		})
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestATamperedLogIsNotContinued(t *testing.T) {
	for _, c := range []struct {
		name, statement string
		want            error
	}{
		{"tail cut", `DELETE FROM entries WHERE number > 3`, sqlite.ErrTailCut},
		{"last entry removed", `DELETE FROM entries WHERE number = 5`, sqlite.ErrTailCut},
		{"last entry changed", `UPDATE entries SET body = '{}' WHERE number = 5`, sqlite.ErrDamaged},
		{"last hash changed", `UPDATE entries SET hash = previous WHERE number = 5`, sqlite.ErrDamaged},
		{"everything removed", `DELETE FROM entries`, sqlite.ErrTailCut},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filled(t, 5)
			db := raw(t, path)
			run(t, db, `DROP TRIGGER entries_never_change`)
			run(t, db, `DROP TRIGGER entries_never_go`)
			run(t, db, c.statement)
			log, err := sqlite.Open(path, sqlite.Options{})
			if !errors.Is(err, c.want) || app.CodeOf(err) != app.LogUnavailable || !strings.Contains(err.Error(), "move it aside") {
				t.Errorf("got %v, want %v that says what to do", err, c.want)
			}
			if err == nil {
				log.Close()
			}
		})
	}
}

func TestAMissingAnchorIsNotedForEver(t *testing.T) {
	path := filled(t, 5)
	if err := os.Remove(path + ".head"); err != nil {
		t.Fatal(err)
	}
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	report := verify(t, path)
	if report.State != sqlite.Intact || report.Entries != 6 || len(report.Notes) != 1 || !strings.Contains(report.Notes[0], "entry 6") {
		t.Errorf("got %+v", report)
	}
}

func TestALogAheadOfItsAnchorIsIntact(t *testing.T) {
	// A crash between a commit and its anchor leaves this behind.
	path := t.TempDir() + "/log.db"
	lagging := &laggingAnchor{Anchor: sqlite.FileAnchor(path + ".head"), until: 2}
	log, err := sqlite.Open(path, sqlite.Options{Anchor: lagging})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if err := log.Append(t.Context(), app.Entry{Kind: app.RunBegan, RunID: "r"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, path); r.State != sqlite.Intact || r.Anchor.Number != 2 {
		t.Errorf("got %+v", r)
	}
	log, err = sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, path); r.State != sqlite.Intact || r.Anchor.Number != r.Head.Number {
		t.Errorf("after opening again: %+v", r)
	}
}

// laggingAnchor forgets heads past a number, as a crash would.
type laggingAnchor struct {
	sqlite.Anchor
	until int64
}

func (a *laggingAnchor) Store(head sqlite.Head, sync bool) error {
	if head.Number > a.until {
		return nil
	}
	return a.Anchor.Store(head, sync)
}

// brokenAnchor fails while told to.
type brokenAnchor struct {
	sqlite.Anchor
	fail chan error
}

func (a *brokenAnchor) Store(head sqlite.Head, sync bool) error {
	select {
	case err := <-a.fail:
		return err
	default:
		return a.Anchor.Store(head, sync)
	}
}

func TestNothingIsWrittenWhileTheAnchorCannotFollow(t *testing.T) {
	path := t.TempDir() + "/log.db"
	anchor := &brokenAnchor{Anchor: sqlite.FileAnchor(path + ".head"), fail: make(chan error, 2)}
	log, err := sqlite.Open(path, sqlite.Options{Anchor: anchor})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	e := app.Entry{Kind: app.RunBegan, RunID: "r"}
	anchor.fail <- errors.New("no space")
	anchor.fail <- errors.New("no space")
	if err := log.Append(t.Context(), e); err != nil {
		t.Errorf("the entry itself is on disk: %v", err)
	}
	if err := log.Append(t.Context(), e); app.CodeOf(err) != app.LogUnavailable || !strings.Contains(err.Error(), "anchor") {
		t.Errorf("got %v, want LogUnavailable about the anchor", err)
	}
	if err := log.Append(t.Context(), e); err != nil {
		t.Errorf("after the anchor works again: %v", err)
	}
	if got, err := log.Entries(context.Background(), sqlite.Filter{}); err != nil || len(got) != 2 {
		t.Errorf("%d entries, %v", len(got), err)
	}
}

func TestATornAnchorFallsBackToTheHeadBefore(t *testing.T) {
	path := t.TempDir() + "/head"
	a := sqlite.FileAnchor(path)
	for n := range int64(4) {
		if err := a.Store(sqlite.Head{Log: "l", Number: n, Hash: fmt.Sprint(n)}, n%2 == 0); err != nil {
			t.Fatal(err)
		}
	}
	if h, err := a.Load(); err != nil || h.Number != 3 {
		t.Fatalf("got %+v, %v", h, err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt([]byte("{\"log\":\"l\",\"number\":5,"), 512); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if h, err := a.Load(); err != nil || h.Number != 2 {
		t.Errorf("got %+v, %v", h, err)
	}
}

func TestALogWithoutItsTablesIsNotIntact(t *testing.T) {
	for _, c := range []struct{ statements, want string }{
		{"DROP TABLE entries", `table "entries"`},
		{"DROP TABLE log", `table "log"`},
		{"DROP TRIGGER log_never_goes; DELETE FROM log", "which log this is"},
	} {
		path := filled(t, 3)
		run(t, raw(t, path), c.statements)
		reader, err := sqlite.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		for name, verify := range map[string]func(context.Context) (sqlite.Report, error){"whole": reader.Verify, "its end": reader.VerifyEnd} {
			if report, err := verify(t.Context()); err != nil || report.State != sqlite.EntryChanged || !strings.Contains(report.Message, c.want) {
				t.Errorf("%s, %s: got %+v, %v", c.statements, name, report, err)
			}
		}
	}
}

func TestNothingBeginsOnALogThatIsChangedInTheMiddle(t *testing.T) {
	path := filled(t, 9)
	db := raw(t, path)
	run(t, db, `DROP TRIGGER entries_never_change`)
	run(t, db, `UPDATE entries SET body = '{"value":7}' WHERE number = 4`)
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	for _, e := range []app.Entry{
		{Kind: app.RunBegan, RunID: "r"},
		{Kind: app.RunResumed, RunID: "r"},
		{Kind: app.CallRequested, RunID: "r", CallID: "c"},
		{Kind: app.CallStarted, RunID: "r", CallID: "c", Body: []byte(`{"marked":true}`)},
	} {
		if err := log.Append(t.Context(), e); !errors.Is(err, sqlite.ErrDamaged) || !strings.Contains(err.Error(), "entry 4 was changed") || !strings.Contains(err.Error(), "log verify") {
			t.Errorf("%s: %v", e.Kind, err)
		}
	}
	if _, err := log.Prune(t.Context(), time.Now()); !errors.Is(err, sqlite.ErrDamaged) {
		t.Errorf("the evidence could be removed: %v", err)
	}
	if err := log.Append(t.Context(), app.Entry{Kind: app.CallSettled, RunID: "r", CallID: "c"}); err != nil {
		t.Errorf("how something ended could not be logged: %v", err)
	}
}

func TestAForeignFileGetsNoLockBesideIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "letter.txt")
	if err := os.WriteFile(path, []byte("Dear all"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(path, sqlite.Options{}); !errors.Is(err, sqlite.ErrForeign) {
		t.Errorf("got %v", err)
	}
	if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 1 {
		t.Errorf("%v, %v", names, err)
	}
}
