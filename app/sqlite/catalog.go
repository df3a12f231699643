package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/mattn/go-sqlite3"
)

// Catalog is the calls of a log with one row each, in a file of its own, so that a
// million entries can be filtered, counted and paged at once. It is made from the
// entries, brought up to date before each answer, and never evidence: verifying
// reads the log alone, and a catalog can be thrown away at any time. It holds
// names, times and outcomes; what was said and passed stays in the log.
//
// The catalog of somebody else's log is made in a temporary file together with a
// search index of its own, since what lies in that log beside its entries is
// covered by no hash.
type Catalog struct {
	path      string
	temporary bool
	searching bool // it has a search index of its own
	log       *Reader
	writer    *sql.DB // one connection
	db        *sql.DB

	mu       sync.Mutex  // held while filling
	closing  atomic.Bool // filling ends before it is through
	progress progress
}

// progress is how far filling has come, for who waits for it.
type progress struct {
	mu          sync.Mutex
	done, total int64
}

func (p *progress) set(done, total int64) {
	p.mu.Lock()
	p.done, p.total = done, total
	p.mu.Unlock()
}

func (p *progress) get() (done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done, p.total
}

// CatalogFor is where the catalog of the app's own log is kept: beside it.
func CatalogFor(path string) string { return path + ".calls" }

// OpenCatalog opens the catalog of a log, kept in the file at path; with "" it is
// kept in a temporary one until Close. The catalog closes the reader.
func OpenCatalog(log *Reader, path string) (*Catalog, error) {
	c := &Catalog{path: path, log: log}
	if path == "" {
		folder, err := os.MkdirTemp("", "countersign-calls-")
		if err != nil {
			return nil, errors.Join(err, log.Close())
		}
		c.path, c.temporary = filepath.Join(folder, "calls.db"), true
	}
	err := c.open(context.Background())
	if err != nil && !c.temporary && !errors.Is(c.unwritable(err), ErrNoCatalog) {
		// It is damaged, or of another version: it is made anew from the entries.
		if err = errors.Join(c.closeFiles(), removeDatabase(c.path)); err == nil {
			err = c.open(context.Background())
		}
	}
	if err != nil {
		return nil, errors.Join(c.unwritable(fmt.Errorf("making the catalog of the log: %w", err)), c.Close())
	}
	return c, nil
}

// OpenFilled opens a log with its catalog, kept in the file at path or with "" in a
// temporary one, and brings it up to date. Where that file cannot be written, as on
// a full disk, a temporary one takes its place: reading goes on.
func OpenFilled(ctx context.Context, log, path string) (*Catalog, error) {
	reader, err := OpenReader(log)
	if err != nil {
		return nil, err
	}
	c, err := OpenCatalog(reader, path)
	if err == nil {
		if _, err = c.Fill(ctx); err == nil {
			return c, nil
		}
		err = errors.Join(err, c.Close())
	}
	if path != "" && errors.Is(err, ErrNoCatalog) {
		return OpenFilled(ctx, log, "")
	}
	return nil, err
}

// unwritable marks an error that says that the catalog's own file cannot be written,
// or that others have it: it is left to them.
func (c *Catalog) unwritable(err error) error {
	var s sqlite3.Error
	var path *fs.PathError
	if c.temporary || !errors.As(err, &path) && !(errors.As(err, &s) &&
		(s.Code == sqlite3.ErrBusy || s.Code == sqlite3.ErrLocked || s.Code == sqlite3.ErrFull || s.Code == sqlite3.ErrReadonly || s.Code == sqlite3.ErrIoErr || s.Code == sqlite3.ErrCantOpen || s.Code == sqlite3.ErrPerm)) {
		return err
	}
	return errors.Join(ErrNoCatalog, err)
}

func (c *Catalog) open(ctx context.Context) error {
	// SQLite would make it 0644. One that is there is not opened here: see held.
	if file, err := os.OpenFile(c.path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600); err == nil {
		if err := file.Close(); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	c.writer, c.db = c.connect(false), c.connect(true)
	c.writer.SetMaxOpenConns(1)
	c.db.SetMaxOpenConns(4)
	var version int
	if err := c.writer.QueryRowContext(ctx, "PRAGMA main.user_version").Scan(&version); err != nil {
		return err
	}
	switch version {
	case 0:
		if _, err := c.writer.ExecContext(ctx, createCatalog); err != nil {
			return err
		}
	case catalogVersion:
	default:
		return fmt.Errorf("the catalog has version %d; this program makes %d", version, catalogVersion)
	}
	if c.temporary {
		c.searching = canIndex(ctx, c.writer)
	}
	if c.searching {
		_, err := c.writer.ExecContext(ctx, createSearch)
		return err
	}
	return nil
}

// canIndex reports whether this build has FTS5.
func canIndex(ctx context.Context, db *sql.DB) bool {
	var has bool
	err := db.QueryRowContext(ctx, "SELECT sqlite_compileoption_used('ENABLE_FTS5')").Scan(&has)
	return err == nil && has
}

// connect opens connections on the catalog with the log attached as “evidence”. A
// table that only the log has, such as entries, needs no prefix.
func (c *Catalog) connect(readOnly bool) *sql.DB {
	options := url.Values{"_busy_timeout": {"10000"}, "_journal_mode": {"WAL"}, "_synchronous": {"OFF"}, "_txlock": {"immediate"}}
	if readOnly {
		options = url.Values{"_busy_timeout": {"10000"}, "_query_only": {"1"}}
	}
	return sql.OpenDB(attacher{main: dsn(c.path, options), log: c.log.attach()})
}

// attacher opens a database and attaches the log to it, read-only.
type attacher struct{ main, log string }

func (a attacher) Connect(context.Context) (driver.Conn, error) { return a.Driver().Open(a.main) }

func (a attacher) Driver() driver.Driver {
	return &sqlite3.SQLiteDriver{ConnectHook: func(conn *sqlite3.SQLiteConn) error {
		for _, statement := range []string{"PRAGMA cache_size = -16000", "PRAGMA mmap_size = 1073741824", "PRAGMA temp_store = MEMORY"} {
			if _, err := conn.Exec(statement, nil); err != nil {
				return err
			}
		}
		if err := conn.RegisterFunc("has_words", hasWords, true); err != nil {
			return err
		}
		_, err := conn.Exec("ATTACH DATABASE ? AS evidence", []driver.Value{a.log})
		return err
	}}
}

// Close forgets a temporary catalog and closes the log.
func (c *Catalog) Close() error {
	c.closing.Store(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	err := errors.Join(c.closeFiles(), c.log.Close())
	if c.temporary {
		err = errors.Join(err, os.RemoveAll(filepath.Dir(c.path)))
	}
	return err
}

func (c *Catalog) closeFiles() error {
	var err error
	for _, db := range []*sql.DB{c.db, c.writer} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	return err
}

func removeDatabase(path string) error {
	var err error
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if e := os.Remove(path + suffix); e != nil && !errors.Is(e, os.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// Log is the log that the catalog is of.
func (c *Catalog) Log() *Reader { return c.log }

// Filling tells how many of the log's entries are in the catalog, for who waits.
func (c *Catalog) Filling() (done, total int64) { return c.progress.get() }
