package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/google/uuid"
)

// create makes a new log at path. It is built beside and then linked into
// place, so that a file at path is always a whole log: an empty one there is a
// finding, never a start that was interrupted.
func create(ctx context.Context, path, version string) (err error) {
	pattern := "." + filepath.Base(path) + ".new-*"
	if err := removeDrafts(filepath.Dir(path), pattern); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), pattern) // 0600 from the start
	if err != nil {
		return fmt.Errorf("cannot create a log in %s: %w", filepath.Dir(path), err)
	}
	draft := file.Name()
	defer func() {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			if e := os.Remove(draft + suffix); e != nil && !errors.Is(e, os.ErrNotExist) {
				err = errors.Join(err, e)
			}
		}
	}()
	if err := file.Close(); err != nil {
		return err
	}
	if err := fill(ctx, draft, version); err != nil {
		return err
	}
	// Link refuses an existing name, where Rename would replace it.
	if err := os.Link(draft, path); err != nil {
		return fmt.Errorf("cannot put the new log in place: %w", err)
	}
	return syncDir(filepath.Dir(path))
}

// removeDrafts removes what a kill during an earlier start left. The lock of the
// log is held, so no other process is making one.
func removeDrafts(dir, pattern string) error {
	names, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, n := range names {
		if strings.HasPrefix(n.Name(), strings.TrimSuffix(pattern, "*")) {
			if err := os.Remove(filepath.Join(dir, n.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func fill(ctx context.Context, draft, version string) (err error) {
	db := openWriter(draft)
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
		return err
	}
	if err := migrate(ctx, db); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "INSERT INTO log (only, id, created, version) VALUES (1, ?, ?, ?)",
		uuid.NewString(), formatTime(time.Now()), version); err != nil {
		return err
	}
	return checkpoint(ctx, db)
}

// errBusyReaders: the WAL stays for another day, and nothing is lost.
var errBusyReaders = errors.New("another program is reading the log, so its WAL stays")

// checkpoint moves everything from the WAL into the file.
func checkpoint(ctx context.Context, db *sql.DB) error {
	var busy, frames, moved int
	if err := db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved); err != nil {
		return err
	}
	if busy != 0 {
		return errBusyReaders
	}
	return nil
}

// syncDir makes a new name in a folder survive the loss of power. Windows does
// that by itself and refuses to be asked.
func syncDir(dir string) (err error) {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return d.Sync()
}
