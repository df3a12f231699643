package dispatch_test

import (
	"context"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/dispatch"
	"github.com/faustine-ai/countersign/app/gate"
	"github.com/faustine-ai/countersign/app/logtest"
	"github.com/faustine-ai/countersign/app/registry"
)

func TestARunKeepsTheFunctionsItBeganWith(t *testing.T) {
	told := func(name, says string, options ...registry.Option) *app.Function {
		return registry.Define(name, func(context.Context, order) (string, error) { return says, nil }, options...)
	}
	live, err := registry.NewLive(told("a.gone", "old"), told("a.changed", "old"), told("a.tightened", "old"), told("a.loosened", "old", registry.Marked()))
	if err != nil {
		t.Fatal(err)
	}
	log := &logtest.Memory{}
	held := gate.New(log, live, approver{})
	b := &bench{log: log, gate: held, Dispatcher: dispatch.New(log, live, held)}
	if err := held.Begin(t.Context(), app.Run{ID: "r1"}); err != nil {
		t.Fatal(err)
	}
	if err := live.Replace(told("a.new", "new"), told("a.changed", "new"), told("a.tightened", "new", registry.Marked()), told("a.loosened", "new")); err != nil {
		t.Fatal(err)
	}
	if err := held.Begin(t.Context(), app.Run{ID: "r2"}); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		run, fn, want string
		code          app.Code
	}{
		{"r1", "a.gone", `"old"`, ""}, {"r1", "a.changed", `"old"`, ""}, {"r1", "a.new", "", app.UnknownFunction},
		{"r1", "a.tightened", "", app.ApprovalRequired}, {"r1", "a.loosened", "", app.ApprovalRequired},
		{"r2", "a.gone", "", app.UnknownFunction}, {"r2", "a.changed", `"new"`, ""}, {"r2", "a.new", `"new"`, ""},
		{"r2", "a.tightened", "", app.ApprovalRequired}, {"r2", "a.loosened", `"new"`, ""},
	} {
		asked := call(i+1, c.fn, `{"id":1}`)
		asked.RunID = c.run
		got, err := b.Call(t.Context(), asked)
		if got.String() != c.want || c.code == "" && err != nil || c.code != "" && app.CodeOf(err) != c.code {
			t.Errorf("%s %s: %s, %v", c.run, c.fn, got, err)
		}
	}
	// What was tightened meanwhile can be decided, and then runs as it was.
	asked := call(50, "a.tightened", `{"id":1}`)
	b.approve(t, asked)
	if got, err := b.Call(t.Context(), asked); err != nil || got.String() != `"old"` {
		t.Errorf("approved: %s, %v", got, err)
	}
}
