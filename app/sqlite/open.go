// Package sqlite keeps the log in an SQLite database: append-only entries, each
// with the hash of the one before, the head anchored outside the file.
//
// One process writes, held by a lock file beside the database; any number may
// read meanwhile. Within the process one goroutine writes, and whatever waits
// goes into one commit.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"github.com/faustine-ai/countersign/app"
)

// Options of Open. The zero value is right for most.
type Options struct {
	Anchor  Anchor // nil: FileAnchor(HeadFor(path))
	Version string // of the app, kept in a new log
}

// Log is the app's log. It implements app.Log.
type Log struct {
	path   string
	anchor Anchor
	key    *Key
	lock   *flock.Flock
	db     *sql.DB // the writer's one connection
	reader *sql.DB
	file   os.FileInfo // the file that was opened: another one at path is a fault
	wal    os.FileInfo // and the WAL beside it; nil: not there yet
	letGo  func()      // SQLite has closed the file; nil: it has not opened it

	queue *queue
	done  chan struct{} // closed when the writer has ended

	verified chan struct{} // closed when the whole log was verified
	found    AtStart       // what that found; to be read after verified is closed
	stop     func()        // ends verifying

	lastFault atomic.Pointer[Fault]

	// Owned by the writer goroutine.
	head        Head
	unsure      bool // a commit failed, so head must be read again
	anchorOwed  bool // the anchor does not have head yet
	anchorLater bool // the anchor will be on disk within anchorWithin
	insertEntry *sql.Stmt
	searching   bool  // there is an index to be kept
	indexed     int64 // number of the last entry in it
}

var _ app.Log = (*Log)(nil)

// Open opens the log at path, or creates it where neither file nor anchor is.
// It holds the log's lock until Close, refuses a log that is damaged, foreign,
// newer or does not agree with its anchor, without changing it, and closes what
// an earlier process left open: by entries, its runs end as aborted, but for those
// whose card waited, which wait on (Waiting). The end is compared with the anchor at once, the whole log is
// verified beside what follows: Append refuses what begins something if that fails.
func Open(path string, options Options) (*Log, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, unavailable(path, err)
	}
	l := &Log{path: path, anchor: options.Anchor, queue: newQueue(), done: make(chan struct{}), verified: make(chan struct{})}
	if l.anchor == nil {
		l.anchor = FileAnchor(HeadFor(path))
	}
	if err := l.open(context.Background(), options.Version); err != nil {
		err = unavailable(path, err)
		return nil, errors.Join(err, l.release())
	}
	verifying, stop := context.WithCancel(context.Background())
	l.stop = stop
	go l.verifyAtStart(verifying)
	go l.write()
	return l, nil
}

