// Reviewer answers what the page asks of a log, over plain HTTP on the loopback
// interface and on a log that it has made up, for working on the page in a browser.
// See frontend/dev/serve.mjs.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"log"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/review"
	"github.com/faustine-ai/countersign/app/sqlite"
	"github.com/faustine-ai/countersign/tests/million"
)

// chosen answers every dialog.
type chosen struct{ save, open string }

func (c chosen) SaveFile(context.Context, string, string) (string, error) { return c.save, nil }
func (c chosen) OpenFile(context.Context, string) (string, error)         { return c.open, nil }

func main() {
	address := flag.String("address", "127.0.0.1:5175", "where to listen")
	entries := flag.Int("entries", 30_000, "how many entries the log has")
	flag.Parse()
	if err := serve(*address, *entries); err != nil && !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}

func serve(address string, entries int) error {
	folder, err := os.MkdirTemp("", "countersign-reviewer-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path, export := filepath.Join(folder, "log.db"), filepath.Join(folder, "from-Ada.jsonl")
	begin := time.Date(2026, 11, 8, 8, 0, 0, 0, time.UTC)
	if err := million.WriteAt(path, entries, begin, time.Minute); err != nil {
		return err
	}
	written, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer written.Close()
	if err := leaveOpen(written, begin.Add(time.Duration(entries+300)*time.Minute)); err != nil {
		return err
	}
	dialogs := &chosen{save: export, open: export}
	r := review.New(review.Config{Path: path, Log: written, Filters: filepath.Join(folder, "filters.json"), Dialogs: dialogs})
	defer r.Close()
	operations := map[string]app.Operation{}
	for _, o := range r.Operations() {
		operations[o.Name] = o
	}
	if _, err := operations["log.export"].Do(context.Background(), json.RawMessage(`{"source":"","filter":{"model":"gpt-5.2"},"format":"jsonl"}`)); err != nil {
		return err
	}
	dialogs.save = filepath.Join(folder, "exported")
	server := &http.Server{Addr: address, ReadHeaderTimeout: 10 * time.Second, Handler: answer(operations)}
	ending, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ending.Done()
		server.Close()
	}()
	return server.ListenAndServe()
}

// leaveOpen adds a run whose card is open, and one whose call never came back.
func leaveOpen(l *sqlite.Log, at time.Time) error {
	body := func(b any) []byte {
		text, err := json.Marshal(b)
		if err != nil {
			panic(err)
		}
		return text
	}
	seven := app.Value(`{"id":1042,"reason":"ordered twice"}`)
	return l.Append(context.Background(),
		app.Entry{At: at, Kind: app.RunBegan, RunID: "run-crashed", Body: body(app.RunBeganBody{Request: "Cancel what Ada ordered twice", Model: "claude-sonnet-4-6", Code: "await sdk.orders.cancel({ id: 1042, reason: 'ordered twice' })\n"})},
		app.Entry{At: at, Kind: app.CallRequested, RunID: "run-crashed", CallID: "x.1", Seq: 1, Fn: "orders.cancel", Body: body(app.CallRequestedBody{Input: seven, Digest: seven.Digest(), Line: 1})},
		app.Entry{At: at, Kind: app.CallDecided, RunID: "run-crashed", CallID: "x.1", Seq: 1, Fn: "orders.cancel", Body: body(app.CallDecidedBody{Verdict: app.Approve, By: app.ByUser, Digest: seven.Digest(), Card: "k", Shown: "Cancel an order?", WaitedMs: 4200})},
		app.Entry{At: at, Kind: app.CallStarted, RunID: "run-crashed", CallID: "x.1", Seq: 1, Fn: "orders.cancel", Body: body(app.CallStartedBody{Marked: true, Digest: seven.Digest()})},
		app.Entry{At: at, Kind: app.RunEnded, RunID: "run-crashed", Body: body(app.RunEndedBody{Status: app.StatusAborted, Unknown: []string{"x.1"}, Error: &app.Reason{Name: "Aborted", Message: "the app ended before the run did"}})},
		app.Entry{At: at, Kind: app.RunBegan, RunID: "run-open", Body: body(app.RunBeganBody{Request: "Refund what was paid twice in November", Model: "gpt-5.2", Code: "await sdk.mail.send({ to: 'ada@example.com' })\n"})},
		app.Entry{At: at, Kind: app.CallRequested, RunID: "run-open", CallID: "y.1", Seq: 1, Fn: "mail.send", Body: body(app.CallRequestedBody{Input: app.Value(`{"to":"ada@example.com"}`), Line: 1})},
		app.Entry{At: at, Kind: app.RunSuspended, RunID: "run-open", Body: body(app.RunSuspendedBody{Reason: "the page was loaded anew", Waiting: []string{"y.1"}})},
	)
}

// answer takes {"op":…,"args":…}, and answers as the bridge does for one request.
func answer(operations map[string]app.Operation) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Op   string
			Args json.RawMessage
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || operations[asked.Op].Do == nil {
			http.Error(w, "no such operation", http.StatusBadRequest)
			return
		}
		out := map[string]any{}
		ok, err := operations[asked.Op].Do(r.Context(), asked.Args)
		var known *app.Error
		switch {
		case errors.As(err, &known):
			out["error"] = map[string]any{"code": known.Code, "message": known.Message}
		case err != nil:
			out["error"] = map[string]any{"code": app.Internal, "message": err.Error()}
		default:
			out["ok"] = ok
		}
		if err := json.NewEncoder(w).Encode(out); err != nil {
			return // the page has left
		}
	})
}
