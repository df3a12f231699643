package gate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/gate"
	"github.com/faustine-ai/countersign/app/logtest"
	"github.com/faustine-ai/countersign/app/registry"
)

// presenter lets a test be the card.
type presenter func(ctx context.Context, card app.Card) (app.Answer, error)

func (p presenter) Present(ctx context.Context, card app.Card) (app.Answer, error) {
	return p(ctx, card)
}

func approveAll(_ context.Context, card app.Card) (app.Answer, error) {
	a := app.Answer{By: app.ByUser}
	for _, r := range card.Rows {
		a.Approve = append(a.Approve, r.CallID)
	}
	return a, nil
}

func noCard(t *testing.T) presenter {
	return func(context.Context, app.Card) (app.Answer, error) {
		t.Error("a card was shown")
		return app.Answer{By: app.ByUser}, nil
	}
}

type order struct {
	ID int `json:"id"`
}

func done(context.Context, order) (string, error) { return "done", nil }

func functions(t *testing.T) app.Functions {
	t.Helper()
	r, err := registry.New(
		registry.Define("orders.cancel", done, registry.Title("Cancel an order"), registry.Plural("Cancel {n} orders"), registry.Marked()),
		registry.Define("orders.refund", done, registry.Title("Refund an order"), registry.Marked()),
		registry.Define("orders.list", done, registry.Title("List orders")),
		registry.Define("db.run", done, registry.Title("SQL statement"), registry.MarkedIf(func(in order) bool { return in.ID > 10 })),
		registry.Define("mail.send", done, registry.Marked()),
	)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

type bench struct {
	*gate.Gate
	log *logtest.Memory
}

// begun makes a gate with the run r1 on.
func begun(t *testing.T, p presenter) bench {
	t.Helper()
	b := bench{log: &logtest.Memory{}}
	b.Gate = gate.New(b.log, functions(t), p, gate.Version("1.2.3"))
	if err := b.Begin(t.Context(), app.Run{ID: "r1", Request: "Cancel every open order", Code: "…", Model: "offline"}); err != nil {
		t.Fatal(err)
	}
	return b
}

func row(seq int, fn, input string) gate.Row {
	return gate.Row{Call: app.Call{RunID: "r1", CallID: fmt.Sprint("c", seq), Seq: seq, Fn: fn, Input: app.Value(input)}}
}

func cancels(n int) []gate.Row {
	rows := make([]gate.Row, n)
	for i := range rows {
		rows[i] = row(i+1, "orders.cancel", fmt.Sprintf(`{"id":%d}`, i+1))
	}
	return rows
}

func decisions(t *testing.T, log *logtest.Memory) map[string]app.CallDecidedBody {
	t.Helper()
	out := map[string]app.CallDecidedBody{}
	for _, e := range log.Entries() {
		if e.Kind == app.CallDecided {
			var b app.CallDecidedBody
			if err := json.Unmarshal(e.Body, &b); err != nil {
				t.Fatal(err)
			}
			out[e.CallID] = b
		}
	}
	return out
}

func TestTheRequestIsLoggedBeforeTheCardAndTheDecisionBeforeAnyoneLearnsIt(t *testing.T) {
	var b bench
	var card app.Card
	b = begun(t, func(ctx context.Context, c app.Card) (app.Answer, error) {
		card = c
		if got := b.log.Kinds(); !slices.Equal(got, []app.Kind{app.RunBegan, app.CallRequested, app.CallRequested}) {
			t.Errorf("while the card is open the log has %v", got)
		}
		if _, err := b.Consume(cancels(1)[0].Call); app.CodeOf(err) != app.ApprovalRequired {
			t.Errorf("consumed before the decision: %v", err)
		}
		return app.Answer{Approve: []string{"c1"}, Reason: "not that one", By: app.ByUser}, nil
	})
	o, err := b.Decide(t.Context(), "r1", cancels(2))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(o.Approve, []string{"c1"}) || !slices.Equal(o.Reject, []string{"c2"}) || o.Reasons["c2"] != "not that one" || o.Reasons["c1"] != "" {
		t.Errorf("got %+v", o)
	}
	if card.Title != "Cancel 2 orders?" || card.Request != "Cancel every open order" || card.RunID != "r1" || card.ID == "" ||
		card.Rows[1].Title != "Cancel an order" || card.Rows[1].Input.String() != `{"id":2}` {
		t.Errorf("the card was %+v", card)
	}
	d := decisions(t, b.log)
	if d["c1"].Verdict != app.Approve || d["c1"].By != app.ByUser || d["c1"].Shown != "Cancel 2 orders?" || d["c1"].Card != card.ID ||
		d["c1"].Digest != app.Value(`{"id":1}`).Digest() || d["c2"].Verdict != app.Reject || d["c2"].Reason != "not that one" {
		t.Errorf("the log says %+v", d)
	}
}

func TestAnApprovalIsForOneCallOnce(t *testing.T) {
	b := begun(t, approveAll)
	if err := b.Begin(t.Context(), app.Run{ID: "r2"}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Decide(t.Context(), "r1", []gate.Row{row(3, "orders.cancel", `{ "id" : 7 }`)}); err != nil {
		t.Fatal(err)
	}
	good := row(3, "orders.cancel", `{"id":7}`).Call
	for name, change := range map[string]func(*app.Call){
		"run":      func(c *app.Call) { c.RunID = "r2" },
		"no run":   func(c *app.Call) { c.RunID = "r9" },
		"seq":      func(c *app.Call) { c.Seq = 4 },
		"function": func(c *app.Call) { c.Fn = "orders.refund" },
		"input":    func(c *app.Call) { c.Input = app.Value(`{"id":8}`) },
	} {
		other := good
		change(&other)
		if _, err := b.Consume(other); app.CodeOf(err) != app.ApprovalRequired && app.CodeOf(err) != app.RunEndedAlready {
			t.Errorf("another %s consumed it: %v", name, err)
		}
	}
	var consumed atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if d, err := b.Consume(good); err == nil {
				consumed.Add(1)
				if d.Call.Input.String() != `{"id":7}` || d.Call.CallID != "c3" {
					t.Errorf("what is to be executed is %+v", d.Call)
				}
			} else if app.CodeOf(err) != app.ApprovalRequired {
				t.Errorf("got %v", err)
			}
		})
	}
	wg.Wait()
	if consumed.Load() != 1 {
		t.Errorf("consumed %d times", consumed.Load())
	}
}

