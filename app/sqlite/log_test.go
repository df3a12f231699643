package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/logtest"
	"github.com/faustine-ai/countersign/app/sqlite"
)

func TestLogKeepsTheContract(t *testing.T) {
	logtest.Run(t, func(t *testing.T) logtest.Subject {
		log := open(t, place(t))
		return logtest.Subject{
			Log:     log,
			Entries: func() ([]app.Entry, error) { return log.Entries(t.Context(), sqlite.Filter{}) },
			Close:   log.Close,
		}
	})
}

// place gives a path for a log, in a folder that does not exist yet.
func place(t *testing.T) string { return filepath.Join(t.TempDir(), "data %41?#", "log.db") }

func open(t *testing.T, path string) *sqlite.Log {
	t.Helper()
	log, err := sqlite.Open(path, sqlite.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Errorf("closing the log: %v", err)
		}
	})
	return log
}

func TestFilesAreForTheOwnerOnly(t *testing.T) {
	path := place(t)
	log := open(t, path)
	if err := log.Append(t.Context(), app.Entry{Kind: app.RunBegan, RunID: "r"}); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]os.FileMode{filepath.Dir(path): 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600, path + ".head": 0o600, path + ".lock": 0o600} {
		info, err := os.Stat(file)
		if err != nil {
			t.Error(err)
		} else if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", file, got, want)
		}
	}
}
