package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

// maxBody bounds the body of one entry: room for the largest value and its
// envelope, so that no entry can keep the writer busy for long.
const maxBody = 40 << 20

const insertText = "INSERT INTO entries (number, at, kind, run_id, call_id, seq, fn, body, previous, hash) VALUES (?,?,?,?,?,?,?,?,?,?)"

// Append writes the entries, all or none, and returns when they are on disk.
func (l *Log) Append(ctx context.Context, entries ...app.Entry) error {
	if err := ctx.Err(); err != nil {
		return &app.Error{Code: app.Cancelled, Cause: err, Message: "cancelled before it was logged"}
	}
	if err := l.mayBegin(ctx, entries); err != nil {
		return err
	}
	return <-l.enqueue(true, entries)
}

// AppendSoon writes the entry with the next commit. The channel gets one value. The
// writer prepares it, so that the caller goes on at once; its body must not change.
func (l *Log) AppendSoon(entry app.Entry) <-chan error {
	if entry.At.IsZero() {
		entry.At = time.Now()
	}
	return l.send(request{entries: []app.Entry{entry}, raw: true})
}

func (l *Log) enqueue(sync bool, entries []app.Entry) <-chan error {
	prepared, err := l.prepareAll(entries)
	if err != nil {
		done := make(chan error, 1)
		done <- err
		return done
	}
	return l.send(request{entries: prepared, sync: sync})
}

func (l *Log) prepareAll(entries []app.Entry) ([]app.Entry, error) {
	prepared := make([]app.Entry, len(entries))
	for i, e := range entries {
		var err error
		if prepared[i], err = l.prepare(e); err != nil {
			return nil, &app.Error{Code: app.LogUnavailable, Cause: err, Message: "an entry cannot be logged: " + err.Error()}
		}
	}
	return prepared, nil
}

func (l *Log) send(r request) <-chan error {
	if r.done == nil {
		r.done = make(chan error, 1)
	}
	if !l.queue.put(r) {
		r.done <- fault(ErrClosed, "the log %s is closed, since the app is ending", l.path)
	}
	return r.done
}

// prepare checks an entry and makes its body canonical, before it can spoil the
// commit of others.
func (l *Log) prepare(e app.Entry) (app.Entry, error) {
	if e.Kind == "" {
		return e, errors.New("it has no kind")
	}
	for _, s := range []string{string(e.Kind), e.RunID, e.CallID, e.Fn} {
		if !utf8.ValidString(s) {
			return e, fmt.Errorf("%q is not UTF-8", s)
		}
	}
	if len(e.Body) > maxBody {
		return e, fmt.Errorf("its body has %d bytes; at most %d are taken", len(e.Body), maxBody)
	}
	if len(e.Body) == 0 {
		e.Body = json.RawMessage("{}")
	}
	e, err := l.keepSecret(e)
	if err != nil {
		return e, fmt.Errorf("its secrets cannot be kept: %w", err)
	}
	body, err := value.Transform(e.Body)
	if err != nil {
		return e, fmt.Errorf("its body is no JSON: %w", err)
	}
	e.Body = body
	if e.At.IsZero() {
		e.At = time.Now()
	}
	e.At = e.At.UTC().Truncate(time.Millisecond)
	return e, nil
}

// entryWith fills in the body.
func entryWith(e app.Entry, body any) app.Entry {
	text, err := json.Marshal(body)
	if err != nil {
		panic("sqlite: a body cannot fail to marshal: " + err.Error())
	}
	e.Body = text
	return e
}

// write is the one writer: whatever waits goes into one commit.
func (l *Log) write() {
	defer close(l.done)
	for {
		group, ok := l.queue.take()
		if !ok {
			return
		}
		var alone *request
		if last := len(group) - 1; group[last].task != nil {
			alone, group = &group[last], group[:last]
		}
		group = l.prepareRaw(group)
		err := l.commitGroup(context.Background(), group)
		if err != nil {
			l.lastFault.Store(&Fault{At: time.Now().UTC(), Message: plain(err)})
		}
		for _, r := range group {
			r.done <- err
		}
		if alone != nil {
			alone.done <- alone.task()
		}
		l.index(context.Background(), indexEvery) // nobody waits for it
	}
}

// prepareRaw prepares what is not yet, and answers for and leaves out what cannot be.
func (l *Log) prepareRaw(group []request) []request {
	good := make([]request, 0, len(group))
	for _, r := range group {
		if r.raw {
			var err error
			if r.entries, err = l.prepareAll(r.entries); err != nil {
				r.done <- err
				continue
			}
		}
		good = append(good, r)
	}
	return good
}

