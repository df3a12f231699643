package gate

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// settleTime is how long the end of a run waits for its cancelled calls and its
// closing card, so that their entries stand before run.ended.
const settleTime = 1500 * time.Millisecond

// maxID bounds the ids that the page chooses, since they are kept and logged.
const maxID = 200

type run struct {
	app.Run
	ctx       context.Context // ends with the run
	cancel    context.CancelCauseFunc
	functions app.Functions // as they were when it began

	// Guarded by Gate.mu.
	on       bool
	claimed  map[string]int // call ids that were put to a decision, with their sequence numbers
	seqs     map[int]bool   // those numbers
	approved map[key]app.Decision
	started  map[string]bool // call ids that dispatch was let in with
	called   map[string]bool // names of the functions it has called
	waits    bool            // kept, its card open, nothing decided: it would be suspended
	rowIDs   []string        // the calls of the card, while it is kept
	asleep   bool            // it was suspended
	inside   map[*visit]bool // calls and decisions in progress
	quiet    chan struct{}   // closed when the run has ended and inside is empty
}

// visit is something in progress within a run.
type visit struct{ callID string }

func newRun(r app.Run, functions app.Functions) *run {
	held := &run{Run: r, functions: app.Now(functions), claimed: map[string]int{}, seqs: map[int]bool{}, approved: map[key]app.Decision{},
		started: map[string]bool{}, called: map[string]bool{}, inside: map[*visit]bool{}, quiet: make(chan struct{})}
	held.ctx, held.cancel = context.WithCancelCause(context.Background())
	return held
}

// Begin logs a run and lets its calls in.
func (g *Gate) Begin(ctx context.Context, r app.Run) error {
	if r.ID == "" || len(r.ID) > maxID {
		return app.Errorf(app.BadRequest, "a run needs an id of 1 to %d bytes; got %d", maxID, len(r.ID))
	}
	held := newRun(r, g.functions)
	g.mu.Lock()
	if g.runs[r.ID] != nil || g.ended[r.ID] || g.asleep[r.ID] {
		g.mu.Unlock()
		return app.Errorf(app.BadRequest, "the run %.50q has begun before; begin a new one with a new id", r.ID)
	}
	g.runs[r.ID] = held
	g.mu.Unlock()

	err := g.append(ctx, entry(app.RunBegan, app.Call{RunID: r.ID},
		app.RunBeganBody{Request: r.Request, Code: r.Code, Model: r.Model, Version: g.version, Engine: g.engine}))
	g.mu.Lock()
	if err != nil {
		delete(g.runs, r.ID)
		g.mu.Unlock()
		return err
	}
	held.on = true
	g.mu.Unlock()
	if ctx.Err() != nil { // the page that wanted it is gone, so nobody will end it
		gone := &app.Reason{Name: "Aborted", Message: "the page was gone before the run had begun"}
		ending := g.End(ctx, r.ID, app.StatusAborted, gone)
		return &app.Error{Code: app.Cancelled, Cause: errors.Join(ctx.Err(), ending), Message: "cancelled while the run was beginning; it has ended"}
	}
	return nil
}

// End ends a run: unused approvals are void, an open card closes, calls in
// flight are cancelled, and run.ended is logged once they have settled, or after
// settleTime with the ids of those that have not. The run has ended even if
// that cannot be logged; it then is when the log can be written again.
func (g *Gate) End(ctx context.Context, runID string, status app.Status, reason *app.Reason) error {
	switch status {
	case app.StatusOK, app.StatusError, app.StatusLimit, app.StatusAborted, app.StatusPending:
	default:
		return app.Errorf(app.BadRequest, "a run cannot end as %.20q; expected ok, error, limit, aborted or pending", string(status))
	}
	g.mu.Lock()
	r := g.runs[runID]
	if r == nil || !r.on {
		g.mu.Unlock()
		return notOn(runID)
	}
	r.on = false
	clear(r.approved)
	delete(g.runs, runID)
	g.ended[runID] = true
	if len(r.inside) == 0 {
		close(r.quiet)
	}
	g.mu.Unlock()
	r.cancel(nil)
	r.settle()
	entries := append(g.owed.take(runID), entry(app.RunEnded, app.Call{RunID: runID},
		app.RunEndedBody{Status: status, Error: reason, Unknown: g.unsettled(r)}))
	err := g.append(kept(ctx), entries...)
	if err != nil {
		g.owe(runID, entries)
	}
	return err
}

