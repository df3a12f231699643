package gate

import (
	"slices"

	"github.com/faustine-ai/countersign/app"
)

// A file of a waiting run may be damaged, changed or removed while the app is on,
// when the log and its conversation go on saying that it waits. The gate remembers
// what it kept or listed, without inputs, so that such a run stays in the list,
// says why it cannot go on, and can be dismissed, which closes its calls.

// remember takes note of a run that waits. It gives what was known of it before.
func (g *Gate) remember(w app.WaitingRun) (before app.WaitingRun, known bool) {
	w.Continuation = nil
	w.Rows = slices.Clone(w.Rows)
	for i := range w.Rows {
		w.Rows[i].Input = nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if before, known = g.known[w.ID]; !known {
		g.known[w.ID] = w
	}
	return before, known
}

func (g *Gate) remembered(runID string) (app.WaitingRun, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w, known := g.known[runID]
	return w, known
}

// missing are the runs that are known to wait and not among those that were read.
func (g *Gate) missing(read []app.WaitingRun) (missing []app.WaitingRun) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, w := range g.known {
		there := slices.ContainsFunc(read, func(r app.WaitingRun) bool { return r.ID == id })
		if !there && g.freeLocked(id) == nil {
			missing = append(missing, w)
		}
	}
	return missing
}

// changed says that what is kept of a run is not what was.
const changed = "what was kept of it is not what it was"

// lost says why a run that waits cannot be read any more.
func lost(err error) string {
	if app.CodeOf(err) == app.NotWaiting {
		return "what was kept of it is gone"
	}
	return message(err)
}

// sameWaiting says that two are one run with the same rows.
func sameWaiting(a, b app.WaitingRun) bool {
	return a.Run == b.Run && slices.EqualFunc(a.Rows, b.Rows, func(a, b app.WaitingRow) bool {
		return a.CallID == b.CallID && a.Seq == b.Seq && a.Fn == b.Fn && a.Digest == b.Digest
	})
}
