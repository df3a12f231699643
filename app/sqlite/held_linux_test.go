package sqlite_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// locked reports whether this process has a POSIX lock on the file at path, as SQLite
// has one on each database that it has open with a WAL. Without it another program
// that closes the database takes the WAL away.
func locked(t *testing.T, path string) bool {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		t.Fatal(err)
	}
	of := fmt.Sprintf(":%d ", info.Sys().(*syscall.Stat_t).Ino)
	for line := range strings.Lines(string(locks)) {
		if strings.Contains(line, "POSIX") && strings.Contains(line, fmt.Sprintf(" %d ", os.Getpid())) && strings.Contains(line, of) {
			return true
		}
	}
	return false
}

func TestTheLogStaysLockedWhateverElseIsDoneWithItsFile(t *testing.T) {
	path := place(t)
	open(t, path)
	catalog, err := sqlite.OpenFilled(t.Context(), path, sqlite.CatalogFor(path))
	if err != nil {
		t.Fatal(err)
	}
	defer catalog.Close()
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"nothing", func() error { return nil }},
		{"it is read", func() error {
			reader, err := sqlite.OpenReader(path)
			if err == nil {
				_, err = reader.Verify(t.Context())
			}
			return errors.Join(err, reader.Close())
		}},
		{"its calls are listed", func() error {
			second, err := sqlite.OpenFilled(t.Context(), path, sqlite.CatalogFor(path))
			return errors.Join(err, second.Close())
		}},
		{"it is asked whether it is a database", func() error {
			if is, err := sqlite.IsDatabase(path); !is || err != nil {
				return fmt.Errorf("%v, %w", is, err)
			}
			return nil
		}},
		{"it is opened once more", func() error {
			if _, err := sqlite.Open(path, sqlite.Options{}); !errors.Is(err, sqlite.ErrInUse) {
				return fmt.Errorf("it was: %w", err)
			}
			return nil
		}},
	} {
		if err := c.do(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, file := range []string{path, sqlite.CatalogFor(path)} {
			if !locked(t, file) {
				t.Fatalf("after this, another program could take the WAL of %s away: %s", filepath.Base(file), c.name)
			}
		}
	}
}

func TestALogWhoseWALIsGoneTakesNothingMore(t *testing.T) {
	path := place(t)
	log := open(t, path)
	entry := app.Entry{Kind: app.CallSettled, RunID: "r", CallID: "c", Seq: 1, Fn: "a.b", Body: json.RawMessage(`{"value":1}`)}
	if err := log.Append(t.Context(), entry); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path + "-wal"); err != nil {
		t.Fatal(err)
	}
	if err := log.Append(t.Context(), entry); !errors.Is(err, sqlite.ErrGone) || app.CodeOf(err) != app.LogUnavailable {
		t.Errorf("got %v", err)
	}
}
