package sqlite_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

func TestAFileThatIsNoLogIsExplainedAndLeftAsItIs(t *testing.T) {
	noise := make([]byte, 8192)
	if _, err := rand.Read(noise); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		make func(t *testing.T, path string)
		want error
	}{
		{"zero bytes", func(t *testing.T, path string) { write(t, path, nil) }, sqlite.ErrEmpty},
		{"random bytes", func(t *testing.T, path string) { write(t, path, noise) }, sqlite.ErrForeign},
		{"a few bytes", func(t *testing.T, path string) { write(t, path, []byte("SQLite format 3\x00")) }, sqlite.ErrForeign},
		{"another application's database", func(t *testing.T, path string) { run(t, raw(t, path), `CREATE TABLE entries (number INTEGER)`) }, sqlite.ErrForeign},
		{"another application's database in WAL mode", func(t *testing.T, path string) {
			db := raw(t, path)
			run(t, db, `PRAGMA journal_mode = WAL`)
			run(t, db, `CREATE TABLE notes (x)`)
		}, sqlite.ErrForeign},
		{"a newer schema", func(t *testing.T, path string) {
			copyFile(t, filled(t, 1), path)
			run(t, raw(t, path), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)`)
		}, sqlite.ErrNewer},
		{"a log cut in half", func(t *testing.T, path string) {
			from := filled(t, 200)
			copyFile(t, from, path)
			copyFile(t, from+".head", path+".head")
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, info.Size()/2); err != nil {
				t.Fatal(err)
			}
		}, sqlite.ErrDamaged},
		{"pages overwritten", func(t *testing.T, path string) {
			from := filled(t, 200)
			copyFile(t, from, path)
			copyFile(t, from+".head", path+".head")
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			copy(data[4096:], noise)
			copy(data[len(data)-8192:], noise)
			write(t, path, data)
		}, sqlite.ErrDamaged},
		{"without the table of its version", func(t *testing.T, path string) {
			copyFile(t, filled(t, 1), path)
			run(t, raw(t, path), `DROP TABLE goose_db_version`)
		}, sqlite.ErrDamaged},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log.db")
			c.make(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // no loop of attempts changes anything either
				log, err := sqlite.Open(path, sqlite.Options{})
				if !errors.Is(err, c.want) || app.CodeOf(err) != app.LogUnavailable {
					t.Errorf("got %v, want %v", err, c.want)
				}
				if err == nil {
					log.Close()
				} else if !strings.Contains(err.Error(), path) {
					t.Errorf("the message does not name the file: %v", err)
				}
				if reader, err := sqlite.OpenReader(path); err == nil {
					_, err = reader.Verify(t.Context())
					if !errors.Is(err, c.want) {
						t.Errorf("verifying: got %v, want %v", err, c.want)
					}
					reader.Close()
				} else if !errors.Is(err, c.want) || !strings.Contains(err.Error(), path) {
					t.Errorf("reading: got %v, want %v", err, c.want)
				}
			}
			after, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(before, after) {
				t.Errorf("the file was changed (%v)", err)
			}
		})
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAnInterruptedStartIsNoFinding(t *testing.T) {
	// What a kill during the making of a new log leaves: a draft beside it.
	path := filepath.Join(t.TempDir(), "log.db")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		write(t, filepath.Join(filepath.Dir(path), ".log.db.new-1"+suffix), nil)
	}
	open(t, path)
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".log.db.new-*")); err != nil || len(left) != 0 {
		t.Errorf("%v stay (%v)", left, err)
	}
}

func TestALogThatIsGoneIsNotBegunAnew(t *testing.T) {
	path := filled(t, 3)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	_, err := sqlite.Open(path, sqlite.Options{})
	if !errors.Is(err, sqlite.ErrGone) || !strings.Contains(err.Error(), "held 3 entries") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was made: %v", err)
	}
	if err := os.Remove(path + ".head"); err != nil {
		t.Fatal(err)
	}
	open(t, path)
}

func TestASecondInstanceIsTurnedAway(t *testing.T) {
	path := place(t)
	first := open(t, path)
	if _, err := sqlite.Open(path, sqlite.Options{}); !errors.Is(err, sqlite.ErrInUse) {
		t.Errorf("got %v, want ErrInUse", err)
	}
	if err := first.Append(t.Context(), app.Entry{Kind: app.RunBegan, RunID: "r"}); err != nil {
		t.Errorf("the first instance: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, path)
}

func TestOfManyThatStartAtOnceOneWrites(t *testing.T) {
	path := place(t)
	var wg sync.WaitGroup
	opened := make(chan *sqlite.Log, 8)
	for range 8 {
		wg.Go(func() {
			log, err := sqlite.Open(path, sqlite.Options{})
			if err == nil {
				opened <- log
			} else if !errors.Is(err, sqlite.ErrInUse) {
				t.Errorf("got %v, want ErrInUse", err)
			}
		})
	}
	wg.Wait()
	close(opened)
	n := 0
	for log := range opened {
		n++
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	}
	if n != 1 {
		t.Errorf("%d instances write", n)
	}
}

// lockFor keeps the write lock for a while, or until the end of the test, as
// another program could.
func lockFor(t *testing.T, path string, d time.Duration) (locked <-chan struct{}) {
	t.Helper()
	db := raw(t, path)
	ready, over := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { <-over }) // before the file goes
	go func() {
		defer close(over)
		conn, err := db.Conn(t.Context())
		if err == nil {
			_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
		}
		close(ready)
		if err != nil {
			t.Error(err)
			return
		}
		select { // what is tested is time: the lock is held for so long
		case <-time.After(d):
		case <-t.Context().Done():
		}
		if _, err := conn.ExecContext(t.Context(), "ROLLBACK"); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
		conn.Close()
	}()
	return ready
}

func TestALockOfAnotherProgramIsWaitedForAndThenNamed(t *testing.T) {
	for _, c := range []struct {
		name string
		held time.Duration
		fail bool
	}{{"a moment", 700 * time.Millisecond, false}, {"too long", time.Hour, true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.fail && testing.Short() {
				t.Skip("takes 5 seconds")
			}
			path := filepath.Join(t.TempDir(), "log.db")
			log := open(t, path)
			<-lockFor(t, path, c.held)
			err := log.Append(t.Context(), app.Entry{Kind: app.RunBegan, RunID: "r"})
			if !c.fail && err != nil {
				t.Errorf("got %v after a short lock", err)
			}
			if c.fail && (app.CodeOf(err) != app.LogUnavailable || !strings.Contains(err.Error(), "another program")) {
				t.Errorf("got %v, want LogUnavailable that names the reason", err)
			}
		})
	}
}

func TestAFileRemovedWhileOpenStopsWriting(t *testing.T) {
	for _, replaced := range []bool{false, true} {
		path := place(t)
		log := open(t, path)
		e := app.Entry{Kind: app.RunBegan, RunID: "r"}
		if err := log.Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path, path+".moved"); err != nil {
			t.Fatal(err)
		}
		if replaced {
			write(t, path, []byte("another file"))
		}
		if err := log.Append(t.Context(), e); !errors.Is(err, sqlite.ErrGone) {
			t.Errorf("got %v, want ErrGone", err)
		}
		if err := os.Rename(path+".moved", path); err != nil {
			t.Fatal(err)
		}
		if err := log.Append(t.Context(), e); err != nil {
			t.Errorf("after it was put back: %v", err)
		}
	}
}

func TestAWALCutShortIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if err := log.Append(t.Context(), app.Entry{Kind: app.RunEnded, RunID: "r"}); err != nil {
			t.Fatal(err)
		}
	}
	// A copy of the files as a crash leaves them, with the WAL cut.
	crashed := filepath.Join(t.TempDir(), "log.db")
	for _, suffix := range []string{"", "-wal", ".head"} {
		copyFile(t, path+suffix, crashed+suffix)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(crashed + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(crashed+"-wal", info.Size()-100); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(crashed, sqlite.Options{}); !errors.Is(err, sqlite.ErrTailCut) {
		t.Errorf("got %v, want ErrTailCut", err)
	}
}
