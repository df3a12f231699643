package orders

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver "sqlite3"
)

// schemaVersion is kept in the file's user_version.
const schemaVersion = 1

const schema = `
CREATE TABLE orders (
	id       INTEGER PRIMARY KEY,
	customer TEXT    NOT NULL,
	item     TEXT    NOT NULL,
	cents    INTEGER NOT NULL CHECK (cents > 0),
	refunded INTEGER NOT NULL DEFAULT 0 CHECK (refunded BETWEEN 0 AND cents),
	status   TEXT    NOT NULL CHECK (status IN ('open', 'shipped', 'delivered', 'cancelled', 'refunded')),
	placed   TEXT    NOT NULL CHECK (placed GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
	reason   TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX orders_by_date ON orders (placed, id);`

// record is an order as it is stored.
type record struct {
	id       int64
	customer string
	item     string
	cents    int64
	refunded int64
	status   string
	placed   string // a local date: 2026-11-23
	reason   string
}

// Store is a shop's orders in one SQLite file. It is safe for use by several
// goroutines; each change is one statement.
type Store struct {
	db *sql.DB
}

// Open opens the store in the file at path and creates it, readable by this
// user only and filled with the orders of the demo, when it is not there.
func Open(path string) (*Store, error) { return OpenAt(path, time.Now()) }

// OpenAt is Open on another day: a new store's dates are relative to now, in
// now's location.
func OpenAt(path string, now time.Time) (*Store, error) {
	store, err := openAt(path, now)
	if err != nil {
		return nil, fmt.Errorf("open the orders in %s: %w", path, err)
	}
	return store, nil
}

func openAt(path string, now time.Time) (*Store, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	// SQLite would create it 0644. One that is there is not opened: closing it would
	// drop the locks of another store of this process on it.
	file, err := os.OpenFile(absolute, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	location := url.URL{
		Scheme:   "file",
		Path:     filepath.ToSlash(absolute),
		RawQuery: "_journal_mode=WAL&_synchronous=FULL&_busy_timeout=5000&_txlock=immediate",
	}
	db, err := sql.Open("sqlite3", location.String())
	if err != nil {
		return nil, err
	}
	store := &Store{db: db}
	if err := store.fill(now); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return store, nil
}

// fill creates the table and the orders of a new store in one transaction, so
// that a half-filled one cannot be met.
func (s *Store) fill(now time.Time) (err error) {
	ctx := context.Background()
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	var version int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	switch version {
	case schemaVersion:
		return tx.Commit()
	case 0:
	default:
		return fmt.Errorf("expected version %d of the store, got %d: it was written by a newer Countersign; update, or move the file away", schemaVersion, version)
	}
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	records, err := seedOrders(now)
	if err != nil {
		return err
	}
	for _, r := range records {
		if _, err := tx.ExecContext(ctx,
			"INSERT INTO orders (id, customer, item, cents, status, placed) VALUES (?, ?, ?, ?, ?, ?)",
			r.id, r.customer, r.item, r.cents, r.status, r.placed); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", schemaVersion)); err != nil {
		return err
	}
	return tx.Commit()
}

// Close closes the file. Calls after it fail.
func (s *Store) Close() error { return s.db.Close() }
