// Package million writes a large log as months of use would leave it: runs with
// reads and marked calls, approvals and rejections, failures, refusals, calls of
// which nobody knows how they ended, and a run that waits. The same number of
// entries always gives the same calls.
package million

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// Begin is the time of the first entry of Write; the next ones come Step apart.
var Begin = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)

// Step is how far apart the entries of Write are: a million of them take a month.
const Step = 2500 * time.Millisecond

// Calls is how many calls a run has: 112 reads and 8 that are marked.
const Calls = 120

var (
	reads  = []string{"orders.get", "orders.list", "files.read", "files.search", "web.fetch"}
	marked = []string{"orders.cancel", "mail.send", "files.trash"}
	models = []string{"claude-sonnet-4-6", "gpt-5.2", "offline/cancel-orders"}
	asked  = []string{"Look at the orders of customer %d", "Cancel what customer %d has ordered twice", "Write to customer %d about the late parcel", "Tidy the folder of customer %d"}
	whys   = []string{"not this one", "wrong customer", "ask me again tomorrow", ""}
)

// Write appends about so many entries to a new log at path.
func Write(path string, entries int) error { return WriteAt(path, entries, Begin, Step) }

// WriteAt is Write with other times.
func WriteAt(path string, entries int, begin time.Time, step time.Duration) error {
	log, err := sqlite.Open(path, sqlite.Options{Version: "million"})
	if err != nil {
		return err
	}
	w := &writer{log: log, random: rand.New(rand.NewPCG(8, 8)), begin: begin, step: step}
	for run := 0; w.count < entries && w.failed == nil; run++ {
		w.run(run)
	}
	w.drain(0)
	if err := log.Close(); w.failed == nil {
		w.failed = err
	}
	return w.failed
}

type writer struct {
	log     *sqlite.Log
	random  *rand.Rand
	begin   time.Time
	step    time.Duration
	waiting []<-chan error
	count   int
	failed  error
}

// drain waits until at most so many entries are not written yet.
func (w *writer) drain(most int) {
	for len(w.waiting) > most {
		if err := <-w.waiting[0]; err != nil && w.failed == nil {
			w.failed = err
		}
		w.waiting = w.waiting[1:]
	}
}

func (w *writer) add(kind app.Kind, run string, seq int, fn string, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		w.failed = err
		return
	}
	e := app.Entry{At: w.begin.Add(time.Duration(w.count) * w.step), Kind: kind, RunID: run, Seq: seq, Fn: fn, Body: text}
	if seq > 0 {
		e.CallID = fmt.Sprintf("%s.%d", run, seq)
	}
	w.count++
	w.waiting = append(w.waiting, w.log.AppendSoon(e))
	w.drain(4000)
}

func (w *writer) run(n int) {
	id := fmt.Sprintf("run-%05d", n)
	model := models[n%len(models)]
	w.add(app.RunBegan, id, 0, "", app.RunBeganBody{Request: fmt.Sprintf(asked[n%len(asked)], n), Model: model, Version: "0.1.0",
		Code: "const orders = await sdk.orders.list({ open: true })\nfor (const { id } of orders) {\n  const order = await sdk.orders.get({ id })\n  if (order.twice) await sdk.orders.cancel({ id, reason: 'ordered twice' })\n}\nreturn orders.length\n"})
	var unknown []string
	for seq := 1; seq <= Calls; seq++ {
		if seq%15 == 0 {
			if w.marked(id, n, seq) {
				unknown = append(unknown, fmt.Sprintf("%s.%d", id, seq))
			}
			continue
		}
		w.read(id, n, seq)
	}
	end := app.RunEndedBody{Status: app.StatusOK}
	if unknown != nil {
		end = app.RunEndedBody{Status: app.StatusAborted, Unknown: unknown, Error: &app.Reason{Name: "Aborted", Message: "the app ended before the run did"}}
	} else if n%9 == 4 {
		end = app.RunEndedBody{Status: app.StatusError, Error: &app.Reason{Name: "TypeError", Message: "TypeError: orders.map is not a function (line 2)"}}
	}
	w.add(app.RunEnded, id, 0, "", end)
}

func (w *writer) read(id string, n, seq int) {
	fn := reads[w.random.IntN(len(reads))]
	input := app.Value(fmt.Sprintf(`{"id":%d,"note":"open order %d"}`, n*Calls+seq, (n*Calls+seq)%977))
	w.add(app.CallStarted, id, seq, fn, app.CallStartedBody{Input: input, Digest: input.Digest()})
	settled := app.CallSettledBody{Ms: float64(w.random.IntN(900)) / 10, Value: app.Value(`{"id":7,"status":"open"}`)}
	if w.random.IntN(10) == 0 {
		settled = app.CallSettledBody{Ms: 1, Error: &app.Reason{Name: "FunctionFailed", Message: fmt.Sprintf("there is no such order; the customer is Zoë Müller %d", n)}}
	}
	w.add(app.CallSettled, id, seq, fn, settled)
}

// marked writes a marked call, and reports whether its outcome stays unknown.
func (w *writer) marked(id string, n, seq int) (unknown bool) {
	fn := marked[w.random.IntN(len(marked))]
	input := app.Value(fmt.Sprintf(`{"id":%d,"reason":"asked by customer %d"}`, n*Calls+seq, n))
	at := w.random.IntN(100)
	if at == 0 {
		w.add(app.CallRefused, id, seq, fn, app.CallRefusedBody{Code: app.ApprovalRequired, Message: fn + " needs an approval, and there is none for this input", Input: input})
		return false
	}
	w.add(app.CallRequested, id, seq, fn, app.CallRequestedBody{Title: "Do " + fn, Input: input, Digest: input.Digest(), Line: 4})
	d := app.CallDecidedBody{Verdict: app.Approve, By: app.ByUser, Digest: input.Digest(), Card: fmt.Sprintf("card-%s-%d", id, seq/60), Shown: "Do " + fn + "?",
		WaitedMs: int64(700 + w.random.ExpFloat64()*9000)}
	switch {
	case at < 20:
		d.Verdict, d.Reason = app.Reject, whys[w.random.IntN(len(whys))]
	case at < 23:
		d.Verdict, d.By, d.Reason = app.Reject, app.ByClosed, "the card was closed"
	case at < 25:
		d.Verdict, d.By, d.Reason = app.Reject, app.ByAborted, "the run was stopped"
	case at < 28:
		d.By = app.ByPolicy
	}
	w.add(app.CallDecided, id, seq, fn, d)
	if d.Verdict == app.Reject {
		return false
	}
	w.add(app.CallStarted, id, seq, fn, app.CallStartedBody{Marked: true, Digest: input.Digest()})
	if at == 99 && n%4 == 0 {
		return true
	}
	settled := app.CallSettledBody{Ms: 20 + float64(w.random.IntN(4000))/10, Value: app.Value(`{"done":true}`)}
	if at > 93 {
		settled = app.CallSettledBody{Ms: 5, Error: &app.Reason{Name: "FunctionFailed", Message: fmt.Sprintf("order %d is cancelled already", n*Calls+seq)}}
	}
	w.add(app.CallSettled, id, seq, fn, settled)
	return false
}
