package gate_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/gate"
	"github.com/faustine-ai/countersign/app/logtest"
)

func failOn(kind app.Kind) func(app.Entry) error {
	return func(e app.Entry) error {
		if e.Kind == kind {
			return errors.New("the disk is full")
		}
		return nil
	}
}

func TestWithoutALogNothingIsShownOrApproved(t *testing.T) {
	b := begun(t, noCard(t))
	b.log.SetFail(failOn(app.CallRequested))
	if _, err := b.Decide(t.Context(), "r1", cancels(1)); app.CodeOf(err) != app.LogUnavailable {
		t.Errorf("got %v, want LogUnavailable", err)
	}
}

func TestADecisionThatCannotBeLoggedIsNone(t *testing.T) {
	b := begun(t, approveAll)
	b.log.SetFail(failOn(app.CallDecided))
	if o, err := b.Decide(t.Context(), "r1", cancels(1)); app.CodeOf(err) != app.NotRecorded || len(o.Approve) != 0 {
		t.Errorf("got %+v, %v, want NotRecorded", o, err)
	}
	if _, err := b.Consume(cancels(1)[0].Call); app.CodeOf(err) != app.ApprovalRequired {
		t.Errorf("consumed: %v", err)
	}
	b.log.SetFail(nil)
	if o, err := b.Decide(t.Context(), "r1", cancels(1)); app.CodeOf(err) != app.BadRequest {
		t.Errorf("it was shown, and could be shown again: %+v, %v", o, err)
	}
}

func TestWhatCouldNotBeRecordedIsRejectedInTheLogOnceItCanBeWritten(t *testing.T) {
	for name, ending := range map[string]func(t *testing.T, b bench){
		"at the end of the run": func(t *testing.T, b bench) {
			b.log.SetFail(nil)
			if err := b.End(t.Context(), "r1", app.StatusError, nil); err != nil {
				t.Error(err)
			}
		},
		"with the next run, the end could not be logged either": func(t *testing.T, b bench) {
			if err := b.End(t.Context(), "r1", app.StatusError, nil); app.CodeOf(err) != app.LogUnavailable {
				t.Errorf("got %v", err)
			}
			b.log.SetFail(nil)
			if err := b.Begin(t.Context(), app.Run{ID: "r2"}); err != nil {
				t.Error(err)
			}
		},
		"when the app ends": func(t *testing.T, b bench) {
			if err := b.End(t.Context(), "r1", app.StatusError, nil); app.CodeOf(err) != app.LogUnavailable {
				t.Errorf("got %v", err)
			}
			b.log.SetFail(nil)
			if err := b.AbortAll(t.Context(), "closed"); err != nil {
				t.Error(err)
			}
		},
		"by itself after a while": func(t *testing.T, b bench) {
			if err := b.End(t.Context(), "r1", app.StatusError, nil); app.CodeOf(err) != app.LogUnavailable {
				t.Errorf("got %v", err)
			}
			time.Sleep(time.Hour) // of the bubble
			b.log.SetFail(nil)
			time.Sleep(time.Minute)
			synctest.Wait()
		},
		"by itself while the run goes on": func(t *testing.T, b bench) {
			b.log.SetFail(nil)
			time.Sleep(time.Minute)
			synctest.Wait()
			if err := b.End(t.Context(), "r1", app.StatusError, nil); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := begun(t, func(_ context.Context, card app.Card) (app.Answer, error) {
					return app.Answer{Approve: []string{"c1"}, Reason: "not that one", By: app.ByUser}, nil
				})
				b.log.SetFail(func(e app.Entry) error {
					if e.Kind == app.CallRequested {
						return nil
					}
					return errors.New("the disk is full")
				})
				if _, err := b.Decide(t.Context(), "r1", cancels(2)); app.CodeOf(err) != app.NotRecorded {
					t.Fatalf("got %v", err)
				}
				ending(t, b)
				got := decisions(t, b.log)
				if d := got["c1"]; d.Verdict != app.Reject || d.By != app.ByAborted || !strings.Contains(d.Reason, "could not be recorded, so it did not run: the log cannot be written: the disk is full") || d.Card == "" {
					t.Errorf("what was approved is in the log as %+v", d)
				}
				if d := got["c2"]; d.Verdict != app.Reject || d.By != app.ByUser || d.Reason != "not that one" {
					t.Errorf("what was rejected is in the log as %+v", d)
				}
				count := map[app.Kind]int{}
				for _, kind := range b.log.Kinds() {
					count[kind]++
				}
				if count[app.CallDecided] != 2 || count[app.RunEnded] != 1 || count[app.CallStarted] != 0 {
					t.Errorf("the log has %v", b.log.Kinds())
				}
			})
		})
	}
}

