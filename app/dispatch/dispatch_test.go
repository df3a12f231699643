package dispatch_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/dispatch"
	"github.com/faustine-ai/countersign/app/gate"
	"github.com/faustine-ai/countersign/app/logtest"
	"github.com/faustine-ai/countersign/app/registry"
)

type order struct {
	ID int `json:"id"`
}

// approver is a card on which somebody approves everything.
type approver struct{}

func (approver) Present(_ context.Context, card app.Card) (app.Answer, error) {
	a := app.Answer{By: app.ByUser}
	for _, r := range card.Rows {
		a.Approve = append(a.Approve, r.CallID)
	}
	return a, nil
}

// bench is the real gate and registry around a dispatcher, with a log that can
// be made to fail.
type bench struct {
	*dispatch.Dispatcher
	gate *gate.Gate
	log  *logtest.Memory

	mu     sync.Mutex
	ledger []int // what really executed
}

func (b *bench) ran() []int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.ledger)
}

func begun(t *testing.T, more ...*app.Function) *bench {
	t.Helper()
	b := &bench{log: &logtest.Memory{}}
	note := func(_ context.Context, in order) (order, error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.ledger = append(b.ledger, in.ID)
		return in, nil
	}
	r, err := registry.New(append(more,
		registry.Define("orders.cancel", note, registry.Marked()),
		registry.Define("orders.get", note),
		registry.Define("db.run", note, registry.MarkedIf(func(in order) bool { return in.ID > 10 })),
	)...)
	if err != nil {
		t.Fatal(err)
	}
	b.gate = gate.New(b.log, r, approver{})
	b.Dispatcher = dispatch.New(b.log, r, b.gate)
	if err := b.gate.Begin(t.Context(), app.Run{ID: "r1"}); err != nil {
		t.Fatal(err)
	}
	return b
}

// Call makes a call and gives the first answer, as the bridge does.
func (b *bench) Call(ctx context.Context, c app.Call) (app.Value, error) {
	return answered(ctx, b.Dispatcher, c)
}

func answered(ctx context.Context, d *dispatch.Dispatcher, c app.Call) (app.Value, error) {
	type answer struct {
		value app.Value
		err   error
	}
	first := make(chan answer, 2)
	go func() {
		v, err := d.Call(ctx, c, func(err error) { first <- answer{err: err} })
		first <- answer{v, err}
	}()
	a := <-first
	return a.value, a.err
}

func call(seq int, fn, input string) app.Call {
	return app.Call{RunID: "r1", CallID: fmt.Sprint("c", seq), Seq: seq, Fn: fn, Input: app.Value(input)}
}

func (b *bench) approve(t *testing.T, calls ...app.Call) {
	t.Helper()
	rows := make([]gate.Row, len(calls))
	for i, c := range calls {
		rows[i] = gate.Row{Call: c}
	}
	o, err := b.gate.Decide(t.Context(), "r1", rows)
	if err != nil || len(o.Approve) != len(calls) {
		t.Fatalf("approving: %+v, %v", o, err)
	}
}

