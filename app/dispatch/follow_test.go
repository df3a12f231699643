package dispatch_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/dispatch"
	"github.com/faustine-ai/countersign/app/gate"
	"github.com/faustine-ai/countersign/app/logtest"
	"github.com/faustine-ai/countersign/app/registry"
)

// lateLog answers for entries of unmarked calls when it is let, with answer, and
// has written them only if that is nil.
type lateLog struct {
	*logtest.Memory
	let    chan struct{}
	answer error
}

func (l *lateLog) AppendSoon(e app.Entry) <-chan error {
	answered := make(chan error, 1)
	go func() {
		<-l.let
		if l.answer != nil {
			answered <- l.answer
			return
		}
		answered <- l.Append(context.Background(), e)
	}()
	return answered
}

func TestAnUnmarkedCallDoesNotWaitForTheLogAndAMarkedOneWaitsForBoth(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer error
	}{
		{"written", nil},
		{"not written, so owed", errors.New("the disk was full")},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := &lateLog{Memory: &logtest.Memory{}, let: make(chan struct{}), answer: c.answer}
			var ran atomic.Bool
			functions, err := registry.New(
				registry.Define("orders.get", func(_ context.Context, in order) (order, error) { return in, nil }),
				registry.Define("orders.cancel", func(_ context.Context, in order) (order, error) { ran.Store(true); return in, nil }, registry.Marked()),
			)
			if err != nil {
				t.Fatal(err)
			}
			held := gate.New(log, functions, approver{})
			d := dispatch.New(log, functions, held)
			if err := held.Begin(t.Context(), app.Run{ID: "r1"}); err != nil {
				t.Fatal(err)
			}
			if _, err := held.Decide(t.Context(), "r1", []gate.Row{{Call: call(2, "orders.cancel", `{"id":2}`)}}); err != nil {
				t.Fatal(err)
			}
			if v, err := answered(t.Context(), d, call(1, "orders.get", `{"id":1}`)); err != nil || v.String() != `{"id":1}` {
				t.Fatalf("got %s, %v while the log had not answered", v, err)
			}
			done := make(chan error)
			go func() {
				_, err := answered(t.Context(), d, call(2, "orders.cancel", `{"id":2}`))
				done <- err
			}()
			if ran.Load() {
				t.Error("a marked call ran before the log had answered for the unmarked one before it")
			}
			close(log.let)
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			var calls []string
			for _, e := range log.Entries() {
				if e.Kind == app.CallStarted || e.Kind == app.CallSettled {
					calls = append(calls, e.CallID)
				}
			}
			slices.Sort(calls[:2]) // the entries of one unmarked call may be answered in any order here
			if want := []string{"c1", "c1", "c2", "c2"}; !slices.Equal(calls, want) {
				t.Errorf("the log has the calls %v, want %v: no gap before a marked call", calls, want)
			}
		})
	}
}

func TestTheEndWaitsForEntriesThatAreStillToBeAnswered(t *testing.T) {
	log := &lateLog{Memory: &logtest.Memory{}, let: make(chan struct{}), answer: errors.New("the disk was full")}
	functions, err := registry.New(registry.Define("orders.get", func(_ context.Context, in order) (order, error) { return in, nil }))
	if err != nil {
		t.Fatal(err)
	}
	held := gate.New(log, functions, approver{})
	d := dispatch.New(log, functions, held)
	if err := held.Begin(t.Context(), app.Run{ID: "r1"}); err != nil {
		t.Fatal(err)
	}
	if _, err := answered(t.Context(), d, call(1, "orders.get", `{"id":1}`)); err != nil {
		t.Fatal(err)
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.Wait(late); !errors.Is(err, context.Canceled) {
		t.Errorf("it did not wait: %v", err)
	}
	close(log.let)
	if err := d.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := log.Kinds(); !slices.Equal(got, []app.Kind{app.RunBegan, app.CallStarted, app.CallSettled}) {
		t.Errorf("the log has %v; what was owed is written at the end", got)
	}
}
