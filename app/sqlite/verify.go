package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/faustine-ai/countersign/app"
)

// State is what verifying found.
type State string

const (
	Intact        State = "intact"
	EntryChanged  State = "entry changed"   // an entry was changed, removed or put in
	TailCut       State = "tail cut"        // the last entries are missing
	Rewritten     State = "chain rewritten" // a consistent chain, but not the anchored one
	AnchorMissing State = "anchor missing"  // a consistent chain; whether it is whole cannot be known
	// Consistent is an export that is signed, by whom was not checked: no key was given.
	Consistent State = "consistent in itself"
)

// Report is the outcome of verifying.
type Report struct {
	State   State  `json:"state"`
	Message string `json:"message"`
	Entries int64  `json:"entries"`          // read and found in order
	Number  int64  `json:"number,omitempty"` // of the first entry that is wrong
	Head    Head   `json:"head"`             // of the database
	Anchor  *Head  `json:"anchor,omitempty"` // nil: missing
	// Checkpoint stands for entries that were removed on purpose; nil: none were.
	Checkpoint *Checkpoint `json:"checkpoint,omitempty"`
	AnchoredIn string      `json:"anchoredIn,omitempty"` // where the anchor is
	Key        string      `json:"key,omitempty"`        // public key beside the anchor
	// Chosen: it is of an export of chosen calls; what lies between them is not in it.
	Chosen bool `json:"chosen,omitempty"`
	// Notes are earlier findings that the log itself records.
	Notes []string `json:"notes,omitempty"`
}

// Verify checks every entry of the log and its end against the anchor.
func (l *Log) Verify(ctx context.Context) (Report, error) {
	return verify(ctx, l.reader, l.anchor, KeyFor(l.path), nil)
}

// Progress is told how many of how many entries were checked, now and then.
type Progress func(done, total int64)

// progressEvery is how many entries lie between two words to a Progress.
const progressEvery = 5000

func verify(ctx context.Context, db *sql.DB, anchor Anchor, keyPath string, tell Progress) (Report, error) {
	// The anchor first: it is written after each commit, so a log that is read
	// after it holds at least what it says.
	anchored, missing := anchor.Load()
	if missing != nil && !errors.Is(missing, ErrNoAnchor) {
		return Report{}, missing
	}
	if r, err := withoutTable(ctx, db); err != nil || r.State != "" {
		r.AnchoredIn = anchor.String()
		if missing == nil {
			r.Anchor = &anchored
		}
		return r, err
	}
	w := walker{}
	if missing == nil {
		w.anchor = &anchored
	}
	if known, err := w.identify(ctx, db); err != nil || !known {
		r := w.report(missing)
		r.AnchoredIn = anchor.String()
		return r, err
	}
	key, err := LoadKey(keyPath)
	if err != nil && !errors.Is(err, ErrNoKey) {
		return Report{}, err
	}
	// One view of the database, since the app may remove a prefix meanwhile.
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return Report{}, fmt.Errorf("reading the log: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // it only reads
	if err := w.beginAt(ctx, tx); err != nil {
		return Report{}, err
	}
	if tell != nil {
		head, err := readHead(ctx, tx)
		if err != nil {
			return Report{}, err
		}
		before := w.last.Number
		w.tell = func() { tell(w.count, head.Number-before) }
	}
	if err := w.walk(ctx, tx); err != nil {
		return Report{}, err
	}
	report := w.report(missing)
	report.AnchoredIn = anchor.String()
	if key != nil {
		report.Key = key.Public()
	}
	return report.underCheckpoint(), nil
}

// VerifyGone is the finding of a log that is not there any more, though its anchor
// says that it held entries. It has no State where the log is there, or never was.
func VerifyGone(path string) (Report, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Report{}, err
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return Report{}, nil // what else is wrong with it is told where it is opened
	}
	anchor := FileAnchor(HeadFor(path))
	head, err := anchor.Load()
	if errors.Is(err, ErrNoAnchor) || err == nil && head.Number == 0 {
		return Report{}, nil
	}
	if err != nil {
		return Report{}, err
	}
	return Report{State: TailCut, Number: 1, Message: gone(path, anchor, head), Anchor: &head, AnchoredIn: anchor.String()}, nil
}

func gone(path string, anchor Anchor, head Head) string {
	return fmt.Sprintf("the log %s is gone: its anchor %s says that it held %d entries; restore a copy, or move the anchor aside to begin a new log", path, anchor, head.Number)
}

// withoutTable is the finding of a log that has not all its tables; it has no State
// where they are all there.
func withoutTable(ctx context.Context, db querier) (Report, error) {
	gone, err := missingTable(ctx, db, "log", "entries")
	if err != nil || gone == "" {
		return Report{}, err
	}
	return Report{State: EntryChanged, Number: 1, Message: fmt.Sprintf("the table %q of the log is gone, and every entry with it", gone)}, nil
}