func (l *Log) commitGroup(ctx context.Context, group []request) error {
	many := 0
	for _, r := range group {
		many += len(r.entries)
	}
	entries, sync := make([]app.Entry, 0, many), false
	for _, r := range group {
		entries = append(entries, r.entries...)
		sync = sync || r.sync
	}
	if len(entries) == 0 {
		return nil
	}
	if err := l.commit(ctx, entries, false); err != nil {
		return err
	}
	if sync {
		l.flushAnchorSoon()
	}
	return nil
}

// anchorWithin bounds how long the anchor of an entry that somebody waited for is
// written but not flushed to its disk. Nobody waits for that: it costs as much as a
// commit, and what a loss of power may leave, a log that is ahead of its anchor, is
// what one between commit and anchor leaves too.
const anchorWithin = 25 * time.Millisecond

func (l *Log) flushAnchorSoon() {
	if l.anchorLater {
		return
	}
	l.anchorLater = true
	time.AfterFunc(anchorWithin, func() {
		l.send(request{task: func() error { // a closed log has flushed it
			l.anchorLater = false
			if l.anchorOwed {
				return nil // the next commit does not happen before it is stored
			}
			if err := l.anchor.Store(l.head, true); err != nil {
				l.anchorOwed = true
				return err
			}
			return nil
		}})
	})
}

// commitAlone is for Open, before the writer runs.
func (l *Log) commitAlone(ctx context.Context, entries ...app.Entry) error {
	for i := range entries {
		var err error
		if entries[i], err = l.prepare(entries[i]); err != nil {
			return err
		}
	}
	return l.commit(ctx, entries, true)
}

func (l *Log) commit(ctx context.Context, entries []app.Entry, sync bool) error {
	return l.commitWith(ctx, entries, sync, nil)
}

// commitWith commits entries and what else must happen with them or not at all.
func (l *Log) commitWith(ctx context.Context, entries []app.Entry, sync bool, also func(*sql.Tx) error) error {
	if err := l.ready(ctx); err != nil {
		return unavailable(l.path, err)
	}
	head := l.head
	var buffer []byte
	for i := range entries {
		e := &entries[i]
		e.Number, e.Previous = head.Number+1, head.Hash
		e.Hash, buffer = hashOf(formatTime(e.At), *e, e.Body, buffer)
		head.Number, head.Hash = e.Number, e.Hash
	}
	if err := l.insert(ctx, entries, also); err != nil {
		// A failed COMMIT may still have reached the disk. Only reading tells.
		l.unsure = true
		now, reading := readHead(ctx, l.db)
		if reading != nil || now != head {
			return unavailable(l.path, err)
		}
	}
	l.head, l.unsure = head, false
	if err := l.anchor.Store(head, sync); err != nil {
		// The entries are on disk, so this is no failure of theirs; the next
		// commit does not happen before the anchor has caught up.
		l.anchorOwed = true
	}
	return nil
}

// ready refuses to write where writing would lose evidence.
func (l *Log) ready(ctx context.Context) error {
	now, err := os.Stat(l.path)
	if err != nil || !os.SameFile(now, l.file) {
		return fault(ErrGone, "the log %s was removed or replaced while it was open; what is written now would be lost: close the app and restore the file", l.path)
	}
	wal, err := os.Stat(l.path + "-wal")
	switch {
	case l.wal == nil && err == nil:
		l.wal = wal
	case l.wal == nil && errors.Is(err, fs.ErrNotExist): // nothing was written yet
	case err != nil || !os.SameFile(wal, l.wal):
		return fault(ErrGone, "%s-wal, which holds the newest entries of the log, was removed or replaced while it was open; what is written now would be lost to whoever reads the log: close the app, which puts what it still has into the log, and verify it", l.path)
	}
	if l.anchorOwed {
		if err := l.anchor.Store(l.head, true); err != nil {
			return fault(err, "the anchor of the log %s cannot be written: %v", l.path, err)
		}
		l.anchorOwed = false
	}
	if l.unsure {
		head, err := readHead(ctx, l.db)
		if err != nil {
			return err
		}
		if head != l.head {
			return fault(ErrRewritten, "the log %s ends with entry %d, where entry %d was written last; close the app and verify the log", l.path, head.Number, l.head.Number)
		}
		l.unsure = false
	}
	return nil
}

func (l *Log) insert(ctx context.Context, entries []app.Entry, also func(*sql.Tx) error) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	statement := tx.StmtContext(ctx, l.insertEntry)
	for _, e := range entries {
		_, err := statement.ExecContext(ctx, e.Number, formatTime(e.At), string(e.Kind), e.RunID, e.CallID, e.Seq, e.Fn, textOf(e.Body), e.Previous, e.Hash)
		if err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	if also != nil {
		if err := also(tx); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}

// textOf is a body as text, which SQLite copies. No body changes once it is prepared.
func textOf(body []byte) string { return unsafe.String(unsafe.SliceData(body), len(body)) }
