package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pressly/goose/v3"
)

// applicationID marks a file as a log of Countersign: "Csgn", in SQLite's header.
const applicationID = 0x4373676e

// fileFormat is how every SQLite database starts.
const fileFormat = "SQLite format 3\x00"

//go:embed migrations/*.sql
var migrations embed.FS

// recognise looks at a file before SQLite does, since opening a foreign
// database could already change it. It never writes.
func recognise(path string) error {
	header, isHeld, err := startOf(path, 100)
	if isHeld {
		return nil // by this process, which has recognised it
	}
	if errors.Is(err, errIrregular) {
		return fault(ErrForeign, "the log %s is no regular file; it is left as it is: name another file for the log, or move it aside and restore a copy", path)
	}
	if err != nil {
		return fmt.Errorf("cannot read the log: %w", err)
	}
	switch {
	case len(header) == 0:
		return fault(ErrEmpty, "the log %s is an empty file: its entries are gone, or it never was a log; it is left as it is: restore a copy, or move it aside together with its anchor", path)
	case len(header) < 100 || !strings.HasPrefix(string(header), fileFormat):
		return fault(ErrForeign, "the log %s is no SQLite database (damaged, or another kind of file); it is left as it is: restore a copy, or move it aside together with its anchor", path)
	case binary.BigEndian.Uint32(header[68:72]) != applicationID:
		return fault(ErrForeign, "%s is the database of another application; it is left as it is: name another file for the log", path)
	}
	return nil
}

func migrationFiles() fs.FS {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic("sqlite: the embedded migrations have no folder: " + err.Error())
	}
	return sub
}

func provider(db *sql.DB) (*goose.Provider, error) {
	return goose.NewProvider(goose.DialectSQLite3, db, migrationFiles())
}

// migrate brings the schema up to what this version writes.
func migrate(ctx context.Context, db *sql.DB) error {
	p, err := provider(db)
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	return err
}

// newestSchema is the version of the last embedded migration.
func newestSchema(db *sql.DB) (int64, error) {
	p, err := provider(db)
	if err != nil {
		return 0, err
	}
	sources := p.ListSources()
	return sources[len(sources)-1].Version, nil
}

// checkSchema refuses a schema that a newer version made.
func checkSchema(ctx context.Context, db *sql.DB, path string) error {
	newest, err := newestSchema(db)
	if err != nil {
		return err
	}
	gone, err := missingTable(ctx, db, "goose_db_version")
	if err != nil {
		return err
	}
	if gone != "" {
		return damaged(path, fmt.Errorf("the table %s, which has its version, is gone", gone))
	}
	var has int64
	if err := db.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied").Scan(&has); err != nil {
		return fmt.Errorf("reading the version of the log: %w", err)
	}
	if has > newest {
		return fault(ErrNewer, "the log %s has schema %d, and this version knows schemas up to %d; use the newer Countersign that wrote it", path, has, newest)
	}
	return nil
}
