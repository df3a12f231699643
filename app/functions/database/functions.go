package database

import (
	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
	"github.com/faustine-ai/countersign/app/registry"
)

// Databases is the family on some folders.
type Databases struct {
	folders *folder.Folders
}

// New makes the family.
func New(folders *folder.Folders) *Databases { return &Databases{folders} }

// Functions returns the family's functions.
func (d *Databases) Functions() []*app.Function {
	return []*app.Function{
		registry.Define("database.schema", d.schema,
			registry.Title("Look at a database's tables"), registry.NeverNull(),
			registry.Description("The tables and views of an SQLite file in a picked folder, with their columns, keys and indexes. Look here before writing SQL."),
		),
		registry.Define("database.query", d.query,
			registry.Title("Query a database"), registry.NeverNull(),
			registry.Description("Runs one SELECT (also WITH, VALUES, EXPLAIN, and PRAGMA that only reads) on an SQLite file. It cannot change anything. Rows are objects by column name; NULL is null, a BLOB a Uint8Array, an integer beyond 2^53 a bigint; dates are what the database holds. Put values into parameters, not into the SQL."),
		),
		registry.Define("database.execute", d.execute,
			registry.Title("Change a database"), registry.Plural("Change a database {n} times"), registry.NeverNull(),
			registry.Description("Runs one or several SQL statements on an SQLite file as one transaction: all of them, or none when one fails. Tells how many rows were changed. BEGIN and COMMIT are not written; ATTACH, VACUUM and PRAGMA do not work."),
			registry.Marked(), registry.Valid(d.executeValid), registry.Row(executeWords),
		),
	}
}
