package dispatch

import (
	"context"
	"log/slog"

	"github.com/faustine-ai/countersign/app"
)

// followed is an entry of an unmarked call, which nobody waits for, and what the
// log will say of it. An entry without an answer marks a place: whoever waits for
// all that is before it waits for passed.
type followed struct {
	entry  app.Entry
	answer <-chan error
	passed chan struct{}
}

// follow logs an entry that the call does not wait for, and owes it if it could
// not be written.
func (d *Dispatcher) follow(e app.Entry) {
	f := followed{entry: e, answer: d.log.AppendSoon(e)}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.listen(f)
}

// listen adds to what is unheard. One goroutine hears it all, since the log answers
// in order and a goroutine for each entry costs more than the entry. mu is held.
func (d *Dispatcher) listen(f followed) {
	d.unheard = append(d.unheard, f)
	if !d.heeding {
		d.heeding = true
		go d.heed()
	}
}

func (d *Dispatcher) heed() {
	const most = 1024 // of what is kept for the next, so that a flood is not kept for ever
	var all []followed
	for {
		if clear(all); cap(all) > most { // the entries hold what was called with
			all = nil
		}
		d.mu.Lock()
		all, d.unheard = d.unheard, all[:0]
		d.heeding = len(all) > 0
		d.mu.Unlock()
		if len(all) == 0 {
			return
		}
		for _, f := range all {
			if f.passed != nil {
				close(f.passed)
				continue
			}
			if err := <-f.answer; err != nil {
				d.owe(f.entry)
				slog.Error("an entry of a call could not be logged", "kind", f.entry.Kind, "fn", f.entry.Fn, "error", err)
			}
		}
	}
}

// heard waits until the log has answered for every entry that is followed now, or
// ctx ends. It does not wait for more to come.
func (d *Dispatcher) heard(ctx context.Context) error {
	d.mu.Lock()
	if !d.heeding {
		d.mu.Unlock()
		return nil
	}
	passed := make(chan struct{})
	d.listen(followed{passed: passed})
	d.mu.Unlock()
	// The log gathers what nobody waits for; somebody does now.
	go func() { _ = d.log.Append(context.WithoutCancel(ctx)) }() // the entries' own answers say how it ends
	select {
	case <-passed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
