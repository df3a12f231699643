package database_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
)

func TestRowsComeAsTheDatabaseHoldsThem(t *testing.T) {
	b := newBench(t)
	b.make(t, "Data/shop.db", shop)
	for _, c := range []struct{ input, want string }{
		{input("SELECT * FROM orders ORDER BY id"),
			`{"columns":["id","customer","total","paid","placed","note"],"more":false,"rows":[` +
				`{"customer":1,"id":1,"note":{"$":"bytes","t":"Uint8Array","v":"AP8="},"paid":1,"placed":"2026-11-01","total":12.5},` +
				`{"customer":1,"id":2,"note":null,"paid":0,"placed":"some day","total":30},` +
				`{"customer":2,"id":{"$":"bigint","v":"9007199254740993"},"note":{"$":"bytes","t":"Uint8Array","v":""},"paid":1,"placed":1700000000,"total":{"$":"number","v":"Infinity"}}]}`},
		{input("SELECT c.name, o.id, c.id FROM orders o JOIN customers c ON c.id = o.customer WHERE o.total > ? ORDER BY 2 LIMIT 1", `,"parameters":[20]`),
			`{"columns":["name","id","id_2"],"more":false,"rows":[{"id":2,"id_2":1,"name":"Ada"}]}`},
		{input("SELECT :a AS a, :b AS b, :c AS c, typeof(:d) AS d", `,"parameters":{"a":"x","b":null,"c":true,"d":{"$":"bytes","t":"Uint8Array","v":"AA=="}}`),
			`{"columns":["a","b","c","d"],"more":false,"rows":[{"a":"x","b":null,"c":1,"d":"blob"}]}`},
		{input("SELECT ? + 0 AS n, ? AS d", `,"parameters":[{"$":"bigint","v":"9007199254740993"},{"$":"date","v":"2026-11-29T08:00:00.000Z"}]`),
			`{"columns":["n","d"],"more":false,"rows":[{"d":"2026-11-29T08:00:00.000Z","n":{"$":"bigint","v":"9007199254740993"}}]}`},
		{input("SELECT name FROM customers ORDER BY id -- and a comment;\n ; /* the end; */ ", `,"limit":1`), `{"columns":["name"],"more":true,"rows":[{"name":"Ada"}]}`},
		{input("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3) SELECT sum(i) AS s FROM n"), `{"columns":["s"],"more":false,"rows":[{"s":6}]}`},
		{input("SELECT ';''--' AS \"a;b\""), `{"columns":["a;b"],"more":false,"rows":[{"a;b":";'--"}]}`},
		{input("PRAGMA table_info(customers)", `,"limit":1`), `{"columns":["cid","name","type","notnull","dflt_value","pk"],"more":true,"rows":[{"cid":0,"dflt_value":null,"name":"id","notnull":0,"pk":1,"type":"INTEGER"}]}`},
		{input("SELECT CAST(x'ff' AS TEXT) AS t, '$' AS \"$\""), `{"columns":["t","$"],"more":false,"rows":[{"$":"object","v":[["$","$"],["t","` + "\ufffd" + `"]]}]}`},
	} {
		got, err := b.call(t.Context(), "query", c.input)
		if err != nil || got.String() != c.want {
			t.Errorf("%s\n got %s, %v\nwant %s", c.input, got, err, c.want)
		}
	}
}

func TestWhatIsWrongWithAQueryIsSaid(t *testing.T) {
	b := newBench(t)
	b.make(t, "Data/shop.db", shop)
	if err := os.WriteFile(b.at("Data/letter.txt"), []byte(strings.Repeat("Dear Ada, ", 1000)), 0o644); err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		input(""): "input.sql is empty", input(" "): "input.sql is empty",
		input("SELECT 1; SELECT 2"): `expected one statement, and after the first comes "SELECT 2"`,
		input("SELEC 1"):            "syntax error", input("SELECT nam FROM customers"): "no such column: nam",
		input("SELECT ?"):                                   "places for 1 values, and there are 0",
		input("SELECT 1", `,"parameters":[1]`):              "places for 0 values, and there are 1",
		input("SELECT ?", `,"parameters":[{"a":1}]`):        "input.parameters[0]: expected null, text",
		input("SELECT ?", `,"parameters":"x"`):              "input.parameters: expected a list of values",
		input("SELECT 1", `,"limit":0`):                     "expected 1 to 50000, got 0",
		`{"file":"Data/none.db","sql":"SELECT 1"}`:          "Data/none.db: there is no such file",
		`{"file":"Data/letter.txt","sql":"SELECT 1"}`:       "Data/letter.txt: it is no SQLite database",
		`{"file":"Data","sql":"SELECT 1"}`:                  "it is a folder",
		`{"file":"Data/../outside/x.db","sql":"SELECT 1"}`:  "no way out",
		`{"file":"Elsewhere/x.db","sql":"SELECT 1"}`:        "there is no folder",
		`{"file":"Data/shop.db?mode=rwc","sql":"SELECT 1"}`: "there is no such file",
		`{"file":"Data/shop.db","sql":"SELECT 'a\u0000b'"}`: "NUL",
	} {
		b.refused(t, "query", in, want)
	}
}