// missingTable names the first of these tables that a log has not; "" where all are there.
func missingTable(ctx context.Context, db querier, names ...string) (string, error) {
	for _, name := range names {
		var there bool
		if err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?)", name).Scan(&there); err != nil {
			return "", fmt.Errorf("reading the log: %w", err)
		}
		if !there {
			return name, nil
		}
	}
	return "", nil
}

// identify reads which log this is, and fails where it does not say so any more.
func (w *walker) identify(ctx context.Context, db querier) (known bool, err error) {
	var id string
	switch err := db.QueryRowContext(ctx, "SELECT id FROM log").Scan(&id); {
	case errors.Is(err, sql.ErrNoRows):
		w.fail(1, "the row that says which log this is was removed, and no entry can be held against it")
		return false, nil
	case err != nil:
		return false, fmt.Errorf("reading the identity of the log: %w", err)
	}
	w.last = Head{Log: id, Hash: genesis(id)}
	return true, nil
}

// beginAt begins behind the last checkpoint, if there is one.
func (w *walker) beginAt(ctx context.Context, db querier) (err error) {
	if w.checkpoint, err = lastCheckpoint(ctx, db); err == nil && w.checkpoint != nil {
		w.last.Number, w.last.Hash = w.checkpoint.Number, w.checkpoint.Hash
	}
	return err
}

// underCheckpoint judges the checkpoint that the entries hang on: without the
// owner's signature, the beginning was cut off by somebody else.
func (r Report) underCheckpoint() Report {
	c := r.Checkpoint
	if c == nil || r.State == EntryChanged {
		return r
	}
	switch {
	case !c.holds():
		r.State, r.Number = EntryChanged, 1
		r.Message = fmt.Sprintf("entries 1 to %d are missing, and the checkpoint that stands for them is not signed as it says", c.Number)
	case r.Key == "" && r.State == Intact:
		r.State = AnchorMissing
		r.Message = fmt.Sprintf("entries 1 to %d were removed, and whether on purpose cannot be known: the key beside the anchor is missing", c.Number)
	case r.Key != "" && r.Key != c.Key:
		r.State, r.Number = Rewritten, 1
		r.Message = fmt.Sprintf("entries 1 to %d are missing, and the checkpoint that stands for them is signed with another key than the one beside the anchor", c.Number)
	case r.State == Intact:
		r.Message += fmt.Sprintf("; entries 1 to %d were removed on purpose on %s", c.Number, c.At)
	}
	return r
}

// verifyFrom is verify for the entries from the anchored one on: what Open can
// afford with a million entries.
func verifyFrom(ctx context.Context, db *sql.DB, anchored Head) (Report, error) {
	w := walker{anchor: &anchored}
	if known, err := w.identify(ctx, db); err != nil || !known {
		return w.report(nil), err
	}
	if anchored.Number > 1 {
		if err := w.beginAt(ctx, db); err != nil {
			return Report{}, err
		}
		if w.checkpoint != nil && w.checkpoint.Number >= anchored.Number-1 {
			if err := w.walk(ctx, db); err != nil {
				return Report{}, err
			}
			return w.report(nil), nil
		}
		w.last.Number = anchored.Number - 1
		err := db.QueryRowContext(ctx, "SELECT hash FROM entries WHERE number = ?", w.last.Number).Scan(&w.last.Hash)
		if errors.Is(err, sql.ErrNoRows) {
			// The entry before the anchored one is missing: cut, or a gap.
			if head, err := readHead(ctx, db); err != nil || head.Number < anchored.Number {
				w.last = head
				return w.report(nil), err
			}
			w.fail(w.last.Number, "entry %d is missing", w.last.Number)
			return w.report(nil), nil
		}
		if err != nil {
			return Report{}, fmt.Errorf("reading the log: %w", err)
		}
	}
	if err := w.walk(ctx, db); err != nil {
		return Report{}, err
	}
	return w.report(nil), nil
}

// walker goes along the chain.
type walker struct {
	last    Head
	anchor  *Head
	count   int64
	wrong   int64 // number of the first wrong entry; 0: none
	message string
	differs bool // the entry at the anchor's number has another hash
	notes   []string
	// checkpoint is where the walk began; nil: at the first entry.
	checkpoint *Checkpoint
	sparse     bool   // some entries were left out on purpose
	tell       func() // nil: nobody wants to know how far it is
}

func (w *walker) fail(number int64, format string, args ...any) {
	w.wrong, w.message = number, fmt.Sprintf(format, args...)
}

