package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"net/url"

	"github.com/mattn/go-sqlite3"
)

// pragmas are set by the DSN and read back on every connection: a PRAGMA run by
// hand reaches one connection of a pool only, and a DSN spelled for another
// driver is ignored without a word.
var writerPragmas = map[string]string{
	"journal_mode":       "wal",  // readers while we write
	"synchronous":        "2",    // FULL: a commit survives the loss of power
	"busy_timeout":       "5000", // ms; another program may hold the file for a moment
	"foreign_keys":       "1",
	"recursive_triggers": "1", // or REPLACE deletes past the delete trigger
}

var readerPragmas = map[string]string{
	"busy_timeout": "5000",
	"query_only":   "1",
}

// connector opens connections with checked pragmas. It stands in for
// sql.Register, which is global.
type connector struct {
	dsn     string
	pragmas map[string]string
}

func (c connector) Driver() driver.Driver { return &sqlite3.SQLiteDriver{ConnectHook: c.check} }

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.Driver().Open(c.dsn) }

func (c connector) check(conn *sqlite3.SQLiteConn) error {
	if err := conn.RegisterFunc("has_words", hasWords, true); err != nil {
		return err
	}
	for name, want := range c.pragmas {
		got, err := readPragma(conn, name)
		if err != nil {
			return fmt.Errorf("reading back PRAGMA %s: %w", name, err)
		}
		if got != want {
			return fmt.Errorf("PRAGMA %s is %s on this connection; expected %s", name, got, want)
		}
	}
	return nil
}

func readPragma(conn *sqlite3.SQLiteConn, name string) (string, error) {
	rows, err := conn.Query("PRAGMA "+name, nil)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	row := make([]driver.Value, 1)
	if err := rows.Next(row); err != nil {
		return "", err
	}
	if text, ok := row[0].([]byte); ok {
		return string(text), nil
	}
	return fmt.Sprint(row[0]), nil
}

// openWriter opens an existing file for the one writer.
func openWriter(path string) *sql.DB {
	db := sql.OpenDB(connector{dsn: dsn(path, url.Values{
		"mode":                {"rw"}, // never create: an absent file is a finding
		"_journal_mode":       {"WAL"},
		"_synchronous":        {"FULL"},
		"_busy_timeout":       {"5000"},
		"_foreign_keys":       {"1"},
		"_recursive_triggers": {"1"},
		"_txlock":             {"immediate"},
	}), pragmas: writerPragmas})
	db.SetMaxOpenConns(1)
	return db
}

// openReader opens an existing file for reading, also while another process
// writes it.
func openReader(path string) *sql.DB {
	db := sql.OpenDB(connector{dsn: dsn(path, url.Values{
		"mode":          {"ro"},
		"_busy_timeout": {"5000"},
		"_query_only":   {"1"},
	}), pragmas: readerPragmas})
	db.SetMaxOpenConns(4)
	return db
}

// openAlone opens a file that nobody can write, where it cannot be shared.
func openAlone(path string) *sql.DB {
	return sql.OpenDB(connector{dsn: dsn(path, url.Values{"mode": {"ro"}, "immutable": {"1"}, "_query_only": {"1"}}), pragmas: map[string]string{"query_only": "1"}})
}

func dsn(path string, options url.Values) string {
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: options.Encode()}).String()
}