func TestEightOfSixteen(t *testing.T) {
	b := begun(t, func(_ context.Context, c app.Card) (app.Answer, error) {
		a := app.Answer{By: app.ByUser}
		for _, r := range c.Rows {
			if r.Seq%2 == 0 {
				a.Approve = append(a.Approve, r.CallID)
			}
		}
		return a, nil
	})
	rows := cancels(16)
	o, err := b.Decide(t.Context(), "r1", rows)
	if err != nil || len(o.Approve) != 8 || len(o.Reject) != 8 {
		t.Fatalf("got %+v, %v", o, err)
	}
	for _, r := range rows {
		if _, err := b.Consume(r.Call); (err == nil) != (r.Seq%2 == 0) {
			t.Errorf("call %d: %v", r.Seq, err)
		}
	}
	if n := len(decisions(t, b.log)); n != 16 {
		t.Errorf("the log has %d decisions", n)
	}
}

func TestThreeEqualCallsAreToldApart(t *testing.T) {
	b := begun(t, func(context.Context, app.Card) (app.Answer, error) {
		return app.Answer{Approve: []string{"c2"}, By: app.ByUser}, nil
	})
	rows := []gate.Row{row(1, "orders.cancel", `{"id":7}`), row(2, "orders.cancel", `{"id":7}`), row(3, "orders.cancel", `{"id":7}`)}
	if _, err := b.Decide(t.Context(), "r1", rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if _, err := b.Consume(r.Call); (err == nil) != (r.Seq == 2) {
			t.Errorf("call %d: %v", r.Seq, err)
		}
	}
}

func TestWhatCannotRunIsRejectedByPolicyWithoutACard(t *testing.T) {
	b := begun(t, noCard(t))
	o, err := b.Decide(t.Context(), "r1", []gate.Row{
		row(1, "orders.nope", `{"id":1}`),
		row(2, "orders.cancel", `{"id":"x"}`),
		row(3, "orders.list", `{"id":1}`),
		row(4, "db.run", `{"id":1}`),
		row(5, "orders.cancel", `{"$":"nope"}`),
		row(6, "orders.cancel", `not JSON`),
		row(7, "orders.cancel", ``),
	})
	if err != nil || len(o.Reject) != 7 || len(o.Approve) != 0 {
		t.Fatalf("got %+v, %v", o, err)
	}
	for id, want := range map[string]string{"c1": "there is no function", "c2": "input.id: expected integer", "c3": "needs no approval", "c4": "needs no approval", "c5": "unknown tag", "c6": "not a canonical value", "c7": "missing"} {
		if !strings.Contains(o.Reasons[id], want) {
			t.Errorf("%s: the reason is %q, want %q in it", id, o.Reasons[id], want)
		}
	}
	for id, d := range decisions(t, b.log) {
		if d.By != app.ByPolicy || d.Verdict != app.Reject || d.Reason == "" || d.Card != "" {
			t.Errorf("%s: %+v", id, d)
		}
	}
}

