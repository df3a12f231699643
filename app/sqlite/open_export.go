package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/faustine-ai/countersign/app"
)

// OpenExport opens an export for reading as a log: its entries are put into a
// temporary database, which Close removes. What it verifies is the export itself,
// with the key that is given to VerifyTelling.
func OpenExport(ctx context.Context, path string) (r *Reader, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := file.Close(); e != nil && err == nil {
			err = errors.Join(e, r.Close())
		}
	}()
	folder, err := os.MkdirTemp("", "countersign-export-")
	if err != nil {
		return nil, err
	}
	remove := func(err error) (*Reader, error) { return nil, errors.Join(err, os.RemoveAll(folder)) }
	copied := filepath.Join(folder, "log.db")
	complete, err := copyExport(ctx, file, copied)
	if err != nil {
		return remove(fmt.Errorf("the export %s cannot be opened: %w", path, err))
	}
	if r, err = OpenReader(copied); err != nil {
		return remove(err)
	}
	r.export, r.folder, r.partial = path, folder, !complete
	return r, nil
}

// copyExport puts the entries of an export, as far as they can be read, into a new
// database at path. What is wrong with them is told by verifying.
func copyExport(ctx context.Context, in io.Reader, path string) (complete bool, err error) {
	x := newExported(in)
	if err := x.begin(); err != nil {
		return false, err
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return false, err
	}
	db := openWriter(path)
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA synchronous = OFF", applicationID)); err != nil {
		return false, err
	}
	if err := migrate(ctx, db); err != nil {
		return false, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	err = x.fill(ctx, tx)
	if err != nil {
		return false, errors.Join(err, tx.Rollback())
	}
	return x.head.Complete, tx.Commit()
}

func (x *exported) fill(ctx context.Context, tx *sql.Tx) error {
	// An export may leave entries out, which a log must not.
	if _, err := tx.ExecContext(ctx, "DROP TRIGGER entries_only_at_the_end"); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO log (only, id, created, version) VALUES (1, ?, ?, '')", x.head.Log, x.head.At); err != nil {
		return err
	}
	insert, err := tx.PrepareContext(ctx, "INSERT OR IGNORE INTO entries"+insertText[len("INSERT INTO entries"):])
	if err != nil {
		return err
	}
	x.keep = func(at string, e app.Entry) error {
		_, err := insert.ExecContext(ctx, e.Number, at, string(e.Kind), e.RunID, e.CallID, e.Seq, e.Fn, string(e.Body), e.Previous, e.Hash)
		return err
	}
	return errors.Join(x.all(), insert.Close())
}

// Partial reports whether this is an export of chosen calls, in which entries are
// missing on purpose.
func (r *Reader) Partial() bool { return r.partial }