// Whatever SQL a query is, nothing changes: not the file, nothing beside it,
// nothing outside.
func TestAQueryChangesNothing(t *testing.T) {
	hostile := []string{
		"INSERT INTO customers VALUES (3, 'Eve')", "UPDATE customers SET name = 'Eve'", "DELETE FROM customers", "REPLACE INTO customers VALUES (1, 'Eve')",
		"DROP TABLE customers", "CREATE TABLE t (a)", "CREATE TEMP TABLE t AS SELECT 1", "CREATE INDEX i ON customers (name)", "ALTER TABLE customers ADD COLUMN x",
		"CREATE VIEW v AS SELECT 1", "CREATE TRIGGER t AFTER INSERT ON orders BEGIN DELETE FROM customers; END",
		"CREATE VIRTUAL TABLE t USING fts5(a)", "REINDEX", "ANALYZE", "VACUUM", "VACUUM INTO 'OUT/copy.db'",
		"ATTACH 'OUT/new.db' AS other", "ATTACH DATABASE 'OUT/secret.db' AS other", "ATTACH ':memory:' AS m", "DETACH main",
		"BEGIN", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK", "SAVEPOINT s", "RELEASE s", "END",
		"PRAGMA journal_mode = DELETE", "PRAGMA journal_mode(WAL)", "PRAGMA user_version = 7", "PRAGMA writable_schema = ON", "PRAGMA query_only = OFF",
		"PRAGMA main.user_version = 7", "PRAGMA trusted_schema = ON", "PRAGMA temp_store_directory = 'OUT'", "PRAGMA data_store_directory = 'OUT'", "PRAGMA wal_checkpoint(TRUNCATE)",
		"PRAGMA optimize", "PRAGMA incremental_vacuum", "PRAGMA database_list", "PRAGMA mmap_size = 1000000", "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA encoding = 'UTF-16'",
		"UPDATE sqlite_schema SET sql = 'x'", "INSERT INTO sqlite_schema VALUES ('table','t','t',2,'CREATE TABLE t(a)')", "DELETE FROM sqlite_sequence",
		"SELECT load_extension('OUT/evil.so')", "SELECT load_extension('OUT/evil.so', 'init')", "SELECT readfile('OUT/secret.txt')", "SELECT writefile('OUT/new', 'x')", "SELECT edit('x')",
		"SELECT fts3_tokenizer('simple')", "SELECT fts3_tokenizer('simple', x'0000000000000000')", "SELECT * FROM fsdir('OUT')", "SELECT * FROM pragma_database_list", "SELECT * FROM zipfile('OUT/secret.txt')",
		"WITH t AS (SELECT 1) INSERT INTO customers SELECT 9, 'Eve'", "WITH t AS (SELECT 1) DELETE FROM customers RETURNING *", "INSERT INTO customers VALUES (3,'Eve') RETURNING id",
		"EXPLAIN DELETE FROM customers", "SELECT 1; DELETE FROM customers", "SELECT 1;DROP TABLE customers", "/* */ DELETE FROM customers", ";DELETE FROM customers", "SELECT ';'; DELETE FROM customers",
		"SELECT '--'; DELETE FROM customers", "SELECT \"a\"\"; DELETE FROM customers", "SELECT [;]; DELETE FROM customers", "select 1 /* ; */ ; delete from customers",
	}
	for _, journal := range []string{"DELETE", "WAL"} {
		b := newBench(t)
		b.make(t, "Data/shop.db", "PRAGMA journal_mode = "+journal+";"+shop)
		b.make(t, "outside/secret.db", "CREATE TABLE secret (a)")
		before := b.everything(t)
		for _, statement := range hostile {
			statement = strings.ReplaceAll(statement, "OUT", b.at("outside"))
			for range 2 {
				v, err := b.call(t.Context(), "query", input(statement))
				if err == nil {
					t.Errorf("%s %s: %s", journal, statement, v)
				}
			}
			if after := b.everything(t); after != before {
				t.Fatalf("%s %s changed something:\n%s\n%s", journal, statement, after, before)
			}
		}
		if v, err := b.call(t.Context(), "query", input("SELECT count(*) AS n FROM customers")); err != nil || !strings.Contains(v.String(), `"n":2`) {
			t.Errorf("afterwards: %s, %v", v, err)
		}
		if b.everything(t) != before {
			t.Error(journal + ": a plain query changed something")
		}
	}
}

