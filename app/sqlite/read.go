package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"

	"github.com/faustine-ai/countersign/app"
)

// Filter chooses entries or calls. Empty members choose everything.
type Filter struct {
	Since, Until time.Time // of the first entry of a call; Until is exclusive
	Fn           string    // a name, or a prefix ending in * (orders.*)
	Decision     string    // a verdict (approve, reject), Undecided, or a decider (user, policy, …)
	Decider      string    // user, policy, demo, closed, aborted
	Outcome      Outcome
	Model        string // a name, or a prefix ending in *
	RunID        string // an id, or its beginning and *
	CallID       string
	Number       int64 // of an entry
	// Text are words that stand together in the function, input, error or rejection
	// of a call, or in the request of its run; with a * behind it, the last may go on.
	// Case and accents do not matter.
	Text  string
	Limit int // the newest so many; 0: all
}

// Undecided is the Decision of calls that nobody had to decide, or has decided yet.
const Undecided = "none"

// Reader reads a log without writing, also while the app writes it.
type Reader struct {
	path   string
	anchor Anchor
	db     *sql.DB
	letGo  func() // SQLite has closed it
	alone  bool   // nobody can write it, so it is not shared

	export, folder string // of an export: the file, and where its entries are kept meanwhile
	partial        bool   // an export from which entries are missing on purpose
}

