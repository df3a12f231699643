package database_test

import (
	"database/sql"
	"os"
	"strings"
	"testing"
)

func TestAChangeHappensAsAWholeOrNotAtAll(t *testing.T) {
	b := newBench(t)
	b.make(t, "Data/shop.db", shop)
	for _, c := range []struct{ input, want string }{
		{input("UPDATE orders SET paid = 1 WHERE customer = ?", `,"parameters":[1]`), `"changed":2`},
		{input("INSERT INTO customers (name) VALUES ('Cy'), ('Di'); DELETE FROM orders WHERE id = 1"), `{"changed":3,"lastInserted":4}`},
		{input("CREATE TABLE notes (a); CREATE TRIGGER t AFTER INSERT ON notes BEGIN INSERT INTO customers (name) VALUES ('by trigger; --'); END; INSERT INTO notes VALUES (:a)", `,"parameters":{"a":"x"}`), `"changed":2`},
		{input("DELETE FROM notes WHERE a = 'none'"), `{"changed":0}`},
		{input("INSERT INTO notes VALUES (?)", `,"parameters":[{"$":"bytes","t":"Uint8Array","v":"AP8="}]`), `"changed":2`},
		{input("DROP TABLE notes"), `"changed":`},
	} {
		if got, err := b.call(t.Context(), "execute", c.input); err != nil || !strings.Contains(got.String(), c.want) {
			t.Errorf("%s\n got %s, %v\nwant %s", c.input, got, err, c.want)
		}
	}
	before := b.everything(t)
	for in, want := range map[string]string{
		input("DELETE FROM orders; INSERT INTO nowhere VALUES (1)"): "no such table: nowhere",
		input("DELETE FROM orders; COMMIT; DELETE FROM customers"):  "BEGIN, COMMIT, ROLLBACK and SAVEPOINT",
		input("DELETE FROM orders; ROLLBACK"):                       "BEGIN, COMMIT",
		input("INSERT INTO customers VALUES (9, NULL)"):             "NOT NULL constraint failed",
		input("INSERT OR ROLLBACK INTO customers VALUES (1, 'x')"):  "UNIQUE constraint failed",
		input("INSERT INTO orders (customer) VALUES (99)"):          "FOREIGN KEY constraint failed",
		input("DELETE FROM orders; SELECT ?", `,"parameters":[]`):   "not enough args",
		`{"file":"Shelf/none.db","sql":"DELETE FROM a"}`:            "reading only",
		`{"file":"Data/none.db","sql":"CREATE TABLE a (b)"}`:        "there is no such file",
	} {
		b.refused(t, "execute", in, want)
		if after := b.everything(t); after != before {
			t.Fatalf("%s changed something", in)
		}
	}
}

func TestAChangeReachesNoOtherFile(t *testing.T) {
	b := newBench(t)
	b.make(t, "Data/shop.db", shop)
	b.make(t, "outside/secret.db", "CREATE TABLE secret (a)")
	before := b.everything(t)
	for _, statement := range []string{
		"ATTACH 'OUT/new.db' AS other", "VACUUM INTO 'OUT/copy.db'", "VACUUM", "SELECT load_extension('OUT/evil.so')", "SELECT writefile('OUT/new', 'x')",
		"PRAGMA journal_mode = WAL", "PRAGMA writable_schema = ON", "PRAGMA temp_store_directory = 'OUT'", "PRAGMA user_version = 3",
		"CREATE VIRTUAL TABLE t USING csv(filename='OUT/secret.db')", "CREATE VIRTUAL TABLE t USING fts3(a, tokenize=simple)", "UPDATE sqlite_schema SET sql = 'x'", "DELETE FROM sqlite_schema",
		"INSERT INTO customers SELECT 7, load_extension('OUT/evil.so')", "CREATE TABLE t AS SELECT load_extension('x')",
	} {
		statement = strings.ReplaceAll(statement, "OUT", b.at("outside"))
		if v, err := b.call(t.Context(), "execute", input(statement)); err == nil {
			t.Errorf("%s: %s", statement, v)
		}
		if b.everything(t) != before {
			t.Fatalf("%s changed something", statement)
		}
	}
}

func TestANewDatabaseIsMadeOnlyWhenAsked(t *testing.T) {
	b := newBench(t)
	b.refused(t, "execute", `{"file":"Data/new.db","create":true,"sql":"CREATE TABEL a (b)"}`, "syntax error")
	b.refused(t, "execute", `{"file":"Data/none/new.db","create":true,"sql":"CREATE TABLE a (b)"}`, "there is no such file or folder")
	if left, err := os.ReadDir(b.at("Data")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if got, err := b.call(t.Context(), "execute", `{"file":"Data/new.db","create":true,"sql":"CREATE TABLE a (b)"}`); err != nil {
		t.Fatalf("%s, %v", got, err)
	}
	if got, err := b.call(t.Context(), "execute", `{"file":"Data/new.db","create":true,"sql":"INSERT INTO a VALUES (1)"}`); err != nil || !strings.Contains(got.String(), `"changed":1`) {
		t.Errorf("%s, %v", got, err)
	}
}

func TestALockedOrReadOnlyDatabaseSaysSo(t *testing.T) {
	b := newBench(t)
	b.make(t, "Data/shop.db", shop)
	other, err := sql.Open("sqlite3", "file:"+b.at("Data/shop.db")+"?_txlock=exclusive")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	b.refused(t, "execute", input("DELETE FROM orders"), "another program is changing the database")
	b.refused(t, "query", input("SELECT 1 FROM orders"), "another program is changing the database")
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
}

func TestADatabaseInALinkThatLeadsOutIsNotOpened(t *testing.T) {
	b := newBench(t)
	b.make(t, "outside/secret.db", "CREATE TABLE secret (a)")
	b.make(t, "Data/real.db", "CREATE TABLE fine (a)")
	for link, target := range map[string]string{"Data/out.db": "../outside/secret.db", "Data/dir": "../outside", "Data/in.db": "real.db"} {
		if err := os.Symlink(target, b.at(link)); err != nil {
			t.Fatal(err)
		}
	}
	b.refused(t, "query", `{"file":"Data/out.db","sql":"SELECT 1"}`, "leads out of the picked folder")
	b.refused(t, "query", `{"file":"Data/dir/secret.db","sql":"SELECT 1"}`, "leads out of the picked folder")
	b.refused(t, "execute", `{"file":"Data/dir/new.db","create":true,"sql":"CREATE TABLE a (b)"}`, "leads out of the picked folder")
	if v, err := b.call(t.Context(), "query", `{"file":"Data/in.db","sql":"SELECT count(*) AS n FROM fine"}`); err != nil {
		t.Errorf("%s, %v", v, err)
	}
}