func TestARunThatCannotBeLoggedDoesNotBegin(t *testing.T) {
	log := &logtest.Memory{Fail: failOn(app.RunBegan)}
	g := gate.New(log, functions(t), noCard(t))
	if err := g.Begin(t.Context(), app.Run{ID: "r1"}); app.CodeOf(err) != app.LogUnavailable {
		t.Fatalf("got %v", err)
	}
	if _, _, err := g.Enter(t.Context(), cancels(1)[0].Call); app.CodeOf(err) != app.RunEndedAlready {
		t.Errorf("a call was let in: %v", err)
	}
	log.SetFail(nil)
	if err := g.Begin(t.Context(), app.Run{ID: "r1"}); err != nil {
		t.Errorf("begun again: %v", err)
	}
}

func TestACallIsDecidedOnce(t *testing.T) {
	b := begun(t, approveAll)
	if _, err := b.Decide(t.Context(), "r1", cancels(2)); err != nil {
		t.Fatal(err)
	}
	other := row(1, "orders.refund", `{"id":1}`)
	other.CallID = "c9"
	again := row(9, "orders.cancel", `{"id":1}`)
	again.CallID = "c1"
	elsewhere := row(5, "orders.cancel", `{"id":1}`)
	elsewhere.RunID = "r2"
	for name, rows := range map[string][]gate.Row{
		"the same rows":           cancels(2),
		"an id again":             {again},
		"a seq again":             {other},
		"an id twice":             {row(7, "orders.cancel", `{"id":1}`), row(7, "orders.cancel", `{"id":1}`)},
		"no rows":                 {},
		"a row of another run":    {elsewhere},
		"no id":                   {{Call: app.Call{RunID: "r1", Seq: 4, Fn: "orders.cancel", Input: app.Value(`{"id":1}`)}}},
		"seq 0":                   {row(0, "orders.cancel", `{"id":1}`)},
		"more than anybody reads": make([]gate.Row, 1001),
	} {
		if o, err := b.Decide(t.Context(), "r1", rows); app.CodeOf(err) != app.BadRequest {
			t.Errorf("%s: got %+v, %v, want BadRequest", name, o, err)
		}
	}
	if _, err := b.Decide(t.Context(), "r2", []gate.Row{elsewhere}); app.CodeOf(err) != app.RunEndedAlready {
		t.Errorf("a run that is not on: %v", err)
	}
}