func (w *walker) walk(ctx context.Context, db querier) (err error) {
	rows, err := db.QueryContext(ctx, "SELECT number, at, kind, run_id, call_id, seq, fn, body, previous, hash FROM entries WHERE number > ? ORDER BY number", w.last.Number)
	if err != nil {
		return fmt.Errorf("reading the log: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var buffer []byte
	for rows.Next() && w.wrong == 0 {
		var e app.Entry
		var at string
		var body sql.RawBytes
		if err := rows.Scan(&e.Number, &at, &e.Kind, &e.RunID, &e.CallID, &e.Seq, &e.Fn, &body, &e.Previous, &e.Hash); err != nil {
			return fmt.Errorf("reading the log: %w", err)
		}
		buffer = w.step(at, e, body, buffer)
		if w.tell != nil && w.count%progressEvery == 0 {
			w.tell()
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading the log: %w", err)
	}
	return nil
}

func (w *walker) step(at string, e app.Entry, body, buffer []byte) []byte {
	hash, buffer := hashOf(at, e, body, buffer)
	switch {
	case w.sparse && e.Number > w.last.Number+1 && hash == e.Hash && json.Valid(body):
		w.pass(at, e)
	case e.Number <= w.last.Number:
		w.fail(e.Number, "entry %d stands behind entry %d", e.Number, w.last.Number)
	case e.Number != w.last.Number+1 && e.Number == w.last.Number+2:
		w.fail(w.last.Number+1, "entry %d is missing", w.last.Number+1)
	case e.Number != w.last.Number+1:
		w.fail(w.last.Number+1, "entries %d to %d are missing", w.last.Number+1, e.Number-1)
	case hash != e.Hash || !json.Valid(body):
		w.fail(e.Number, "entry %d was changed: its hash is not that of what it says", e.Number)
	case e.Previous != w.last.Hash && e.Number == 1:
		w.fail(1, "entry 1 does not begin this log: it belongs to another one")
	case e.Previous != w.last.Hash:
		w.fail(w.last.Number, "entry %d was changed and hashed anew: entry %d still names its old hash", w.last.Number, e.Number)
	default:
		w.pass(at, e)
	}
	return buffer
}

// pass goes on behind an entry that is in order.
func (w *walker) pass(at string, e app.Entry) {
	w.last.Number, w.last.Hash = e.Number, e.Hash
	w.count++
	if w.anchor != nil && e.Number == w.anchor.Number && e.Hash != w.anchor.Hash {
		w.differs = true
	}
	switch e.Kind {
	case app.LogAnchored:
		w.notes = append(w.notes, fmt.Sprintf("entry %d (%s): the anchor was missing then", e.Number, at))
	case app.LogKeyed:
		w.notes = append(w.notes, fmt.Sprintf("entry %d (%s): the key was missing then, and a new one was made; exports and secrets of before are under the old one", e.Number, at))
	case app.LogPruned:
		w.notes = append(w.notes, fmt.Sprintf("entry %d (%s): the oldest entries were removed on purpose", e.Number, at))
	}
}

func (w *walker) report(missing error) Report {
	r := Report{Entries: w.count, Head: w.last, Anchor: w.anchor, Number: w.wrong, Message: w.message, Notes: w.notes, Checkpoint: w.checkpoint}
	switch {
	case w.wrong != 0:
		r.State = EntryChanged
	case w.anchor == nil:
		r.State = AnchorMissing
		r.Message = fmt.Sprintf("the %d entries form one chain, but %v: whether the end was cut off cannot be known", w.count, missing)
	case w.anchor.Log != w.last.Log:
		r.State = Rewritten
		r.Message = "the anchor belongs to another log: this one was put in its place"
	case w.checkpoint != nil && w.anchor.Number < w.checkpoint.Number || w.checkpoint != nil && w.anchor.Number == w.checkpoint.Number && w.anchor.Hash != w.checkpoint.Hash:
		r.State, r.Number = Rewritten, w.anchor.Number
		r.Message = fmt.Sprintf("the log begins behind entry %d, but its anchor ends with entry %d: one of the two is not the last one", w.checkpoint.Number, w.anchor.Number)
	case w.last.Number < w.anchor.Number:
		r.State, r.Number = TailCut, w.last.Number+1
		r.Message = fmt.Sprintf("the log ends with entry %d, but its anchor knows %d entries: the last %d were cut off", w.last.Number, w.anchor.Number, w.anchor.Number-w.last.Number)
	case w.differs || (w.anchor.Number == 0 && w.anchor.Hash != genesis(w.last.Log)):
		r.State, r.Number = Rewritten, w.anchor.Number
		r.Message = fmt.Sprintf("the entries form one chain, but entry %d is not the one that the anchor knows: the chain was rewritten", w.anchor.Number)
	default:
		r.State = Intact
		r.Message = fmt.Sprintf("all %d entries are in order and agree with the anchor", w.count)
	}
	return r
}
