package gate

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// WaitingRun is a run that waits for its card to be opened again.
type WaitingRun struct {
	RunID   string    `json:"runId"`
	Request string    `json:"request"`
	Model   string    `json:"model"`
	Title   string    `json:"title"` // of its card
	Calls   int       `json:"calls"`
	Since   time.Time `json:"since"`
	// Problem says why it cannot go on and can only be dismissed; empty: it can.
	Problem string `json:"problem,omitempty"`
}

// Waiting lists the runs that wait without a card, the longest waiting first. An
// error says what could not be read, beside what could.
func (g *Gate) Waiting(ctx context.Context) ([]WaitingRun, error) {
	list := []WaitingRun{}
	if g.waiting == nil {
		return list, nil
	}
	all, err := g.waiting.List(ctx)
	for _, w := range all {
		if g.free(w.ID) != nil {
			continue
		}
		problem := g.problem(w)
		if before, known := g.remember(w); known && !sameWaiting(before, w) {
			w, problem = before, changed
		}
		list = append(list, listed(w, problem))
	}
	for _, w := range g.missing(all) {
		if _, err := g.waiting.Read(ctx, w.ID); err != nil {
			list = append(list, listed(w, lost(err)))
		}
	}
	slices.SortFunc(list, func(a, b WaitingRun) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.RunID, b.RunID))
	})
	return list, err
}

func listed(w app.WaitingRun, problem string) WaitingRun {
	return WaitingRun{w.ID, w.Request, w.Model, w.Title, len(w.Rows), w.Since, problem}
}

// ReadWaiting gives everything of a run that waits without a card. Reading
// changes nothing.
func (g *Gate) ReadWaiting(ctx context.Context, runID string) (app.WaitingRun, error) {
	if err := g.free(runID); err != nil {
		return app.WaitingRun{}, err
	}
	if g.waiting == nil {
		return app.WaitingRun{}, app.Errorf(app.NotWaiting, "the run %.50q does not wait", runID)
	}
	w, err := g.waiting.Read(ctx, runID)
	switch before, known := g.remembered(runID); {
	case known && err != nil:
		return w, cannot(lost(err))
	case known && !sameWaiting(before, w):
		return w, cannot(changed)
	}
	return w, err
}

// cannot is the error for a run that can only be dismissed.
func cannot(problem string) error {
	return app.Errorf(app.CannotResume, "this run cannot go on: %s; dismiss it", problem)
}

// free says why a run does not wait without a card, or nil.
func (g *Gate) free(runID string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.freeLocked(runID)
}

func (g *Gate) freeLocked(runID string) error {
	switch {
	case g.ended[runID]:
		return notOn(runID)
	case g.runs[runID] != nil:
		return app.Errorf(app.BadRequest, "the run %.50q is on; its card is open, or was decided", runID)
	}
	return nil
}

// problem says why a run can only be dismissed, or "".
func (g *Gate) problem(w app.WaitingRun) string {
	if w.Library != g.library {
		return "it was begun by another build of the sandbox, which this one does not continue"
	}
	for _, name := range slices.Sorted(maps.Keys(w.Functions)) {
		f, ok := g.functions.Find(name)
		if !ok {
			return fmt.Sprintf("the function %s, which it has called, does not exist any more", name)
		}
		if definition(f) != w.Functions[name] {
			return fmt.Sprintf("the definition of the function %s, which it has called, has changed since", name)
		}
	}
	for _, row := range w.Rows {
		if _, known := w.Functions[row.Fn]; !known {
			return fmt.Sprintf("there was no function %s when it was put before you", row.Fn)
		}
	}
	if !g.asks() { // which may be otherwise later
		return "the settings have it that nobody is asked, so nothing that needs approval runs"
	}
	return ""
}

// Reopen lets a waiting run go on: its card is shown again, with the rows that
// are kept, and the outcome is that of Decide. The run is then on, as after
// Begin; whoever asked resumes it and ends it. When the page or the app goes
// first, it waits again. What was decided earlier cannot be decided again.
func (g *Gate) Reopen(ctx context.Context, runID string) (Outcome, error) {
	w, err := g.ReadWaiting(ctx, runID)
	if err != nil {
		return Outcome{}, err
	}
	if problem := g.problem(w); problem != "" {
		return Outcome{}, cannot(problem)
	}
	r := newRun(w.Run, g.functions)
	rows := make([]Row, len(w.Rows))
	for i, row := range w.Rows {
		rows[i] = Row{Line: row.Line, Call: app.Call{RunID: runID, CallID: row.CallID, Seq: row.Seq, Fn: row.Fn, Input: row.Input}}
		if row.Input.Digest() != row.Digest {
			return Outcome{}, cannot(fmt.Sprintf("the input of call %d is not the one that was put before you", row.Seq))
		}
	}
	if err := checkRows(runID, rows); err != nil {
		return Outcome{}, err
	}
	for _, c := range w.Claimed {
		r.claimed[c.CallID], r.seqs[c.Seq] = c.Seq, true
	}
	for _, id := range w.Started {
		r.started[id] = true
	}
	for name := range w.Functions {
		r.called[name] = true
	}
	r.waits, r.rowIDs = true, rowIDs(w)
	if err := g.resume(ctx, r); err != nil {
		return Outcome{}, err
	}
	_, inner, leave, err := g.claim(ctx, runID, rows)
	if err != nil { // the page or the app went at once
		return Outcome{}, err
	}
	return g.decideIn(ctx, r, inner, leave, round{rows: rows, continuation: w.Continuation, since: w.Since, again: true})
}

// resume logs that a run goes on and puts it on, if it is the first to do so.
func (g *Gate) resume(ctx context.Context, r *run) error {
	g.mu.Lock()
	if err := g.freeLocked(r.ID); err != nil {
		g.mu.Unlock()
		return err
	}
	g.runs[r.ID] = r
	g.mu.Unlock()
	err := g.append(ctx, entry(app.RunResumed, app.Call{RunID: r.ID}, app.RunResumedBody{Waiting: r.rowIDs, Version: g.version, Engine: g.engine}))
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		delete(g.runs, r.ID)
		return err
	}
	r.on = true
	return nil
}

// Dismiss ends a run that waits without a card: its calls are rejected by the
// user and never run. What is kept of it need not be readable any more.
func (g *Gate) Dismiss(ctx context.Context, runID string) error {
	w, err := g.ReadWaiting(ctx, runID)
	if before, known := g.remembered(runID); known && app.CodeOf(err) == app.CannotResume {
		w, err = before, nil // its calls are closed all the same
	}
	if err != nil {
		return err
	}
	g.mu.Lock()
	if err := g.freeLocked(runID); err != nil {
		g.mu.Unlock()
		return err
	}
	g.ended[runID] = true
	g.mu.Unlock()
	const why = "dismissed by the person while it waited, without its card"
	var entries []app.Entry
	for _, row := range w.Rows {
		body := app.CallDecidedBody{Verdict: app.Reject, By: app.ByUser, Reason: why, WaitedMs: time.Since(w.Since).Milliseconds()}
		entries = append(entries, entry(app.CallDecided, app.Call{RunID: runID, CallID: row.CallID, Seq: row.Seq, Fn: row.Fn}, body))
	}
	entries = append(entries, entry(app.RunEnded, app.Call{RunID: runID},
		app.RunEndedBody{Status: app.StatusAborted, Error: &app.Reason{Name: "Dismissed", Message: why}}))
	if err := g.append(kept(ctx), entries...); err != nil {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.ended, runID)
		return err
	}
	g.forget(runID)
	return nil
}