// attach is the address under which another connection attaches the log.
func (r *Reader) attach() string {
	if r.alone {
		return dsn(r.path, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	}
	return dsn(r.path, url.Values{"mode": {"ro"}})
}

// Path is where the log, or its export, is.
func (r *Reader) Path() string {
	if r.export != "" {
		return r.export
	}
	return r.path
}

// IsExport reports whether this is an export rather than a log.
func (r *Reader) IsExport() bool { return r.export != "" }

// Signs reports whether the key of the log is there, so that exports are signed.
func (r *Reader) Signs() bool {
	_, err := LoadKey(KeyFor(r.path))
	return err == nil
}

// Head reads the last entry of the log.
func (r *Reader) Head(ctx context.Context) (Head, error) {
	head, err := readHead(ctx, r.db)
	if err != nil {
		return head, unreadable(r.path, err)
	}
	return head, nil
}

// OpenReader opens the log at path for reading. It refuses what is no log of
// Countersign.
func OpenReader(path string) (*Reader, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if report, err := VerifyGone(path); err == nil && report.State != "" {
			return nil, fault(ErrGone, "%s", report.Message)
		}
		return nil, fault(ErrGone, "there is no log at %s; name one with --db", path)
	}
	if err := recognise(path); err != nil {
		return nil, err
	}
	letGo, err := hold(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	r := &Reader{path: path, anchor: FileAnchor(HeadFor(path)), db: openReader(path), letGo: letGo}
	err = checkSchema(context.Background(), r.db, path)
	if cannotShare(path, err) {
		if err := r.db.Close(); err != nil {
			letGo()
			return nil, err
		}
		r.db, r.alone = openAlone(path), true
		err = checkSchema(context.Background(), r.db, path)
	}
	if err != nil {
		return nil, errors.Join(unreadable(path, err), r.Close())
	}
	return r, nil
}

// cannotShare reports whether reading failed because SQLite may not put the files
// beside the log by which readers and writers know of each other: its folder is
// read-only. With no WAL there is nothing in them, and nobody is writing.
func cannotShare(path string, err error) bool {
	var s sqlite3.Error
	if !errors.As(err, &s) || s.Code != sqlite3.ErrCantOpen && s.Code != sqlite3.ErrReadonly {
		return false
	}
	info, err := os.Stat(path + "-wal")
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
}

// Close ends reading.
func (r *Reader) Close() error {
	err := r.db.Close()
	r.letGo()
	if r.folder != "" {
		err = errors.Join(err, os.RemoveAll(r.folder))
	}
	return err
}

// Verify checks every entry of the log and its end against the anchor.
func (r *Reader) Verify(ctx context.Context) (Report, error) { return r.VerifyTelling(ctx, "", nil) }

// VerifyTelling is Verify, telling how far it has come. key is the public key by
// which the signer of an export is known ("": it is not); logs have no need of it.
func (r *Reader) VerifyTelling(ctx context.Context, key string, tell Progress) (Report, error) {
	if r.export != "" {
		return r.verifyExport(ctx, key, tell)
	}
	report, err := verify(ctx, r.db, r.anchor, KeyFor(r.path), tell)
	if err != nil {
		return report, unreadable(r.path, err)
	}
	return report, nil
}

// VerifyEnd is Verify for the entries from the anchored one on: quick, however long
// the log is. It finds that the end was cut off or rewritten, or has no anchor.
func (r *Reader) VerifyEnd(ctx context.Context) (Report, error) {
	anchored, err := r.anchor.Load()
	if err != nil && !errors.Is(err, ErrNoAnchor) {
		return Report{}, err
	}
	report, failed := withoutTable(ctx, r.db)
	switch {
	case failed != nil || report.State != "":
	case err != nil:
		report = Report{State: AnchorMissing, Message: fmt.Sprintf("%v: whether the end was cut off cannot be known", err)}
	default:
		report, failed = verifyFrom(ctx, r.db, anchored)
	}
	if failed != nil {
		return report, unreadable(r.path, failed)
	}
	return report, nil
}

func (r *Reader) verifyExport(ctx context.Context, key string, tell Progress) (report Report, err error) {
	var total int64
	if err := r.db.QueryRowContext(ctx, "SELECT count(*) FROM entries").Scan(&total); err != nil {
		return report, unreadable(r.path, err)
	}
	file, err := os.Open(r.export)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return verifyExport(untilDone{ctx, file}, key, func(done int64) {
		if tell != nil {
			tell(done, total)
		}
	})
}

// untilDone reads until ctx ends.
type untilDone struct {
	ctx context.Context
	in  io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.in.Read(p)
}

// Entries returns entries in the order of the log.
func (r *Reader) Entries(ctx context.Context, f Filter) ([]app.Entry, error) {
	return entries(ctx, r.db, f)
}

// EachCall is Calls one by one; an error of yield ends it and is returned.
func (r *Reader) EachCall(ctx context.Context, f Filter, yield func(Call) error) error {
	return each(ctx, r.db, f, yield)
}

// Calls returns calls with all that the log has about them, oldest first.
func (r *Reader) Calls(ctx context.Context, f Filter) ([]Call, error) { return calls(ctx, r.db, f) }

// Entries returns entries in the order of the log.
func (l *Log) Entries(ctx context.Context, f Filter) ([]app.Entry, error) {
	return entries(ctx, l.reader, f)
}

// Calls returns calls with all that the log has about them, oldest first.
func (l *Log) Calls(ctx context.Context, f Filter) ([]Call, error) { return calls(ctx, l.reader, f) }

const columns = "number, at, kind, run_id, call_id, seq, fn, body, previous, hash"

// where writes the conditions of a filter, but for Text, on one entry, aliased e.
// For calls that entry is the first one, and Number any of the call.
func (f Filter) where(ofCall bool) (string, []any) {
	conditions, args := []string{"1"}, []any(nil)
	add := func(condition string, values ...any) {
		conditions, args = append(conditions, condition), append(args, values...)
	}
	if !f.Since.IsZero() {
		add("e.at >= ?", formatTime(f.Since))
	}
	if !f.Until.IsZero() {
		add("e.at < ?", formatTime(f.Until))
	}
	for _, c := range []struct{ column, value string }{{"e.fn", f.Fn}, {"e.run_id", f.RunID}, {"e.call_id", f.CallID}} {
		if prefix, ok := strings.CutSuffix(c.value, "*"); ok {
			add("substr("+c.column+", 1, length(?)) = ?", prefix, prefix)
		} else if c.value != "" {
			add(c.column+" = ?", c.value)
		}
	}
	if f.Number != 0 && ofCall {
		add("EXISTS (SELECT 1 FROM entries n WHERE n.number = ? AND n.run_id = e.run_id AND n.call_id = e.call_id AND (n.call_id <> '' OR n.number = e.number))", f.Number)
	} else if f.Number != 0 {
		add("e.number = ?", f.Number)
	}
	if f.Decision != "" {
		add(`EXISTS (SELECT 1 FROM entries d WHERE d.run_id = e.run_id AND d.call_id = e.call_id AND d.kind = 'call.decided'
			AND ? IN (json_extract(d.body, '$.verdict'), json_extract(d.body, '$.by')))`, f.Decision)
	}
	return strings.Join(conditions, " AND "), args
}

// jsonInner writes text as it stands inside a JSON string of a body.
func jsonInner(s string) string {
	quoted := appendString(nil, s)
	return string(quoted[1 : len(quoted)-1])
}

func entries(ctx context.Context, db querier, f Filter) (out []app.Entry, err error) {
	err = eachEntry(ctx, db, f, func(e app.Entry) error {
		out = append(out, e)
		return nil
	})
	return out, err
}

// eachEntry goes through the entries that a filter chooses, in the log's order.
func eachEntry(ctx context.Context, db querier, f Filter, yield func(app.Entry) error) error {
	where, args := f.where(false)
	if f.Text != "" {
		condition, more := textCondition(f.Text)
		where, args = where+" AND "+condition, append(args, more...)
	}
	query := "SELECT " + columns + " FROM entries e WHERE " + where + " ORDER BY number"
	if f.Limit > 0 {
		query = "SELECT * FROM (" + query + " DESC LIMIT ?) ORDER BY number"
		args = append(args, f.Limit)
	}
	return scan(ctx, db, query, args, yield)
}

// querier is a database, or one view of it in a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func scan(ctx context.Context, db querier, query string, args []any, yield func(app.Entry) error) error {
	return scanWith(ctx, db, query, args, func(e app.Entry, _ []int64) error { return yield(e) })
}

