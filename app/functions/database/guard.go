package database

import (
	"strings"

	"github.com/mattn/go-sqlite3"
)

// guard judges each step of a statement when SQLite compiles it.
type guard struct {
	change bool   // statements may change the database
	ours   bool   // a statement of our own is being compiled
	denied string // what was refused last, in words
}

// sqliteRecursive is SQLITE_RECURSIVE, which the driver does not name: WITH
// RECURSIVE.
const sqliteRecursive = 33

// authorize permits what is listed and refuses the rest, also what a later SQLite
// may add.
func (g *guard) authorize(action int, first, second, database string) int {
	if g.ours {
		return sqlite3.SQLITE_OK
	}
	if refused := g.refuses(action, first, second); refused != "" {
		g.denied = refused
		return sqlite3.SQLITE_DENY
	}
	return sqlite3.SQLITE_OK
}

func (g *guard) refuses(action int, first, second string) string {
	switch action {
	case sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqliteRecursive:
		return ""
	case sqlite3.SQLITE_FUNCTION:
		if name := strings.ToLower(second); outside[name] {
			return "the function " + name
		}
		return ""
	case sqlite3.SQLITE_PRAGMA:
		if takes, known := reading[strings.ToLower(first)]; known && (takes || second == "") {
			return ""
		}
		return "PRAGMA " + strings.ToLower(first)
	case sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH:
		return "ATTACH and DETACH"
	case sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_SAVEPOINT:
		return "BEGIN, COMMIT, ROLLBACK and SAVEPOINT (a call is one transaction by itself)"
	}
	if !g.change {
		return "a statement that changes something"
	}
	return g.refusesChange(action, first, second)
}

func (g *guard) refusesChange(action int, first, second string) string {
	switch action {
	case sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE,
		sqlite3.SQLITE_CREATE_TABLE, sqlite3.SQLITE_CREATE_INDEX, sqlite3.SQLITE_CREATE_VIEW, sqlite3.SQLITE_CREATE_TRIGGER,
		sqlite3.SQLITE_CREATE_TEMP_TABLE, sqlite3.SQLITE_CREATE_TEMP_INDEX, sqlite3.SQLITE_CREATE_TEMP_VIEW, sqlite3.SQLITE_CREATE_TEMP_TRIGGER,
		sqlite3.SQLITE_DROP_TABLE, sqlite3.SQLITE_DROP_INDEX, sqlite3.SQLITE_DROP_VIEW, sqlite3.SQLITE_DROP_TRIGGER,
		sqlite3.SQLITE_DROP_TEMP_TABLE, sqlite3.SQLITE_DROP_TEMP_INDEX, sqlite3.SQLITE_DROP_TEMP_VIEW, sqlite3.SQLITE_DROP_TEMP_TRIGGER,
		sqlite3.SQLITE_ALTER_TABLE, sqlite3.SQLITE_REINDEX, sqlite3.SQLITE_ANALYZE, sqlite3.SQLITE_DROP_VTABLE:
		return ""
	case sqlite3.SQLITE_CREATE_VTABLE:
		if module := strings.ToLower(second); indexes[module] {
			return ""
		}
		return "a virtual table other than fts5 and rtree"
	}
	return "a statement of this kind"
}

// outside are the functions that reach outside the database, where a build of
// SQLite has them.
var outside = map[string]bool{
	"load_extension": true, "readfile": true, "writefile": true, "edit": true, "lsdir": true, "fsdir": true,
	"fts3_tokenizer": true, "sqlite_dbdata": true, "zipfile": true,
}

// indexes are the virtual tables that keep what they hold inside the database.
var indexes = map[string]bool{"fts5": true, "rtree": true}

// reading are the PRAGMAs that only read; true: also with an argument.
var reading = map[string]bool{
	"table_info": true, "table_xinfo": true, "table_list": true, "index_list": true, "index_info": true, "index_xinfo": true,
	"foreign_key_list": true, "foreign_key_check": true, "integrity_check": true, "quick_check": true,
	"user_version": false, "application_id": false, "schema_version": false, "data_version": false, "encoding": false,
	"page_count": false, "page_size": false, "freelist_count": false, "journal_mode": false, "foreign_keys": false, "collation_list": false,
}
