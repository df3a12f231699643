package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"slices"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// An export is the log as lines of JSON, which anybody can check without this
// program; app/docs/log-format.md says how:
//
//	{"export":"countersign log", …}   ExportHead
//	{"at":…,"body":…,…,"hash":…}      each entry; without hash it is what was hashed
//	{"end":…}                         ExportEnd, signed
const (
	exportName    = "countersign log"
	exportFormat  = 1
	exportPurpose = "countersign export"
)

// ExportHead is the first line of an export.
type ExportHead struct {
	Export string `json:"export"` // always "countersign log"
	Format int    `json:"format"` // 1
	Log    string `json:"log"`    // id
	At     string `json:"at"`
	// Complete: every entry is there that the log held. Otherwise a filter chose,
	// and what lies between the entries cannot be checked.
	Complete   bool        `json:"complete"`
	Checkpoint *Checkpoint `json:"checkpoint,omitempty"` // what the first entry hangs on
	Anchor     *Head       `json:"anchor,omitempty"`     // as it was outside the log
}

// ExportEnd is the last line. Signature is Ed25519 over "countersign export\n" and
// the canonical JSON of the members log, entries, head and sha256.
type ExportEnd struct {
	End       bool   `json:"end"` // always true
	Entries   int64  `json:"entries"`
	Head      Head   `json:"head"`   // of the log
	SHA256    string `json:"sha256"` // of all lines before, each with its line feed
	Key       string `json:"key,omitempty"`
	Signature string `json:"signature,omitempty"` // none where the key was missing
}

func (e ExportEnd) statement() []byte {
	text, err := json.Marshal(map[string]any{"log": e.Head.Log, "entries": e.Entries, "head": e.Head, "sha256": e.SHA256})
	if err != nil {
		panic("sqlite: the end of an export cannot fail to marshal: " + err.Error())
	}
	return text
}

// Export writes the entries that a filter chooses as lines of an export. It is
// one view of the log, also while the app writes.
func (r *Reader) Export(ctx context.Context, f Filter, line func(text []byte) error) error {
	return r.exportEach(ctx, f == Filter{}, line, func(tx querier, _ int64, yield func(app.Entry) error) error {
		return eachEntry(ctx, tx, f, yield)
	})
}

// Export writes the entries of the calls that a filter chooses, and those that
// tell of their runs, as lines of an export; with no filter, all of the log.
func (c *Catalog) Export(ctx context.Context, f Filter, line func(text []byte) error) error {
	if f == (Filter{}) {
		return c.log.Export(ctx, f, line)
	}
	if _, err := c.Fill(ctx); err != nil {
		return err
	}
	return c.log.exportEach(ctx, false, line, func(tx querier, last int64, yield func(app.Entry) error) error {
		numbers, err := c.entriesOf(ctx, f)
		if err != nil {
			return err
		}
		for chunk := range slices.Chunk(numbers, 500) {
			// What was logged since the head was read is not in this export.
			if err := scan(ctx, tx, "SELECT "+columns+" FROM entries WHERE number IN (SELECT value FROM json_each(?)) AND +number <= ? ORDER BY number", []any{list(chunk), last}, yield); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *Reader) exportEach(ctx context.Context, complete bool, line func(text []byte) error, each func(tx querier, last int64, yield func(app.Entry) error) error) error {
	anchored, err := r.anchor.Load() // before the entries, which are never behind it
	head := ExportHead{Export: exportName, Format: exportFormat, At: formatTime(time.Now()), Complete: complete}
	if err == nil {
		head.Anchor = &anchored
	} else if !errors.Is(err, ErrNoAnchor) {
		return err
	}
	tx, err := r.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return unreadable(r.path, err)
	}
	defer func() { _ = tx.Rollback() }() // it only reads
	end := ExportEnd{End: true}
	if end.Head, err = readHead(ctx, tx); err != nil {
		return unreadable(r.path, err)
	}
	head.Log = end.Head.Log
	if head.Checkpoint, err = lastCheckpoint(ctx, tx); err != nil {
		return unreadable(r.path, err)
	}
	sum := sha256.New()
	if err := put(head, sum, line); err != nil {
		return err
	}
	var text []byte
	err = each(tx, end.Head.Number, func(e app.Entry) error {
		end.Entries++
		text = exportLine(text, e)
		return tell(text, sum, line)
	})
	if err != nil {
		return err
	}
	end.SHA256 = hex.EncodeToString(sum.Sum(nil))
	key, err := LoadKey(KeyFor(r.path))
	switch {
	case err == nil:
		end.Key = key.Public()
		if end.Signature, err = key.sign(exportPurpose, end.statement()); err != nil {
			return err
		}
	case !errors.Is(err, ErrNoKey):
		return err
	}
	return put(end, sum, line)
}

// exportLine writes an entry as it was hashed, with its hash as a last member.
func exportLine(b []byte, e app.Entry) []byte {
	return withHash(preimage(b[:0], formatTime(e.At), e, e.Body), e.Hash)
}

// withHash puts a hash behind the last member of what was hashed, in place.
func withHash(text []byte, hash string) []byte {
	return append(append(append(text[:len(text)-1], `,"hash":"`...), hash...), `"}`...)
}

func put(x any, sum hash.Hash, line func([]byte) error) error {
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return tell(text, sum, line)
}

func tell(text []byte, sum io.Writer, line func([]byte) error) error {
	if _, err := sum.Write(append(text, '\n')); err != nil {
		return err
	}
	return line(text)
}