// settle waits until nothing is in progress within a run that is off.
func (r *run) settle() {
	timer := time.NewTimer(settleTime)
	defer timer.Stop()
	select {
	case <-r.quiet:
	case <-timer.C:
	}
}

func (g *Gate) unsettled(r *run) []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var ids []string
	for v := range r.inside {
		if v.callID != "" {
			ids = append(ids, v.callID)
		}
	}
	slices.Sort(ids)
	return ids
}

// AbortAll is for when the app closes or the page is gone. It ends every run as
// aborted, but for those whose card waits and that are kept: they are suspended.
func (g *Gate) AbortAll(ctx context.Context, reason string) error {
	return g.endAll(ctx, app.StatusAborted, app.Reason{Name: "Aborted", Message: reason})
}

// LimitAll is AbortAll for when the page's process was ended because a program
// used too much memory: every run ends as limit, since nobody can know which of
// those that were on it was.
func (g *Gate) LimitAll(ctx context.Context, reason string) error {
	return g.endAll(ctx, app.StatusLimit, app.Reason{Name: "LimitExceeded", Message: reason})
}

func (g *Gate) endAll(ctx context.Context, status app.Status, why app.Reason) error {
	g.mu.Lock()
	ids := slices.Sorted(maps.Keys(g.runs))
	g.mu.Unlock()
	problems := make([]error, len(ids))
	var wg sync.WaitGroup
	for i, id := range ids {
		wg.Go(func() {
			if slept, err := g.suspend(ctx, id, why.Message); slept {
				problems[i] = err
				return
			}
			err := g.End(ctx, id, status, &why)
			if app.CodeOf(err) != app.RunEndedAlready { // its own end came first
				problems[i] = err
			}
		})
	}
	wg.Wait()
	if err := errors.Join(problems...); err != nil {
		return err
	}
	return g.pay(kept(ctx)) // the app may be ending
}

// On reports whether a run is on, or about to be.
func (g *Gate) On(runID string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.runs[runID] != nil
}

func notOn(runID string) error {
	return app.Errorf(app.RunEndedAlready, "the run %.50q is not on: it has ended, or never began; nothing was run", runID)
}

// Enter lets a call into its run: it returns a context that ends with the call
// or the run, and a function to call when the call is over. A call that is not
// of a run that is on, or that was let in before, is refused.
func (g *Gate) Enter(ctx context.Context, call app.Call) (context.Context, func(), error) {
	if err := checkIDs(call); err != nil {
		return nil, nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.runs[call.RunID]
	if r == nil || !r.on {
		return nil, nil, notOn(call.RunID)
	}
	if r.started[call.CallID] {
		return nil, nil, app.Errorf(app.BadRequest, "call %.50q was made before; a call runs once", call.CallID)
	}
	r.started[call.CallID] = true
	r.called[call.Fn] = true
	inner, leave := g.visit(ctx, r, call.CallID)
	return inner, leave, nil
}

func checkIDs(call app.Call) error {
	if call.CallID == "" || len(call.CallID) > maxID || call.Seq < 1 {
		return app.Errorf(app.BadRequest, "a call needs a callId of 1 to %d bytes and a seq from 1 up; got %.50q and %d", maxID, call.CallID, call.Seq)
	}
	return nil
}

// visit notes something in progress. Gate.mu is held.
func (g *Gate) visit(ctx context.Context, r *run, callID string) (context.Context, func()) {
	v := &visit{callID}
	r.inside[v] = true
	inner, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(r.ctx, func() { cancel(context.Cause(r.ctx)) })
	return inner, sync.OnceFunc(func() {
		stop()
		cancel(nil)
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(r.inside, v)
		if !r.on && len(r.inside) == 0 {
			close(r.quiet)
		}
	})
}