func (b *bench) last(t *testing.T, into any) app.Entry {
	t.Helper()
	entries := b.log.Entries()
	e := entries[len(entries)-1]
	if into != nil {
		if err := json.Unmarshal(e.Body, into); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func TestAnUnmarkedCallRunsAndIsLogged(t *testing.T) {
	b := begun(t)
	v, err := b.Call(t.Context(), call(1, "orders.get", `{ "id": 7 }`))
	if err != nil || v.String() != `{"id":7}` {
		t.Fatalf("got %s, %v", v, err)
	}
	if got := b.log.Kinds(); !slices.Equal(got, []app.Kind{app.RunBegan, app.CallStarted, app.CallSettled}) {
		t.Errorf("the log has %v", got)
	}
	var body app.CallSettledBody
	if e := b.last(t, &body); body.Value.String() != `{"id":7}` || e.Fn != "orders.get" || e.CallID != "c1" || e.Seq != 1 {
		t.Errorf("settled: %+v", e)
	}
}

func TestAMarkedCallNeverRunsByItself(t *testing.T) {
	b := begun(t)
	for i, c := range []app.Call{call(1, "orders.cancel", `{"id":1}`), call(2, "db.run", `{"id":11}`)} {
		if _, err := b.Call(t.Context(), c); app.CodeOf(err) != app.ApprovalRequired {
			t.Errorf("got %v, want ApprovalRequired", err)
		}
		var body app.CallRefusedBody
		if e := b.last(t, &body); e.Kind != app.CallRefused || body.Code != app.ApprovalRequired || body.Input == nil {
			t.Errorf("call %d: the log says %s %+v", i, e.Kind, body)
		}
	}
	if len(b.ran()) != 0 {
		t.Errorf("executed: %v", b.ran())
	}
	if _, err := b.Call(t.Context(), call(3, "db.run", `{"id":1}`)); err != nil {
		t.Errorf("the predicate does not mark this one: %v", err)
	}
}

func TestAnApprovedCallRunsOnceWithItsStartOnDiskFirst(t *testing.T) {
	b := begun(t)
	b.approve(t, call(1, "orders.cancel", `{"id":1}`))
	var before []app.Kind
	b.log.SetFail(func(e app.Entry) error {
		if e.Kind == app.CallStarted && len(b.ran()) != 0 {
			t.Error("it ran before its start was logged")
		}
		before = append(before, e.Kind)
		return nil
	})
	if _, err := b.Call(t.Context(), call(1, "orders.cancel", `{"id":1}`)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(before, []app.Kind{app.CallStarted, app.CallSettled}) || !slices.Equal(b.ran(), []int{1}) {
		t.Errorf("logged %v, executed %v", before, b.ran())
	}
	second := call(1, "orders.cancel", `{"id":1}`)
	second.CallID = "c2"
	if _, err := b.Call(t.Context(), second); app.CodeOf(err) != app.ApprovalRequired {
		t.Errorf("a second time: %v", err)
	}
}

func TestTheStoredInputIsWhatExecutes(t *testing.T) {
	b := begun(t)
	b.approve(t, call(1, "orders.cancel", `{"id":1}`))
	if _, err := b.Call(t.Context(), call(1, "orders.cancel", `{"id":2}`)); app.CodeOf(err) != app.ApprovalRequired {
		t.Errorf("another input: %v", err)
	}
	if len(b.ran()) != 0 {
		t.Errorf("executed %v", b.ran())
	}
}

func TestWhatCannotRunIsRefusedAndLogged(t *testing.T) {
	b := begun(t)
	other := call(4, "orders.get", `{"id":1}`)
	other.RunID = "r2"
	for _, c := range []struct {
		call app.Call
		code app.Code
	}{
		{call(1, "orders.nope", `{"id":1}`), app.UnknownFunction},
		{call(2, "__proto__", `{"id":1}`), app.UnknownFunction},
		{call(3, "orders.get", `{"id":"x"}`), app.InvalidInput},
		{other, app.RunEndedAlready},
		{call(5, "orders.cancel", `{"id":"x"}`), app.InvalidInput},
		{call(6, "orders.get", `{"$":"nope"}`), app.InvalidInput},
		{call(7, "orders.get", ``), app.InvalidInput},
		{call(0, "orders.get", `{"id":1}`), app.BadRequest},
		{app.Call{RunID: "r1", CallID: strings.Repeat("\xff", 300), Seq: 1, Fn: "orders.get", Input: app.Value("1")}, app.BadRequest},
	} {
		n := len(b.log.Entries())
		if _, err := b.Call(t.Context(), c.call); app.CodeOf(err) != c.code {
			t.Errorf("%+v: got %v, want %s", c.call, err, c.code)
		}
		var body app.CallRefusedBody
		if e := b.last(t, &body); len(b.log.Entries()) != n+1 || e.Kind != app.CallRefused || body.Code != c.code || body.Message == "" {
			t.Errorf("%+v: the log says %s %+v", c.call, e.Kind, body)
		}
	}
	if len(b.ran()) != 0 {
		t.Errorf("executed %v", b.ran())
	}
}

func TestAFunctionThatFailsIsAnErrorOfItsCall(t *testing.T) {
	type nested struct{ Next *nested }
	fail := func(name string, run func() (any, error)) *app.Function {
		return registry.Define(name, func(context.Context, struct{}) (any, error) { return run() })
	}
	b := begun(t,
		fail("f.error", func() (any, error) { return nil, errors.New("order 7 does not exist") }),
		fail("f.silent", func() (any, error) { return nil, errors.New(" ") }),
		fail("f.posing", func() (any, error) { return nil, app.Errorf(app.ApprovalRequired, "let me in") }),
		fail("f.input", func() (any, error) { return nil, app.Errorf(app.InvalidInput, "input.id: there is no such order") }),
		fail("f.panic", func() (any, error) { return nil, put(nil) }),
		fail("f.index", func() (any, error) { s := []int{}; return s[len(s)], nil }),
		fail("f.nil", func() (any, error) { var n *nested; return n.Next, nil }),
		fail("f.panicnil", func() (any, error) { panic(nil) }),
		fail("f.goexit", func() (any, error) { runtime.Goexit(); return nil, nil }),
		fail("f.nan", func() (any, error) { return math.NaN(), nil }),
		fail("f.channel", func() (any, error) { return make(chan int), nil }),
		fail("f.deep", func() (any, error) {
			var v any
			for range 1000 {
				v = []any{v}
			}
			return v, nil
		}),
		fail("f.marshal", func() (any, error) { return badMarshaler{}, nil }),
	)
	for i, c := range []struct {
		fn   string
		code app.Code
		want string
	}{
		{"f.error", app.FunctionFailed, "order 7 does not exist"},
		{"f.silent", app.FunctionFailed, "without saying why"},
		{"f.posing", app.FunctionFailed, "let me in"},
		{"f.input", app.InvalidInput, "no such order"},
		{"f.panic", app.FunctionPanicked, "f.panic failed unexpectedly"},
		{"f.index", app.FunctionPanicked, "failed unexpectedly"},
		{"f.nil", app.FunctionPanicked, "failed unexpectedly"},
		{"f.panicnil", app.FunctionPanicked, "failed unexpectedly"},
		{"f.goexit", app.FunctionPanicked, "without a result"},
		{"f.nan", app.InvalidOutput, "NaN"},
		{"f.channel", app.InvalidOutput, "the result of f.channel"},
		{"f.deep", app.InvalidOutput, "deeper"},
		{"f.marshal", app.FunctionPanicked, "failed unexpectedly"},
	} {
		t.Run(c.fn, func(t *testing.T) {
			v, err := b.Call(t.Context(), call(i+1, c.fn, `{}`))
			var e *app.Error
			if !errors.As(err, &e) || e.Code != c.code || !strings.Contains(e.Message, c.want) {
				t.Fatalf("got %s, %v; want %s with %q", v, err, c.code, c.want)
			}
			if strings.Contains(e.Message, "goroutine ") || strings.Contains(e.Message, ".go:") {
				t.Errorf("the message shows a stack: %s", e.Message)
			}
			var body app.CallSettledBody
			if last := b.last(t, &body); last.Kind != app.CallSettled || body.Error == nil || body.Error.Name != string(c.code) {
				t.Errorf("the log says %s %+v", last.Kind, body.Error)
			}
		})
	}
}

// put writes into a map that may be nil.
func put(m map[string]int) error { m["a"] = 1; return nil }

type badMarshaler struct{}

func (badMarshaler) MarshalJSON() ([]byte, error) { panic("in MarshalJSON") }

func TestIfTheStartCannotBeLoggedNothingMarkedRuns(t *testing.T) {
	b := begun(t)
	b.approve(t, call(1, "orders.cancel", `{"id":1}`))
	b.log.SetFail(func(app.Entry) error { return errors.New("the disk is full") })
	_, err := b.Call(t.Context(), call(1, "orders.cancel", `{"id":1}`))
	if app.CodeOf(err) != app.LogUnavailable || !strings.Contains(err.Error(), "did not run") || !strings.Contains(err.Error(), "disk is full") {
		t.Errorf("got %v", err)
	}
	if v, err := b.Call(t.Context(), call(2, "orders.get", `{"id":2}`)); err != nil || v.String() != `{"id":2}` {
		t.Errorf("reads go on: %s, %v", v, err)
	}
	if !slices.Equal(b.ran(), []int{2}) {
		t.Errorf("executed %v", b.ran())
	}
}

func TestAnOutcomeThatCannotBeLoggedIsSaidAndStopsWhatFollows(t *testing.T) {
	b := begun(t)
	b.approve(t, call(1, "orders.cancel", `{"id":1}`), call(2, "orders.cancel", `{"id":2}`), call(3, "orders.cancel", `{"id":3}`))
	var broken atomic.Bool
	broken.Store(true)
	b.log.SetFail(func(e app.Entry) error {
		if broken.Load() && e.Kind == app.CallSettled {
			return errors.New("the disk is full")
		}
		return nil
	})
	_, err := b.Call(t.Context(), call(1, "orders.cancel", `{"id":1}`))
	if app.CodeOf(err) != app.LogUnavailable || !strings.Contains(err.Error(), "orders.cancel ran and succeeded") {
		t.Errorf("got %v", err)
	}
	if _, err := b.Call(t.Context(), call(2, "orders.cancel", `{"id":2}`)); app.CodeOf(err) != app.LogUnavailable || !strings.Contains(err.Error(), "did not run") {
		t.Errorf("what follows: %v", err)
	}
	broken.Store(false)
	if _, err := b.Call(t.Context(), call(3, "orders.cancel", `{"id":3}`)); err != nil {
		t.Errorf("with a log that works: %v", err)
	}
	if !slices.Equal(b.ran(), []int{1, 3}) {
		t.Errorf("executed %v", b.ran())
	}
	var settled []string
	for _, e := range b.log.Entries() {
		if e.Kind == app.CallSettled {
			settled = append(settled, e.CallID)
		}
	}
	if !slices.Equal(settled, []string{"c1", "c3"}) {
		t.Errorf("settled: %v; what was owed comes first", settled)
	}
}

func TestCancelling(t *testing.T) {
	entered := make(chan struct{}, 1)
	release := make(chan struct{})
	b := begun(t,
		registry.Define("wait.polite", func(ctx context.Context, _ struct{}) (int, error) {
			entered <- struct{}{}
			<-ctx.Done()
			return 0, ctx.Err()
		}),
		registry.Define("wait.deaf", func(context.Context, struct{}) (int, error) {
			entered <- struct{}{}
			<-release
			return 7, nil
		}),
	)
	for i, c := range []struct {
		fn, want string
	}{{"wait.polite", "was cancelled while it was running; whether it took effect is not known"}, {"wait.deaf", "has not stopped"}} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-entered; cancel() }()
		if _, err := b.Call(ctx, call(i+1, c.fn, `{}`)); app.CodeOf(err) != app.Cancelled || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", c.fn, err)
		}
		cancel()
	}
	// The end of the run cancels too; a deaf function is waited for by Wait.
	go func() {
		<-entered
		if err := b.gate.End(context.Background(), "r1", app.StatusAborted, nil); err != nil {
			t.Error(err)
		}
	}()
	if _, err := b.Call(t.Context(), call(3, "wait.polite", `{}`)); app.CodeOf(err) != app.Cancelled {
		t.Errorf("the run ended: %v", err)
	}
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := b.Wait(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Wait returned %v while a function was running", err)
	}
	close(release)
	if err := b.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	var late bool
	for _, e := range b.log.Entries() {
		var body app.CallSettledBody
		if e.Kind == app.CallSettled && e.CallID == "c2" && json.Unmarshal(e.Body, &body) == nil {
			late = body.Late && body.Value.String() == "7"
		}
	}
	if !late {
		t.Error("the late outcome is not in the log")
	}
}

func TestACancelledCallDoesNotUseItsApprovalSilently(t *testing.T) {
	b := begun(t)
	b.approve(t, call(1, "orders.cancel", `{"id":1}`))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Call(ctx, call(1, "orders.cancel", `{"id":1}`)); app.CodeOf(err) != app.Cancelled {
		t.Errorf("got %v", err)
	}
	if e := b.last(t, nil); e.Kind != app.CallRefused || len(b.ran()) != 0 {
		t.Errorf("the log says %s, executed %v", e.Kind, b.ran())
	}
}