// scanWith reads entries, each with the numbers that the query gives behind them.
func scanWith(ctx context.Context, db querier, query string, args []any, yield func(e app.Entry, with []int64) error) (err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("reading the log: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	given, err := rows.Columns()
	if err != nil {
		return fmt.Errorf("reading the log: %w", err)
	}
	const members = 10 // of an entry
	for rows.Next() {
		var e app.Entry
		var at, body string
		with := make([]int64, len(given)-members)
		into := []any{&e.Number, &at, &e.Kind, &e.RunID, &e.CallID, &e.Seq, &e.Fn, &body, &e.Previous, &e.Hash}
		for i := range with {
			into = append(into, &with[i])
		}
		if err := rows.Scan(into...); err != nil {
			return fmt.Errorf("reading the log: %w", err)
		}
		if e.At, err = time.Parse(timeFormat, at); err != nil {
			return fmt.Errorf("entry %d has the time %q, which is none; verify the log: %w", e.Number, at, err)
		}
		if !json.Valid([]byte(body)) {
			return fmt.Errorf("entry %d has a body that is no JSON; verify the log", e.Number)
		}
		e.Body = json.RawMessage(body)
		if err := yield(e, with); err != nil {
			return err
		}
	}
	return rows.Err()
}

// RunEntries gives the entries that tell of a run itself, in order; none: the log
// has no such run.
func (r *Reader) RunEntries(ctx context.Context, run string) (out []app.Entry, err error) {
	if run == "" {
		return nil, nil
	}
	err = scan(ctx, r.db, "SELECT "+columns+" FROM entries WHERE run_id = ? AND call_id = '' AND kind LIKE 'run.%' ORDER BY number", []any{run}, func(e app.Entry) error {
		out = append(out, e)
		return nil
	})
	return out, err
}
