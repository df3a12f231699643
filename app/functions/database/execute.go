package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// executeTime ends a change that would take for ever; nothing is then changed.
const executeTime = 50 * time.Second

type executeInput struct {
	File       string `json:"file" jsonschema:"an SQLite file, such as Documents/shop.db"`
	SQL        string `json:"sql" jsonschema:"one or several statements, with ? or :name where values stand"`
	Parameters any    `json:"parameters,omitempty" jsonschema:"a list of values for ?, or an object of values by name for :name"`
	Create     bool   `json:"create,omitempty" jsonschema:"make the file when it does not exist"`
	bound      parameters
}

// Raw reads the parameters as they came.
func (in *executeInput) Raw(v app.Value) error { return in.bound.read(v) }

type executeOutput struct {
	Changed      int64 `json:"changed" jsonschema:"rows that were inserted, updated or deleted, by triggers too"`
	LastInserted int64 `json:"lastInserted,omitempty" jsonschema:"the rowid of the row that was inserted last"`
}

// executeValid refuses what can only fail before a card asks for it.
func (d *Databases) executeValid(in executeInput) error {
	if err := checkSQL(in.SQL); err != nil {
		return err
	}
	return d.folders.CheckInside(in.File)
}

func (d *Databases) execute(ctx context.Context, in executeInput) (out executeOutput, err error) {
	place, err := d.folders.ForChange(in.File)
	if err != nil {
		return out, err
	}
	defer place.Close()
	if in.Create {
		undo, err := place.MakeFile()
		if err != nil {
			return out, err
		}
		defer undo() // what is still empty was not used
	}
	timed, cancel := context.WithTimeout(ctx, executeTime)
	defer cancel()
	c, err := open(timed, place, true)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if out, err = c.change(timed, in.SQL, in.bound); err != nil {
		return executeOutput{}, c.failed(ctx, timed, err)
	}
	return out, nil
}

// change runs statements as one transaction.
func (c *connection) change(ctx context.Context, sql string, bound parameters) (out executeOutput, err error) {
	if _, err := c.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return out, err
	}
	defer func() {
		if err != nil {
			// The file is closed next, which takes back what is left of it.
			_, failed := c.exec(context.WithoutCancel(ctx), "ROLLBACK")
			if c.AutoCommit() {
				failed = nil // SQLite has rolled back by itself
			}
			err = errors.Join(err, failed)
		}
	}()
	before, err := c.total(ctx)
	if err != nil {
		return out, err
	}
	result, err := c.ExecContext(ctx, sql, bound)
	if err != nil {
		return out, err
	}
	after, err := c.total(ctx)
	if err != nil {
		return out, err
	}
	if out.Changed = after - before; out.Changed > 0 {
		if out.LastInserted, err = result.LastInsertId(); err != nil {
			return out, err
		}
	}
	_, err = c.exec(ctx, "COMMIT")
	return out, err
}

// total counts the rows that this connection has changed.
func (c *connection) total(ctx context.Context) (int64, error) {
	c.guard.ours = true
	defer func() { c.guard.ours = false }()
	rows, err := c.QueryContext(ctx, "SELECT total_changes()", nil)
	if err != nil {
		return 0, err
	}
	cells := make([]driver.Value, 1)
	if err := rows.Next(cells); err != nil && !errors.Is(err, io.EOF) {
		return 0, errors.Join(err, rows.Close())
	}
	n, _ := cells[0].(int64)
	return n, rows.Close()
}

// executeWords name the file and how the SQL begins; the card shows all of it.
func executeWords(_ context.Context, in executeInput) string {
	const most = 120
	sql := strings.Join(strings.Fields(in.SQL), " ")
	if runes := []rune(sql); len(runes) > most {
		sql = string(runes[:most]) + "…"
	}
	return in.File + " · " + sql
}
