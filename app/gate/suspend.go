package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"slices"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

// Gone is the cause with which to cancel what a page has asked for when that
// page, or the app, goes: a card that waits is then closed without a decision.
// Any other cancellation is the page's own wish, and rejects.
type Gone struct{ Reason string }

func (g *Gone) Error() string { return g.Reason }

// errWaits: the page or the app went first. Nothing was decided.
var errWaits = &app.Error{Code: app.Cancelled, Message: "the card was closed because its page or the app has gone; nothing was decided, and the run waits"}

// leaves says that a card came back because the page or the app has gone, so
// that its run waits on. It says so at most until a decision is about to be
// logged: from there on the run can only end.
func (g *Gate) leaves(ctx context.Context, r *run) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	var gone *Gone
	if r.asleep || r.waits && errors.As(context.Cause(ctx), &gone) {
		return true
	}
	r.waits = false
	return false
}

func reasonOf(ctx context.Context) string {
	var gone *Gone
	if errors.As(context.Cause(ctx), &gone) {
		return gone.Reason
	}
	return "the page or the app has gone"
}

// suspend takes a run off whose card waits; nothing of it is decided, and what
// was approved earlier and not used is void. It reports whether this call did.
func (g *Gate) suspend(ctx context.Context, runID, reason string) (bool, error) {
	g.mu.Lock()
	r := g.runs[runID]
	if r == nil || !r.on || !r.waits {
		g.mu.Unlock()
		return false, nil
	}
	r.on, r.asleep = false, true
	clear(r.approved)
	delete(g.runs, runID)
	g.asleep[runID] = true
	if len(r.inside) == 0 {
		close(r.quiet)
	}
	g.mu.Unlock()
	r.cancel(&Gone{reason})
	r.settle() // the card closes
	return true, g.append(kept(ctx), entry(app.RunSuspended, app.Call{RunID: runID}, app.RunSuspendedBody{Reason: reason, Waiting: r.rowIDs}))
}

// keep puts on disk what the run needs to go on, before anything is shown.
func (g *Gate) keep(ctx context.Context, r *run, q round, all, shown []judged) error {
	if g.waiting == nil {
		return nil
	}
	w, err := g.waitingRun(r, q, all, shown)
	if err != nil {
		return err
	}
	if err := g.waiting.Keep(kept(ctx), w); err != nil {
		return err
	}
	g.mu.Lock()
	delete(g.known, r.ID) // of an earlier round
	g.mu.Unlock()
	g.remember(w)
	g.mu.Lock()
	defer g.mu.Unlock()
	r.waits, r.rowIDs = true, rowIDs(w)
	return nil
}

func rowIDs(w app.WaitingRun) []string {
	ids := make([]string, len(w.Rows))
	for i, row := range w.Rows {
		ids[i] = row.CallID
	}
	return ids
}

func (g *Gate) waitingRun(r *run, q round, all, shown []judged) (app.WaitingRun, error) {
	w := app.WaitingRun{Run: r.Run, Since: q.since.UTC(), Title: title(shown), Library: g.library, Version: g.version,
		Functions: map[string]app.Digest{}}
	continuation, err := value.Canonical(q.continuation, "continuation")
	if err != nil {
		return w, &app.Error{Code: app.CannotWait, Cause: err, Message: "the run cannot be kept: " + message(err)}
	}
	w.Continuation = continuation
	rows := map[string]bool{}
	for _, j := range all {
		if j.Input == nil {
			return w, app.Errorf(app.CannotWait, "the run cannot be kept, since the input of call %d is no value", j.Seq)
		}
		w.Rows = append(w.Rows, app.WaitingRow{CallID: j.CallID, Seq: j.Seq, Fn: j.Fn, Input: j.Input, Digest: j.digest, Line: j.Line})
		rows[j.CallID] = true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for name := range r.called {
		if f, ok := r.functions.Find(name); ok {
			w.Functions[name] = definition(f)
		}
	}
	for id, seq := range r.claimed {
		if !rows[id] {
			w.Claimed = append(w.Claimed, app.WaitingID{CallID: id, Seq: seq})
		}
	}
	w.Started = slices.Sorted(maps.Keys(r.started))
	return w, nil
}

// drop forgets what was kept of a run. The log says what has become of it, also
// where this fails.
func (g *Gate) drop(r *run) {
	g.mu.Lock()
	had := len(r.rowIDs) > 0
	r.waits, r.rowIDs = false, nil
	g.mu.Unlock()
	if had {
		g.forget(r.ID)
	}
}

func (g *Gate) forget(runID string) {
	g.mu.Lock()
	delete(g.known, runID)
	g.mu.Unlock()
	if err := g.waiting.Drop(context.Background(), runID); err != nil {
		slog.Error("what was kept of a waiting run stays until the next start", "run", runID, "error", err)
	}
}

// definition is the digest of everything that a function's definition says.
func definition(f *app.Function) app.Digest {
	text, err := json.Marshal([]any{f.Name, f.Title, f.Plural, f.Description, f.Approval, f.Input, f.Output})
	if err != nil {
		return "" // a schema that is no JSON, which the registry refuses
	}
	sum := sha256.Sum256(text)
	return app.Digest(hex.EncodeToString(sum[:]))
}
