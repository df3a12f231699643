//go:build desktoptest

package desk

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/adrg/xdg"
	_ "github.com/mattn/go-sqlite3" // the driver of the floor below

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/registry"
	"github.com/faustine-ai/countersign/app/value"
)

// What tests/bench measures the app with, beside what testing_desktoptest.go
// adds. COUNTERSIGN_TEST_PAGE names a folder whose page is shown in place of the
// app's own: it drives the same bridge, without a view that would draw meanwhile.

func testPage(page fs.FS) fs.FS {
	if folder := os.Getenv("COUNTERSIGN_TEST_PAGE"); folder != "" {
		return os.DirFS(folder)
	}
	return page
}

const unlogged = "test.unlogged"

// testLog leaves out the calls of one function, so that a program can make the
// same calls with and without the log in one run.
func testLog(log app.Log) app.Log { return sparing{log} }

type sparing struct{ app.Log }

func (s sparing) AppendSoon(e app.Entry) <-chan error {
	if e.Fn != unlogged {
		return s.Log.AppendSoon(e)
	}
	written := make(chan error, 1)
	written <- nil
	return written
}

// benchFunctions are what the bench's programs call.
func benchFunctions() []*app.Function {
	type none struct{}
	type size struct {
		Bytes int `json:"bytes"`
	}
	type write struct {
		ID int `json:"id"`
	}
	echo := func(_ context.Context, v app.Value) (app.Value, error) { return v, nil }
	return []*app.Function{
		registry.Define(unlogged, echo),
		registry.Define("test.bytes", func(_ context.Context, in size) (app.Value, error) {
			data := make([]byte, in.Bytes)
			for i := 0; i < len(data); i += 4096 {
				data[i] = byte(i >> 12)
			}
			return value.Bytes(data), nil
		}),
		registry.Define("test.write", func(_ context.Context, in write) (int, error) { return in.ID, nil }, registry.Marked()),
		registry.Define("test.commit", func(ctx context.Context, _ none) (float64, error) { return commit(ctx) }),
	}
}

var bare struct {
	once sync.Once
	db   *sql.DB
	err  error
}

// commit makes one durable commit of one small row in a bare database beside the
// log, and returns how long that took, in ms: what a durable entry costs at least.
func commit(ctx context.Context) (float64, error) {
	bare.once.Do(func() {
		path := filepath.Join(xdg.DataHome, "countersign", "bare.db")
		if bare.db, bare.err = sql.Open("sqlite3", "file:"+path+"?_journal_mode=WAL&_synchronous=FULL&_txlock=immediate"); bare.err == nil {
			bare.db.SetMaxOpenConns(1)
			_, bare.err = bare.db.Exec("CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY, body TEXT)")
		}
	})
	if bare.err != nil {
		return 0, fmt.Errorf("the bare database: %w", bare.err)
	}
	began := time.Now()
	if _, err := bare.db.ExecContext(ctx, "INSERT INTO entries (body) VALUES (?)", `{"digest":"5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9","marked":true}`); err != nil {
		return 0, err
	}
	return float64(time.Since(began).Microseconds()) / 1000, nil
}
