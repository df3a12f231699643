package gate

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// owed are entries that tell how something ended and could not be written: that a
// run is over, that its calls were rejected. They are tried again until they are
// in the log, so that it does not go on saying that a call waits which nobody can
// decide any more. Nothing runs because of them. What the app still owes when it
// ends, the log notes when it is opened again.
type owed struct {
	mu     sync.Mutex
	debts  []debt // in the order they came
	pause  time.Duration
	timer  *time.Timer
	paying sync.Mutex // held while they are written
}

// debt is written as a whole.
type debt struct {
	runID   string
	entries []app.Entry
}

// How long after a failure they are tried again: the pause doubles.
const (
	firstPause = 2 * time.Second
	mostPause  = time.Minute
)

// append writes entries now. When that works, what is owed follows.
func (g *Gate) append(ctx context.Context, entries ...app.Entry) error {
	if err := g.log.Append(ctx, entries...); err != nil {
		return err
	}
	if err := g.pay(kept(ctx)); err != nil {
		slog.Warn("the log took an entry, but not what it was owed", "error", err)
	}
	return nil
}

// owe has entries of a run written later.
func (g *Gate) owe(runID string, entries []app.Entry) {
	o := &g.owed
	o.mu.Lock()
	defer o.mu.Unlock()
	o.debts = append(o.debts, debt{runID, entries})
	g.payLater()
}

// take gives back what is owed of a run, for whoever writes it with more.
func (o *owed) take(runID string) (entries []app.Entry) {
	o.paying.Lock() // what is being written is not taken
	defer o.paying.Unlock()
	o.mu.Lock()
	defer o.mu.Unlock()
	var rest []debt
	for _, d := range o.debts {
		if d.runID == runID {
			entries = append(entries, d.entries...)
		} else {
			rest = append(rest, d)
		}
	}
	o.debts = rest
	return entries
}

// payLater sets the time of the next try. owed.mu is held.
func (g *Gate) payLater() {
	o := &g.owed
	if o.timer != nil {
		return
	}
	o.pause = min(max(2*o.pause, firstPause), mostPause)
	o.timer = time.AfterFunc(o.pause, func() {
		o.mu.Lock()
		o.timer = nil
		o.mu.Unlock()
		// The failure was told when it happened first, and is told when the app ends.
		_ = g.pay(context.Background())
	})
}

// pay writes what is owed, the oldest first, until one cannot be written.
func (g *Gate) pay(ctx context.Context) error {
	o := &g.owed
	o.paying.Lock()
	defer o.paying.Unlock()
	for {
		o.mu.Lock()
		if len(o.debts) == 0 {
			o.pause = 0
			if o.timer != nil {
				o.timer.Stop()
				o.timer = nil
			}
			o.mu.Unlock()
			return nil
		}
		next := o.debts[0]
		o.mu.Unlock()
		if err := g.log.Append(ctx, next.entries...); err != nil {
			o.mu.Lock()
			g.payLater()
			o.mu.Unlock()
			return err
		}
		o.mu.Lock()
		o.debts = o.debts[1:]
		o.mu.Unlock()
	}
}
