package dispatch_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/gate"
)

// The end of a run and the calls it approved, at the same moment, many times: what
// ran had an approval and a logged start before run.ended; the rest was refused.
func TestInARaceWithTheEndOfTheRunACallRunsOnceOrIsRefused(t *testing.T) {
	b := begun(t)
	for round := range 200 {
		run := fmt.Sprint("race-", round)
		if err := b.gate.Begin(t.Context(), app.Run{ID: run}); err != nil {
			t.Fatal(err)
		}
		c := app.Call{RunID: run, CallID: run + ".1", Seq: 1, Fn: "orders.cancel", Input: app.Value(fmt.Sprintf(`{"id":%d}`, round))}
		if o, err := b.gate.Decide(t.Context(), run, []gate.Row{{Call: c}}); err != nil || len(o.Approve) != 1 {
			t.Fatal(o, err)
		}
		var wg sync.WaitGroup
		results := make([]error, 4)
		wg.Go(func() {
			if err := b.gate.End(t.Context(), run, app.StatusAborted, nil); err != nil {
				t.Error(err)
			}
		})
		for i := range results { // the same call from several windows at once
			wg.Go(func() {
				again := c
				again.CallID = fmt.Sprint(run, ".", i+1)
				_, results[i] = b.Call(t.Context(), again)
			})
		}
		wg.Wait()
		ran := 0
		for _, err := range results {
			switch app.CodeOf(err) {
			case app.RunEndedAlready, app.ApprovalRequired, app.Cancelled:
			default:
				if err != nil {
					t.Errorf("got %v", err)
				}
			}
			if err == nil {
				ran++
			}
		}
		executed := 0
		for _, id := range b.ran() {
			if id == round {
				executed++
			}
		}
		if ran > 1 || executed > 1 || ran > executed {
			t.Fatalf("round %d: %d calls were answered, %d executed", round, ran, executed)
		}
	}
	// The log tells the same story.
	started, ended := map[string]int{}, map[string]bool{}
	executed := map[int]bool{}
	for _, id := range b.ran() {
		executed[id] = true
	}
	for _, e := range b.log.Entries() {
		switch e.Kind {
		case app.CallStarted:
			if started[e.RunID]++; started[e.RunID] > 1 || ended[e.RunID] {
				t.Errorf("%s: started again, or after its end", e.RunID)
			}
		case app.RunEnded:
			ended[e.RunID] = true
		}
	}
	if len(started) != len(executed) {
		t.Errorf("%d calls executed, the log has %d starts", len(executed), len(started))
	}
}