func TestTheEndOfARunVoidsWhatWasNotUsed(t *testing.T) {
	b := begun(t, approveAll)
	if _, err := b.Decide(t.Context(), "r1", cancels(1)); err != nil {
		t.Fatal(err)
	}
	if err := b.End(t.Context(), "r1", app.StatusError, &app.Reason{Name: "ReplayMismatch", Message: "…"}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Consume(cancels(1)[0].Call); app.CodeOf(err) != app.RunEndedAlready {
		t.Errorf("consumed after the end: %v", err)
	}
	if err := b.End(t.Context(), "r1", app.StatusOK, nil); app.CodeOf(err) != app.RunEndedAlready {
		t.Errorf("ended twice: %v", err)
	}
	if err := b.Begin(t.Context(), app.Run{ID: "r1"}); app.CodeOf(err) != app.BadRequest {
		t.Errorf("begun again: %v", err)
	}
	if err := b.End(t.Context(), "r1", "fine", nil); app.CodeOf(err) != app.BadRequest {
		t.Errorf("ended as something else: %v", err)
	}
}

// opened tells that a card is on screen and then waits for its context.
func opened(cards chan<- string) presenter {
	return func(ctx context.Context, c app.Card) (app.Answer, error) {
		cards <- c.RunID
		<-ctx.Done()
		return app.Answer{Approve: []string{c.Rows[0].CallID}, By: app.ByUser}, nil // too late
	}
}

func TestEndingARunClosesItsCardAndRejects(t *testing.T) {
	for name, end := range map[string]func(b bench, cancel context.CancelFunc){
		"run ends":       func(b bench, _ context.CancelFunc) { b.End(context.Background(), "r1", app.StatusAborted, nil) },
		"app ends":       func(b bench, _ context.CancelFunc) { b.AbortAll(context.Background(), "the window was closed") },
		"page cancelled": func(_ bench, cancel context.CancelFunc) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			cards := make(chan string, 1)
			b := begun(t, opened(cards))
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var o gate.Outcome
			var err error
			var wg sync.WaitGroup
			wg.Go(func() { o, err = b.Decide(ctx, "r1", cancels(2)) })
			<-cards
			end(b, cancel)
			wg.Wait()
			if err != nil || len(o.Reject) != 2 || len(o.Approve) != 0 {
				t.Errorf("got %+v, %v", o, err)
			}
			if d := decisions(t, b.log)["c1"]; d.By != app.ByAborted {
				t.Errorf("decided by %s, want aborted", d.By)
			}
			kinds := b.log.Kinds()
			if name != "page cancelled" && kinds[len(kinds)-1] != app.RunEnded {
				t.Errorf("run.ended is not last: %v", kinds)
			}
		})
	}
}

func TestCardsComeOneAtATimeInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		cards := make(chan string, 8)
		b := begun(t, func(ctx context.Context, c app.Card) (app.Answer, error) {
			cards <- c.RunID
			<-release
			return approveAll(ctx, c)
		})
		var wg sync.WaitGroup
		ask := func(run string) {
			if run != "r1" {
				if err := b.Begin(t.Context(), app.Run{ID: run}); err != nil {
					t.Fatal(err)
				}
			}
			r := row(1, "orders.cancel", `{"id":1}`)
			r.RunID = run
			wg.Go(func() {
				if o, err := b.Decide(t.Context(), run, []gate.Row{r}); err != nil || len(o.Approve) != 1 {
					t.Errorf("%s: %+v, %v", run, o, err)
				}
			})
			synctest.Wait() // its card is shown, or waits for its turn
		}
		ask("r1")
		if got := <-cards; got != "r1" {
			t.Fatalf("the first card is of %s", got)
		}
		ask("r2")
		ask("r3")
		select {
		case run := <-cards:
			t.Fatalf("a second card, of %s, is shown beside the first", run)
		default:
		}
		close(release)
		wg.Wait()
		if got := []string{<-cards, <-cards}; !slices.Equal(got, []string{"r2", "r3"}) {
			t.Errorf("then came %v", got)
		}
	})
}