func TestACardShowsOnlyWhatCanRun(t *testing.T) {
	b := begun(t, func(ctx context.Context, c app.Card) (app.Answer, error) {
		if len(c.Rows) != 1 || c.Rows[0].CallID != "c2" || c.Title != "Cancel an order?" {
			t.Errorf("the card was %+v", c)
		}
		return approveAll(ctx, c)
	})
	o, err := b.Decide(t.Context(), "r1", []gate.Row{row(1, "orders.list", `{"id":1}`), row(2, "orders.cancel", `{"id":1}`)})
	if err != nil || !slices.Equal(o.Approve, []string{"c2"}) || !slices.Equal(o.Reject, []string{"c1"}) {
		t.Errorf("got %+v, %v", o, err)
	}
}

func TestTitlesComeFromTheDefinitions(t *testing.T) {
	for _, c := range []struct {
		fns  []string
		want string
	}{
		{[]string{"orders.cancel"}, "Cancel an order?"},
		{[]string{"orders.cancel", "orders.cancel", "orders.cancel"}, "Cancel 3 orders?"},
		{[]string{"orders.refund", "orders.refund"}, "Refund an order, 2 calls?"},
		{[]string{"orders.cancel", "orders.refund", "orders.cancel"}, "Cancel 2 orders and refund an order?"},
		{[]string{"orders.refund", "db.run", "orders.cancel"}, "Refund an order, SQL statement and cancel an order?"},
		{[]string{"mail.send"}, "mail.send?"},
		{[]string{"orders.cancel", "orders.refund", "db.run", "mail.send", "mail.send"}, "Run 5 calls of 4 functions?"},
	} {
		var got string
		b := begun(t, func(_ context.Context, card app.Card) (app.Answer, error) {
			got = card.Title
			return app.Answer{By: app.ByUser}, nil
		})
		var rows []gate.Row
		for i, fn := range c.fns {
			rows = append(rows, row(i+1, fn, `{"id":11}`))
		}
		if _, err := b.Decide(t.Context(), "r1", rows); err != nil {
			t.Fatal(err)
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestACardThatFailsApprovesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		present presenter
		by      app.Decider
	}{
		"error": {func(context.Context, app.Card) (app.Answer, error) { return app.Answer{}, errors.New("no display") }, app.ByClosed},
		"error with answers": {func(context.Context, app.Card) (app.Answer, error) {
			return app.Answer{Approve: []string{"c1"}, By: app.ByUser}, errors.New("x")
		}, app.ByClosed},
		"cannot show whole": {func(context.Context, app.Card) (app.Answer, error) {
			return app.Answer{By: app.ByPolicy}, errors.New("too long")
		}, app.ByPolicy},
		"panic":  {func(context.Context, app.Card) (app.Answer, error) { panic("gtk") }, app.ByClosed},
		"Goexit": {func(context.Context, app.Card) (app.Answer, error) { runtime.Goexit(); return app.Answer{}, nil }, app.ByClosed},
		"nobody": {func(context.Context, app.Card) (app.Answer, error) { return app.Answer{Approve: []string{"c1"}}, nil }, app.ByClosed},
		"closed": {func(context.Context, app.Card) (app.Answer, error) {
			return app.Answer{Approve: []string{"c1"}, By: app.ByClosed}, nil
		}, app.ByClosed},
		"aborted": {func(context.Context, app.Card) (app.Answer, error) {
			return app.Answer{Approve: []string{"c1"}, By: app.ByAborted}, nil
		}, app.ByAborted},
		"policy": {func(context.Context, app.Card) (app.Answer, error) {
			return app.Answer{Approve: []string{"c1"}, By: app.ByPolicy}, nil
		}, app.ByClosed},
		"a row not shown": {func(context.Context, app.Card) (app.Answer, error) {
			return app.Answer{Approve: []string{"c1", "c9"}, By: app.ByUser}, nil
		}, app.ByClosed},
		"a row twice": {func(context.Context, app.Card) (app.Answer, error) {
			return app.Answer{Approve: []string{"c1", "c1"}, By: app.ByUser}, nil
		}, app.ByClosed},
	} {
		t.Run(name, func(t *testing.T) {
			b := begun(t, c.present)
			o, err := b.Decide(t.Context(), "r1", cancels(2))
			if err != nil || len(o.Approve) != 0 || len(o.Reject) != 2 || o.Reasons["c1"] == "" {
				t.Errorf("got %+v, %v", o, err)
			}
			if d := decisions(t, b.log)["c1"]; d.By != c.by || d.Verdict != app.Reject {
				t.Errorf("the log says %+v, want by %s", d, c.by)
			}
			if _, err := b.Consume(cancels(1)[0].Call); app.CodeOf(err) != app.ApprovalRequired {
				t.Errorf("consumed: %v", err)
			}
		})
	}
}
