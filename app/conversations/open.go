package conversations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver “sqlite3”
	"github.com/pressly/goose/v3"

	"github.com/faustine-ai/countersign/app"
)

//go:embed migrations
var migrations embed.FS

// Store is the file of conversations. Its methods may be called side by side.
type Store struct {
	db  *sql.DB
	now func() time.Time
	// why is set where the file cannot be used. The app works without it: what is
	// said is not kept then, and every operation tells why.
	why     *app.Error
	path    string
	trouble trouble
	using   sync.RWMutex // read-locked while something is changed: it ends before the file is closed
}

// Path is where the conversations are that belong to the data in a file: beside it.
func Path(data string) string { return filepath.Join(filepath.Dir(data), "conversations.db") }

// Open opens the file at path, and makes it, readable by this person only, where
// there is none. It does not fail: a file that is damaged, newer than this program
// or out of reach is left as it is, and each operation answers why.
func Open(ctx context.Context, path string) *Store {
	s := &Store{now: time.Now, path: path}
	if err := s.open(ctx, path); err != nil {
		if s.db != nil {
			err = errors.Join(err, s.db.Close())
			s.db = nil
		}
		s.why = &app.Error{Code: Unusable, Cause: err, Message: fmt.Sprintf(
			"conversations cannot be kept: %s cannot be used (%v); move that file away and start again", path, err)}
	}
	return s
}

// Unusable is the code of every answer while the file cannot be used.
const Unusable app.Code = "ConversationsUnusable"

func (s *Store) open(ctx context.Context, path string) error {
	// One that is there is not opened: closing it would drop the locks of another
	// store of this process on it.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return err
	}
	s.db, err = sql.Open("sqlite3", (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: url.Values{
		"mode":           {"rw"},
		"_journal_mode":  {"WAL"},
		"_synchronous":   {"NORMAL"}, // losing the last words with the power is no loss of a proof
		"_busy_timeout":  {"5000"},
		"_foreign_keys":  {"1"},
		"_secure_delete": {"1"}, // what is deleted must not stay readable in free pages
		"_txlock":        {"immediate"},
	}.Encode()}).String())
	if err != nil {
		return err
	}
	s.db.SetMaxOpenConns(1)
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, s.db, files)
	if err != nil {
		return err
	}
	has, err := provider.GetDBVersion(ctx)
	if err != nil {
		return err
	}
	sources := provider.ListSources()
	if last := sources[len(sources)-1].Version; has > last {
		return fmt.Errorf("it was written by a newer Countersign: it has format %d, and this program knows %d", has, last)
	}
	if _, err := provider.Up(ctx); err != nil {
		return err
	}
	return s.purge(ctx, s.now())
}

// Close ends for good what was deleted, and closes the file.
func (s *Store) Close() error {
	if s.db == nil {
		return nil
	}
	s.using.Lock()
	defer s.using.Unlock()
	return errors.Join(s.purge(context.Background(), s.now()), s.db.Close())
}

// purge ends what was deleted at or before a time, for good.
func (s *Store) purge(ctx context.Context, until time.Time) error {
	gone, err := s.db.ExecContext(ctx, `DELETE FROM conversation WHERE deleted <= ?`, stamp(until))
	if err != nil {
		return err
	}
	if n, err := gone.RowsAffected(); err != nil || n == 0 {
		return err
	}
	// The WAL still has the pages as they were.
	_, err = s.db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return err
}

// stamp is a time as it is kept: UTC, sortable as text.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
