package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mattn/go-sqlite3"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

const (
	usualRows = 1_000
	maxRows   = 50_000
	maxResult = 8 << 20 // bytes of all rows, about
	// queryTime ends a query that would take for ever.
	queryTime = 30 * time.Second
)

type queryInput struct {
	File       string `json:"file" jsonschema:"an SQLite file, such as Documents/shop.db"`
	SQL        string `json:"sql" jsonschema:"one statement, with ? or :name where values stand"`
	Parameters any    `json:"parameters,omitempty" jsonschema:"a list of values for ?, or an object of values by name for :name"`
	Limit      *int   `json:"limit,omitempty" jsonschema:"at most so many rows: 1 to 50000, 1000 when left out"`
	bound      parameters
}

// Raw reads the parameters as they came.
func (in *queryInput) Raw(v app.Value) error { return in.bound.read(v) }

type queryOutput struct {
	Columns []string         `json:"columns" jsonschema:"the names of the columns, in order; a name that comes twice gets a number"`
	Rows    []map[string]any `json:"rows"`
	More    bool             `json:"more" jsonschema:"there are more rows than limit, or than 8 MiB; narrow the query, or go on with LIMIT and OFFSET"`
}

func (d *Databases) query(ctx context.Context, in queryInput) (queryOutput, error) {
	statement, limit, err := in.check()
	if err != nil {
		return queryOutput{}, err
	}
	place, err := d.folders.At(in.File)
	if err != nil {
		return queryOutput{}, err
	}
	defer place.Close()
	timed, cancel := context.WithTimeout(ctx, queryTime)
	defer cancel()
	c, err := open(timed, place, false)
	if err != nil {
		return queryOutput{}, err
	}
	defer c.Close()
	out, err := c.rows(timed, statement, in.bound, limit)
	if err != nil {
		return queryOutput{}, c.failed(ctx, timed, err)
	}
	return out, nil
}

func (in queryInput) check() (statement string, limit int, err error) {
	if err := checkSQL(in.SQL); err != nil {
		return "", 0, err
	}
	statement, rest := first(in.SQL)
	if rest != "" {
		return "", 0, app.Errorf(app.InvalidInput, "input.sql: expected one statement, and after the first comes %.40q", rest)
	}
	limit = usualRows
	if in.Limit != nil {
		limit = *in.Limit
	}
	if limit < 1 || limit > maxRows {
		return "", 0, app.Errorf(app.InvalidInput, "input.limit: expected 1 to %d, got %d", maxRows, limit)
	}
	return statement, limit, nil
}

// rows runs a query and gives up to limit rows.
func (c *connection) rows(ctx context.Context, sql string, bound parameters, limit int) (out queryOutput, err error) {
	if err := c.checkQuery(sql, bound); err != nil {
		return out, err
	}
	opened, err := c.QueryContext(ctx, sql, bound)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	rows := opened.(*sqlite3.SQLiteRows)
	out = queryOutput{Columns: distinct(rows.Columns()), Rows: []map[string]any{}}
	if len(out.Columns) > 0 {
		// The driver would turn numbers and text into times and booleans where a
		// column is declared so, and lose what it cannot read as one.
		clear(rows.DeclTypes())
	}
	size := 0
	for {
		cells := make([]driver.Value, len(out.Columns))
		if err := rows.Next(cells); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return out, err
		}
		if len(out.Rows) == limit || size > maxResult {
			out.More = true
			return out, nil
		}
		row := make(map[string]any, len(cells))
		for i, cell := range cells {
			given, n := cellOf(cell)
			row[out.Columns[i]] = given
			size += n + len(out.Columns[i])
		}
		out.Rows = append(out.Rows, row)
	}
}

// checkQuery compiles a query to see that it reads only, which SQLite tells beside
// its authorizer, and that every value has a place: the driver would drop the rest.
func (c *connection) checkQuery(sql string, bound parameters) error {
	c.guard.denied = ""
	prepared, err := c.Prepare(sql)
	if err != nil {
		return err
	}
	statement := prepared.(*sqlite3.SQLiteStmt)
	places, reads := statement.NumInput(), statement.Readonly()
	if err := statement.Close(); err != nil {
		return err
	}
	if !reads {
		return app.Errorf(app.FunctionFailed, "database.query only reads, and this statement would change something; database.execute, which needs approval, changes a database")
	}
	if named := len(bound) > 0 && bound[0].Name != ""; !named && places != len(bound) {
		return app.Errorf(app.InvalidInput, "input.parameters: the SQL has places for %d values, and there are %d", places, len(bound))
	}
	return nil
}

// cellOf gives a cell as programs see it, and about how large it is.
func cellOf(cell driver.Value) (any, int) {
	switch cell := cell.(type) {
	case []byte:
		return value.Tagged(value.Bytes(cell)), len(cell) * 4 / 3
	case string:
		if !utf8.ValidString(cell) {
			cell = strings.ToValidUTF8(cell, "\ufffd")
		}
		return cell, len(cell)
	case float64:
		if math.IsInf(cell, 0) {
			text := "Infinity"
			if cell < 0 {
				text = "-Infinity"
			}
			return value.Tagged(`{"$":"number","v":"` + text + `"}`), 8
		}
		return cell, 8
	}
	return cell, 8
}

// distinct makes column names the keys of an object: one that comes twice, as in
// a join, gets a number.
func distinct(names []string) []string {
	seen := map[string]bool{}
	given := make([]string, len(names))
	for i, name := range names {
		name = strings.ToValidUTF8(name, "\ufffd")
		given[i] = name
		for n := 2; seen[given[i]]; n++ {
			given[i] = fmt.Sprintf("%s_%d", name, n)
		}
		seen[given[i]] = true
	}
	return given
}