func (l *Log) open(ctx context.Context, version string) error {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return fmt.Errorf("cannot make its folder: %w", err)
	}
	// What is no log of ours gets no lock file beside it either.
	if err := recognise(l.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := l.takeLock(); err != nil {
		return err
	}
	if err := l.createIfAbsent(ctx, version); err != nil {
		return err
	}
	if err := recognise(l.path); err != nil {
		return err
	}
	info, err := os.Stat(l.path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 != 0 { // others could read what was approved
		if err := os.Chmod(l.path, 0o600); err != nil {
			return err
		}
	}
	l.file = info
	if l.letGo, err = hold(l.path); err != nil {
		return err
	}
	l.db = openWriter(l.path)
	if err := checkSchema(ctx, l.db, l.path); err != nil {
		return err
	}
	if err := migrate(ctx, l.db); err != nil {
		return err
	}
	l.reader = openReader(l.path)
	if l.insertEntry, err = l.db.PrepareContext(ctx, insertText); err != nil {
		return err
	}
	if err := l.agree(ctx); err != nil {
		return err
	}
	if err := l.takeKey(ctx); err != nil {
		return err
	}
	if err := l.closeDangling(ctx); err != nil {
		return err
	}
	return l.openSearch(ctx)
}

func (l *Log) takeLock() error {
	l.lock = flock.New(l.path+".lock", flock.SetPermissions(0o600))
	locked, err := l.lock.TryLock()
	if err != nil {
		return fmt.Errorf("its lock file cannot be used: %w", err)
	}
	if !locked {
		return fault(ErrInUse, "the log %s is in use by another running Countersign; use that one, or close it first", l.path)
	}
	return nil
}

// createIfAbsent makes a new log, but never in the place of one that was there.
func (l *Log) createIfAbsent(ctx context.Context, version string) error {
	_, err := os.Stat(l.path)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	head, err := l.anchor.Load()
	switch {
	case err == nil && head.Number > 0:
		return fault(ErrGone, "%s", gone(l.path, l.anchor, head))
	case err != nil && !errors.Is(err, ErrNoAnchor):
		return err
	}
	if err := create(ctx, l.path, version); err != nil {
		return err
	}
	db := openReader(l.path)
	fresh, err := readHead(ctx, db)
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	return l.anchor.Store(fresh, true)
}

// agree compares the end of the log with its anchor. The log may be ahead by
// what a crash left between a commit and its anchor; those entries must form a
// chain. An anchor that is missing is set anew, with an entry that says so for
// ever; one that contradicts the log is left for the person to look at.
func (l *Log) agree(ctx context.Context) error {
	head, err := readHead(ctx, l.db)
	if err != nil {
		return err
	}
	l.head = head
	anchored, err := l.anchor.Load()
	if errors.Is(err, ErrNoAnchor) {
		if head.Number == 0 {
			return l.anchor.Store(head, true)
		}
		reason := fmt.Sprintf("%v; whether entries after number %d were cut off before cannot be known", err, head.Number)
		l.found.NoAnchor = reason
		return l.commitAlone(ctx, entryWith(app.Entry{Kind: app.LogAnchored}, app.LogAnchoredBody{Reason: reason}))
	}
	if err != nil {
		return err
	}
	report, err := verifyFrom(ctx, l.db, anchored)
	if err != nil {
		return err
	}
	switch report.State {
	case Intact:
		if head != anchored {
			return l.anchor.Store(head, true)
		}
		return nil
	case TailCut:
		return fault(ErrTailCut, "%s; the log is left as it is: restore a copy, or move it aside together with its anchor %s", report.Message, l.anchor)
	case Rewritten:
		return fault(ErrRewritten, "%s; the log is left as it is: restore a copy, or move it aside together with its anchor %s", report.Message, l.anchor)
	default:
		return fault(ErrDamaged, "%s; the log is left as it is: restore a copy, or move it aside together with its anchor %s", report.Message, l.anchor)
	}
}

// takeKey reads the key, or makes one. For a log that has entries already, one is
// made only where nothing hangs on the one that is missing: a checkpoint would be
// taken for somebody else's ever after. Otherwise an entry says so for ever.
func (l *Log) takeKey(ctx context.Context) error {
	path := KeyFor(l.path)
	key, missing := LoadKey(path)
	if !errors.Is(missing, ErrNoKey) {
		l.key = key
		return missing
	}
	c, err := lastCheckpoint(ctx, l.db)
	if err != nil {
		return err
	}
	if c != nil {
		return fault(ErrNoKey, "%v, and the checkpoint that stands for entries 1 to %d is signed with it; nothing was changed: restore that file, or move the log %s aside together with its anchor %s to begin a new one", missing, c.Number, l.path, l.anchor)
	}
	if key, err = makeKey(); err != nil {
		return err
	}
	if l.head.Number > 0 {
		reason := fmt.Sprintf("%v; exports and secrets of before entry %d are not under the key that was made then", missing, l.head.Number+1)
		l.found.NoKey = reason
		if err := l.commitAlone(ctx, entryWith(app.Entry{Kind: app.LogKeyed}, app.LogKeyedBody{Reason: reason, Key: key.Public()})); err != nil {
			return err
		}
	}
	l.key = key
	return key.keep(path)
}

// Close writes what waits, moves the WAL into the file and gives the lock back.
func (l *Log) Close() error {
	if !l.queue.close() {
		return nil
	}
	l.stop()
	<-l.verified
	<-l.done
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	l.index(ctx, 1)
	var err error
	if l.head.Number > 0 && !l.anchorOwed {
		err = l.anchor.Store(l.head, true) // commits did not wait for it to be on disk
	}
	if e := checkpoint(ctx, l.db); e != nil && !errors.Is(e, errBusyReaders) && ctx.Err() == nil {
		err = errors.Join(err, e) // busy or late is fine: the WAL holds everything
	}
	return errors.Join(err, l.release())
}

func (l *Log) release() error {
	var err error
	if l.insertEntry != nil {
		err = errors.Join(err, l.insertEntry.Close())
	}
	for _, db := range []*sql.DB{l.reader, l.db} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	if l.letGo != nil {
		l.letGo()
	}
	if l.lock != nil {
		err = errors.Join(err, l.lock.Unlock()) // the file stays: removing it would let two hold it
	}
	return err
}

// readHead reads the identity of the log and its last entry.
func readHead(ctx context.Context, db querier) (Head, error) {
	var head Head
	if err := db.QueryRowContext(ctx, "SELECT id FROM log").Scan(&head.Log); err != nil {
		return head, fmt.Errorf("reading the identity of the log: %w", err)
	}
	head.Hash = genesis(head.Log)
	err := db.QueryRowContext(ctx, "SELECT number, hash FROM entries ORDER BY number DESC LIMIT 1").Scan(&head.Number, &head.Hash)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return head, fmt.Errorf("reading the last entry: %w", err)
	}
	return head, nil
}
