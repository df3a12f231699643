package database_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
	"github.com/faustine-ai/countersign/app/functions/database"
	"github.com/faustine-ai/countersign/app/registry"
	"github.com/faustine-ai/countersign/app/registry/registrytest"
	"github.com/faustine-ai/countersign/app/value"
)

// bench is the family on the folders Data, for writing, and Shelf, for reading.
type bench struct {
	*registry.Registry
	home string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{home: home}
	for _, dir := range []string{"Data", "Shelf", "outside"} {
		if err := os.Mkdir(b.at(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	folders := folder.New(func() []folder.Folder {
		return []folder.Folder{{Name: "Data", Path: b.at("Data"), Write: true}, {Name: "Shelf", Path: b.at("Shelf")}}
	})
	if b.Registry, err = registry.New(database.New(folders).Functions()...); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) at(path string) string { return filepath.Join(b.home, filepath.FromSlash(path)) }

const shop = `
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers (id), total REAL DEFAULT 0, paid BOOLEAN, placed DATETIME, note BLOB);
CREATE INDEX orders_by_customer ON orders (customer);
CREATE VIEW totals AS SELECT customer, sum(total) AS total FROM orders GROUP BY customer;
INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bob');
INSERT INTO orders VALUES (1, 1, 12.5, 1, '2026-11-01', x'00ff'), (2, 1, 30, 0, 'some day', NULL), (9007199254740993, 2, 9e999, 1, 1700000000, x'');
`

// make makes a database by SQL, outside of the family.
func (b *bench) make(t *testing.T, path, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+b.at(path))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func (b *bench) call(ctx context.Context, fn string, input string) (app.Value, error) {
	f, _ := b.Find("database." + fn)
	canonical, err := value.Canonical([]byte(input), "input")
	if err != nil {
		return nil, err
	}
	if _, err := f.Judge(canonical); err != nil {
		return nil, err
	}
	v, err := f.Run(ctx, app.Call{Fn: f.Name, Input: canonical})
	if err != nil {
		return nil, err
	}
	if v, err = value.Canonical(v, "the result"); err != nil {
		return nil, err
	}
	return v, registrytest.Fits(f, v)
}

// input writes a call on Data/shop.db.
func input(sql string, more ...string) string {
	text, err := json.Marshal(sql)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"file":"Data/shop.db","sql":%s%s}`, text, strings.Join(more, ""))
}

func (b *bench) refused(t *testing.T, fn, input, want string) {
	t.Helper()
	v, err := b.call(t.Context(), fn, input)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("database.%s %.200s\n got %.200s, %v\nwant an error about %q", fn, input, v, err, want)
	}
	if err != nil && strings.Contains(err.Error(), b.home) {
		t.Errorf("the error tells where the folder is: %v", err)
	}
}

// everything is what the folders hold, with contents.
func (b *bench) everything(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	if err := filepath.WalkDir(b.home, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&all, "%s %x\n", path, data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all.String()
}
