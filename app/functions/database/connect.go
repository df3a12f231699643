package database

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"

	"github.com/mattn/go-sqlite3"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
)

// busyMs is how long a statement waits for another program's lock.
const busyMs = "2000"

// limits that hostile or mistaken SQL meets, beside the time that it is given.
var limits = map[int]int{
	sqlite3.SQLITE_LIMIT_ATTACHED:            0,         // no other file, by ATTACH or VACUUM INTO
	sqlite3.SQLITE_LIMIT_WORKER_THREADS:      0,         // one query takes one core
	sqlite3.SQLITE_LIMIT_LENGTH:              32 << 20,  // a string or blob that fills the memory
	sqlite3.SQLITE_LIMIT_SQL_LENGTH:          1 << 20,   //
	sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,     // patterns that take exponential time
	sqlite3.SQLITE_LIMIT_EXPR_DEPTH:          200,       // recursion in the parser
	sqlite3.SQLITE_LIMIT_VDBE_OP:             1_000_000, // a program that fills the memory
}

// connection is one file that is open in one way, for one call.
type connection struct {
	*sqlite3.SQLiteConn
	held  *folder.Database
	guard *guard
}

// open opens the database of a place. SQLite is given the path that the folder has
// found, without links; what it has opened is compared afterwards. In the call
// that changes, also the journals beside the file are SQLite's own.
func open(ctx context.Context, place *folder.Place, change bool) (_ *connection, err error) {
	held, err := place.Database(ctx)
	if err != nil {
		return nil, err
	}
	c := &connection{held: held, guard: &guard{change: change}}
	defer func() {
		if err != nil {
			err = errors.Join(explain(place, err), c.Close())
		}
	}()
	query := url.Values{"mode": {"ro"}, "_query_only": {"1"}, "_busy_timeout": {busyMs}}
	switch {
	case change:
		query = url.Values{"mode": {"rw"}, "_busy_timeout": {busyMs}, "_txlock": {"immediate"}, "_foreign_keys": {"1"}}
	case restsInWAL(held.Real):
		query.Set("immutable", "1")
	}
	location := url.URL{Scheme: "file", Path: filepath.ToSlash(held.Real), RawQuery: query.Encode()}
	opened, err := (&sqlite3.SQLiteDriver{}).Open(location.String())
	if err != nil {
		return nil, err
	}
	c.SQLiteConn = opened.(*sqlite3.SQLiteConn)
	for id, limit := range limits {
		c.SetLimit(id, limit)
	}
	// A database is data from elsewhere: its views and triggers get no functions
	// that do something, and its pages are checked as they are read.
	for _, pragma := range []string{"trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"} {
		if _, err := c.exec(ctx, "PRAGMA "+pragma); err != nil {
			return nil, err
		}
	}
	if _, err := c.exec(ctx, "SELECT count(*) FROM sqlite_schema"); err != nil { // opens the file
		return nil, err
	}
	if !held.Same() {
		return nil, app.Errorf(app.FunctionFailed, "the file changed its place while it was being opened; try again")
	}
	c.RegisterAuthorizer(c.guard.authorize)
	return c, nil
}

// Close closes the file, and then lets others read it.
func (c *connection) Close() error {
	var err error
	if c.SQLiteConn != nil {
		err = c.SQLiteConn.Close()
	}
	c.held.Close()
	return err
}

// exec runs a statement of ours, which the authorizer does not judge.
func (c *connection) exec(ctx context.Context, statement string) (driver.Result, error) {
	c.guard.ours = true
	defer func() { c.guard.ours = false }()
	return c.ExecContext(ctx, statement, nil)
}

// restsInWAL says that a database is kept with a write-ahead log that nobody uses
// at the moment. Reading it the usual way would make files beside it, also in a
// folder that is for reading only; what rests can be read without.
func restsInWAL(path string) bool {
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		return false
	}
	header, err := headerOf(path)
	return err == nil && header[18] == 2 && header[19] == 2 // the versions that writing and reading need
}

func headerOf(path string) (header [20]byte, err error) {
	file, err := os.Open(path)
	if err != nil {
		return header, err
	}
	defer file.Close() // only read; no database of this process is open on it
	err = binary.Read(io.LimitReader(file, 20), binary.BigEndian, &header)
	return header, err
}
