package sqlite

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

func TestPragmasHoldOnEveryConnection(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	log, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	for range 3 { // each taken out of the pool and kept, so that the next one is new
		conn, err := log.reader.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := conn.ExecContext(t.Context(), "DELETE FROM entries"); err == nil || !strings.Contains(err.Error(), "readonly") {
			t.Errorf("a reader wrote: %v", err)
		}
	}
	for name, want := range writerPragmas {
		var got string
		if err := log.db.QueryRowContext(t.Context(), "PRAGMA "+name).Scan(&got); err != nil || got != want {
			t.Errorf("PRAGMA %s is %s (%v), want %s", name, got, err, want)
		}
	}
}

func TestAConnectionWithOtherPragmasIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	if err := create(context.Background(), path, "test"); err != nil {
		t.Fatal(err)
	}
	for dsn, name := range map[string]string{
		// Spelled for another driver: ignored by this one without a word.
		"file:" + path + "?mode=rw&_pragma=synchronous(2)&_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)&_pragma=recursive_triggers(1)": "PRAGMA",
		"file:" + path + "?mode=rw&_synchronous=NORMAL&_journal_mode=WAL&_busy_timeout=5000&_foreign_keys=1&_recursive_triggers=1":          "synchronous",
		"file:" + path + "?mode=rw&_synchronous=FULL&_journal_mode=WAL&_busy_timeout=5000&_foreign_keys=1":                                  "recursive_triggers",
	} {
		if conn, err := (connector{dsn: dsn, pragmas: writerPragmas}).Connect(t.Context()); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v, want an error about %s", dsn, err, name)
			if err == nil {
				conn.Close()
			}
		}
	}
}