func TestACardThatDoesNotCloseHoldsNobodyButTheNextCard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck, free := make(chan struct{}), make(chan struct{})
		shown := make(chan string, 4)
		b := begun(t, func(ctx context.Context, c app.Card) (app.Answer, error) {
			shown <- c.RunID
			if c.RunID == "r1" {
				close(stuck)
				<-free
			}
			return approveAll(ctx, c)
		})
		var wg sync.WaitGroup
		wg.Go(func() {
			if o, err := b.Decide(t.Context(), "r1", cancels(1)); err != nil || len(o.Reject) != 1 {
				t.Errorf("got %+v, %v", o, err)
			}
		})
		<-stuck
		if err := b.End(t.Context(), "r1", app.StatusAborted, nil); err != nil {
			t.Fatal(err)
		}
		wg.Wait() // answered although the card is still there
		if err := b.Begin(t.Context(), app.Run{ID: "r2"}); err != nil {
			t.Fatal(err)
		}
		r := row(1, "orders.cancel", `{"id":1}`)
		r.RunID = "r2"
		wg.Go(func() {
			if o, err := b.Decide(t.Context(), "r2", []gate.Row{r}); err != nil || len(o.Approve) != 1 {
				t.Errorf("got %+v, %v", o, err)
			}
		})
		<-shown
		synctest.Wait()
		select {
		case <-shown:
			t.Error("a second card beside the stuck one")
		default:
		}
		close(free)
		wg.Wait()
	})
}

func TestEndWaitsForCallsInsideAndNamesThoseThatDoNotSettle(t *testing.T) {
	for _, settles := range []bool{true, false} {
		b := begun(t, noCard(t))
		inner, leave, err := b.Enter(t.Context(), row(1, "orders.list", `{"id":1}`).Call)
		if err != nil {
			t.Fatal(err)
		}
		if settles {
			go func() { <-inner.Done(); leave() }()
		}
		if err := b.End(t.Context(), "r1", app.StatusAborted, nil); err != nil {
			t.Fatal(err)
		}
		entries := b.log.Entries()
		var body app.RunEndedBody
		if err := json.Unmarshal(entries[len(entries)-1].Body, &body); err != nil {
			t.Fatal(err)
		}
		if settles != (len(body.Unknown) == 0) {
			t.Errorf("settles %v: run.ended names %v", settles, body.Unknown)
		}
		leave() // late or twice is harmless
	}
}

func TestACallIsLetInOnceAndOnlyWhileItsRunIsOn(t *testing.T) {
	b := begun(t, noCard(t))
	c := row(1, "orders.list", `{"id":1}`).Call
	_, leave, err := b.Enter(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	leave()
	if _, _, err := b.Enter(t.Context(), c); app.CodeOf(err) != app.BadRequest {
		t.Errorf("a call was made twice: %v", err)
	}
	if err := b.AbortAll(t.Context(), "over"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Enter(t.Context(), row(2, "orders.list", `{"id":1}`).Call); app.CodeOf(err) != app.RunEndedAlready {
		t.Errorf("a call after the end: %v", err)
	}
	if err := b.AbortAll(t.Context(), "again"); err != nil {
		t.Errorf("nothing left to abort: %v", err)
	}
}

func TestARunThatWasEndedForItsMemoryEndsAsLimit(t *testing.T) {
	b := begun(t, noCard(t))
	if err := b.LimitAll(t.Context(), "it used too much memory"); err != nil {
		t.Fatal(err)
	}
	entries := b.log.Entries()
	var body app.RunEndedBody
	if err := json.Unmarshal(entries[len(entries)-1].Body, &body); err != nil {
		t.Fatal(err)
	}
	if body.Status != app.StatusLimit || body.Error == nil || *body.Error != (app.Reason{Name: "LimitExceeded", Message: "it used too much memory"}) {
		t.Errorf("the log says %+v", body)
	}
}

func TestJudgeMarksOnlyWhatWouldReachACard(t *testing.T) {
	b := begun(t, noCard(t))
	for _, c := range []struct {
		fn, input string
		want      bool
	}{
		{"orders.cancel", `{"id":1}`, true},
		{"orders.cancel", `{"id":"x"}`, false},
		{"orders.cancel", `nonsense`, false},
		{"orders.list", `{"id":1}`, false},
		{"nope", `{"id":1}`, false},
		{"db.run", `{"id":11}`, true},
		{"db.run", `{"id":1}`, false},
	} {
		if got := b.Judge(c.fn, app.Value(c.input)); got != c.want {
			t.Errorf("%s %s: %v", c.fn, c.input, got)
		}
	}
}
