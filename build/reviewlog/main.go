// Reviewlog makes what the pictures of the log's place are taken of: an app's data
// with a made-up log, and beside it other logs, one for each thing that verifying
// can find.
//
//	go run -tags sqlite_fts5 ./build/reviewlog DIR
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	_ "github.com/mattn/go-sqlite3"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
	"github.com/faustine-ai/countersign/tests/million"
)

const entries = 30_000

func main() {
	if len(os.Args) != 2 {
		log.Fatal("name the folder to write to")
	}
	if err := write(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func write(folder string) error {
	data, state, others := filepath.Join(folder, "data", "countersign"), filepath.Join(folder, "state", "countersign"), filepath.Join(folder, "others")
	for _, each := range []string{data, state, others} {
		if err := os.MkdirAll(each, 0o700); err != nil {
			return err
		}
	}
	path := filepath.Join(others, "whole.db")
	begin := time.Date(2026, 11, 8, 8, 0, 0, 0, time.UTC)
	if err := million.WriteAt(path, entries, begin, time.Minute); err != nil {
		return err
	}
	if err := leaveOpen(path, begin.Add((entries+300)*time.Minute)); err != nil {
		return err
	}
	for _, other := range []string{"changed", "cut", "unanchored", "rewritten"} {
		if err := copyLog(path, filepath.Join(others, other+".db")); err != nil {
			return err
		}
	}
	if err := spoil(others); err != nil {
		return err
	}
	if err := export(path, filepath.Join(others, "export.jsonl")); err != nil {
		return err
	}
	return errors.Join(os.Rename(path, filepath.Join(data, "log.db")),
		os.Rename(path+".head", filepath.Join(state, "log.head")), os.Rename(path+".key", filepath.Join(state, "log.key")))
}

// leaveOpen adds a call whose run ended without its outcome, and a run that waits.
func leaveOpen(path string, at time.Time) (err error) {
	l, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	input := app.Value(`{"id":1042,"reason":"ordered twice"}`)
	var list []app.Entry
	add := func(kind app.Kind, run, call, fn string, b any) {
		text, marshalling := json.Marshal(b)
		err = errors.Join(err, marshalling)
		seq := 0
		if call != "" {
			seq = 1
		}
		list = append(list, app.Entry{At: at, Kind: kind, RunID: run, CallID: call, Seq: seq, Fn: fn, Body: text})
	}
	add(app.RunBegan, "run-lost", "", "", app.RunBeganBody{Request: "Cancel what Ada ordered twice", Model: "claude-sonnet-4-6", Code: "await sdk.orders.cancel({ id: 1042, reason: 'ordered twice' })\n"})
	add(app.CallRequested, "run-lost", "x.1", "orders.cancel", app.CallRequestedBody{Input: input, Digest: input.Digest(), Line: 1})
	add(app.CallDecided, "run-lost", "x.1", "orders.cancel", app.CallDecidedBody{Verdict: app.Approve, By: app.ByUser, Digest: input.Digest(), Card: "k", Shown: "Cancel an order?", WaitedMs: 4200})
	add(app.CallStarted, "run-lost", "x.1", "orders.cancel", app.CallStartedBody{Marked: true, Digest: input.Digest()})
	add(app.RunEnded, "run-lost", "", "", app.RunEndedBody{Status: app.StatusAborted, Unknown: []string{"x.1"}, Error: &app.Reason{Name: "Aborted", Message: "the app ended before the run did"}})
	if err != nil {
		return err
	}
	return l.Append(context.Background(), list...)
}

func copyLog(from, to string) error {
	for _, suffix := range []string{"", ".head", ".key"} {
		text, err := os.ReadFile(from + suffix)
		if err == nil {
			err = os.WriteFile(to+suffix, text, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// spoil does to the copies what verifying finds.
func spoil(folder string) error {
	for name, statement := range map[string]string{
		"changed": `DROP TRIGGER entries_never_change; UPDATE entries SET body = replace(body, '"reject"', '"approve"') WHERE number IN (SELECT number FROM entries WHERE kind = 'call.decided' AND body LIKE '%"reject"%' LIMIT 1)`,
		"cut":     fmt.Sprintf(`DROP TRIGGER entries_never_go; DELETE FROM entries WHERE number > %d`, entries-2000),
	} {
		db, err := sql.Open("sqlite3", filepath.Join(folder, name+".db"))
		if err != nil {
			return err
		}
		_, err = db.Exec(statement)
		if err = errors.Join(err, db.Close()); err != nil {
			return err
		}
	}
	// Another log in the place of the one that was anchored.
	rewritten := filepath.Join(folder, "rewritten.db")
	head, err := os.ReadFile(rewritten + ".head")
	if err != nil {
		return err
	}
	for _, suffix := range []string{"", ".head", ".key", "-wal", "-shm"} {
		if err := os.Remove(rewritten + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := million.Write(rewritten, 5000); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(rewritten+".head", head, 0o600), os.Remove(filepath.Join(folder, "unanchored.db.head")))
}

func export(path, to string) (err error) {
	reader, err := sqlite.OpenReader(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	file, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = reader.Export(context.Background(), sqlite.Filter{}, func(line []byte) error {
		_, err := file.Write(append(line, '\n'))
		return err
	})
	return errors.Join(err, file.Close())
}
