package database

import (
	"context"
	"errors"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

// maxTables bounds what one look at a database gives.
const maxTables = 500

type schemaInput struct {
	File string `json:"file" jsonschema:"an SQLite file, such as Documents/shop.db"`
}

// Column is a column of a table or view.
type Column struct {
	Name       string `json:"name"`
	Type       string `json:"type" jsonschema:"as declared; SQLite lets a column hold other types too"`
	NotNull    bool   `json:"notNull,omitempty"`
	PrimaryKey int64  `json:"primaryKey,omitempty" jsonschema:"its place in the primary key, from 1"`
	Default    string `json:"default,omitempty" jsonschema:"as SQL"`
	References string `json:"references,omitempty" jsonschema:"the table and column that it refers to: customers.id"`
}

// Table is a table or view.
type Table struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind" jsonschema:"table, view or virtual"`
	Columns []Column `json:"columns"`
	Indexes []string `json:"indexes,omitempty" jsonschema:"as SQL"`
	SQL     string   `json:"sql,omitempty" jsonschema:"how it was made"`
	Problem string   `json:"problem,omitempty" jsonschema:"why its columns cannot be told"`
}

type schemaOutput struct {
	Tables []Table `json:"tables"`
	More   bool    `json:"more"`
}

func (d *Databases) schema(ctx context.Context, in schemaInput) (out schemaOutput, err error) {
	place, err := d.folders.At(in.File)
	if err != nil {
		return out, err
	}
	defer place.Close()
	timed, cancel := context.WithTimeout(ctx, queryTime)
	defer cancel()
	c, err := open(timed, place, false)
	if err != nil {
		return out, err
	}
	defer c.Close()
	if out, err = c.tables(timed); err != nil {
		return schemaOutput{}, c.failed(ctx, timed, err)
	}
	return out, nil
}

// tables asks under the same guard as any query: a schema is data from elsewhere.
func (c *connection) tables(ctx context.Context) (schemaOutput, error) {
	out := schemaOutput{Tables: []Table{}}
	list, err := c.rows(ctx, `SELECT l.name, l.type, coalesce(s.sql, '') AS sql FROM pragma_table_list AS l
		LEFT JOIN sqlite_schema AS s ON s.name = l.name AND s.type IN ('table', 'view')
		WHERE l.schema = 'main' AND l.name NOT LIKE 'sqlite_%' AND l.type <> 'shadow' ORDER BY l.name`, nil, maxTables)
	if err != nil {
		return out, err
	}
	out.More = list.More
	for _, row := range list.Rows {
		table := Table{Name: text(row["name"]), Kind: text(row["type"]), SQL: text(row["sql"]), Columns: []Column{}}
		if err := c.columns(ctx, &table); err != nil {
			if ctx.Err() != nil {
				return out, err
			}
			// One view that does not work does not hide the others.
			table.Problem = message(c.failed(ctx, ctx, err))
		}
		out.Tables = append(out.Tables, table)
	}
	return out, nil
}

func (c *connection) columns(ctx context.Context, table *Table) error {
	name := parameters{{Ordinal: 1, Value: table.Name}}
	columns, err := c.rows(ctx, `SELECT c.name, c.type, c."notnull" AS required, c.pk, coalesce(c.dflt_value, '') AS "default",
		coalesce(f."table" || coalesce('.' || f."to", ''), '') AS "references"
		FROM pragma_table_xinfo(?1) AS c LEFT JOIN pragma_foreign_key_list(?1) AS f ON f."from" = c.name WHERE c.hidden <> 1 ORDER BY c.cid`, name, maxRows)
	if err != nil {
		return err
	}
	for _, row := range columns.Rows {
		key, _ := row["pk"].(int64)
		table.Columns = append(table.Columns, Column{Name: text(row["name"]), Type: text(row["type"]), NotNull: row["required"] == int64(1),
			PrimaryKey: key, Default: text(row["default"]), References: text(row["references"])})
	}
	indexes, err := c.rows(ctx, `SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?1 AND sql IS NOT NULL ORDER BY name`, name, maxRows)
	if err != nil {
		return err
	}
	for _, row := range indexes.Rows {
		table.Indexes = append(table.Indexes, text(row["sql"]))
	}
	return nil
}

// text is a cell that should be text; a damaged or hostile schema may hold other
// things.
func text(cell any) string {
	switch cell := cell.(type) {
	case string:
		return cell
	case value.Tagged:
		return "(bytes)"
	}
	return ""
}

func message(err error) string {
	var known *app.Error
	if errors.As(err, &known) {
		return known.Message
	}
	return err.Error()
}