func TestADatabaseThatIsItselfHostileChangesNothing(t *testing.T) {
	b := newBench(t)
	b.make(t, "Data/shop.db", shop+`
		CREATE TABLE traps (a);
		CREATE VIEW trap AS SELECT load_extension('/tmp/evil.so') AS x;
		CREATE TRIGGER trap_insert INSTEAD OF INSERT ON trap BEGIN INSERT INTO traps VALUES (1); END;
		CREATE TABLE generated (a, b AS (a || 'x'));
		CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;`)
	before := b.everything(t)
	b.refused(t, "query", input("SELECT * FROM trap"), "unsafe use of load_extension")
	b.refused(t, "query", input("INSERT INTO trap VALUES (1)"), "only reads")
	if v, err := b.call(t.Context(), "schema", `{"file":"Data/shop.db"}`); err != nil || !strings.Contains(v.String(), `"name":"endless"`) {
		t.Errorf("the schema: %s, %v", v, err)
	}
	if got, err := b.call(t.Context(), "query", input("SELECT * FROM endless", `,"limit":5`)); err != nil || !strings.Contains(got.String(), `"more":true`) {
		t.Errorf("%s, %v", got, err)
	}
	if b.everything(t) != before {
		t.Error("something was changed")
	}
}

func TestAnEndlessQueryEndsWithItsCall(t *testing.T) {
	b := newBench(t)
	b.make(t, "Data/shop.db", shop)
	for _, statement := range []string{
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n ORDER BY i DESC",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		began := time.Now()
		_, err := b.call(ctx, "query", input(statement))
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 30*time.Second {
			t.Errorf("%s: %v after %v", statement, err, time.Since(began))
		}
	}
	b.refused(t, "query", input("SELECT zeroblob(1000000000)"), "too large")
	b.refused(t, "query", input("SELECT length(randomblob(1000000000))"), "too large")
	b.refused(t, "query", input("SELECT "+strings.Repeat("(", 5000)+"1"+strings.Repeat(")", 5000)), "SQLite says")
	got, err := b.call(t.Context(), "query", input("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT hex(zeroblob(50000)) AS x FROM n"))
	if err != nil || !strings.Contains(got.String()[:100], `"more":true`) || len(got) > 10<<20 {
		t.Errorf("a large result: %d bytes, %v", len(got), err)
	}
}

func TestManyQueriesOfOneFileComeOneAfterAnother(t *testing.T) {
	b := newBench(t)
	b.make(t, "Data/shop.db", shop)
	var group sync.WaitGroup
	failed := make([]error, 30)
	for i := range failed {
		group.Go(func() {
			fn, sql := "query", "SELECT count(*) FROM customers"
			if i%3 == 0 {
				fn, sql = "execute", fmt.Sprintf("INSERT INTO customers (name) VALUES ('%d')", i)
			}
			_, failed[i] = b.call(t.Context(), fn, input(sql))
		})
	}
	group.Wait()
	if err := errors.Join(failed...); err != nil {
		t.Error(err)
	}
	if v, err := b.call(t.Context(), "query", input("SELECT count(*) AS n FROM customers")); err != nil || !strings.Contains(v.String(), `"n":12`) {
		t.Errorf("%s, %v", v, err)
	}
}

func TestASchemaTellsTablesColumnsAndKeys(t *testing.T) {
	b := newBench(t)
	b.make(t, "Data/shop.db", shop+"CREATE VIRTUAL TABLE words USING fts5(text); CREATE TABLE \"odd name; --\" (\"a b\" TEXT DEFAULT 'x')")
	v, err := b.call(t.Context(), "schema", `{"file":"Data/shop.db"}`)
	if err != nil {
		t.Fatal(err)
	}
	var out struct {
		Tables []struct {
			Name, Kind string
			Columns    []map[string]any
			Indexes    []string
		}
	}
	if err := json.Unmarshal(v, &out); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, table := range out.Tables {
		got += fmt.Sprintf("%s %s %d %d; ", table.Name, table.Kind, len(table.Columns), len(table.Indexes))
	}
	if got != "customers table 2 0; odd name; -- table 1 0; orders table 6 1; totals view 2 0; words virtual 1 0; " {
		t.Errorf("got %s", got)
	}
	if c := fmt.Sprint(out.Tables[2].Columns[1]); c != "map[name:customer references:customers.id type:INTEGER]" {
		t.Errorf("a column: %s", c)
	}
}

func TestOnlyExecuteIsMarked(t *testing.T) {
	for _, f := range newBench(t).All() {
		if marked := f.Approval == app.ApprovalAlways; marked != (f.Name == "database.execute") || f.Approval == app.ApprovalDepends {
			t.Errorf("%s: %s", f.Name, f.Approval)
		}
	}
}
