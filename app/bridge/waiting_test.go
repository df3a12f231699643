package bridge_test

import (
	"context"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/bridge"
	"github.com/faustine-ai/countersign/app/dispatch"
	"github.com/faustine-ai/countersign/app/gate"
	"github.com/faustine-ai/countersign/app/logtest"
	"github.com/faustine-ai/countersign/app/registry"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// keeping is a bench whose pending runs are kept on disk.
func keeping(t *testing.T) *bench {
	t.Helper()
	b := &bench{log: &logtest.Memory{}}
	log, err := sqlite.Open(t.TempDir()+"/log.db", sqlite.Options{}) // for what waits beside it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	r, err := registry.New(registry.Define("orders.cancel", func(_ context.Context, in app.Value) (app.Value, error) { return in, nil },
		registry.Title("Cancel an order"), registry.Plural("Cancel {n} orders"), registry.Marked()))
	if err != nil {
		t.Fatal(err)
	}
	b.gate = gate.New(b.log, r, presenter(func(ctx context.Context, c app.Card) (app.Answer, error) { return b.card(ctx, c) }), gate.Keep(log.Waiting(), "build"))
	if b.secret, err = bridge.NewSecret(); err != nil {
		t.Fatal(err)
	}
	if b.Bridge, err = bridge.New(bridge.Config{Secret: b.secret, Log: b.log, Functions: r, Gate: b.gate, Dispatch: dispatch.New(b.log, r, b.gate)}); err != nil {
		t.Fatal(err)
	}
	return b
}

// leftWaiting is a bench whose page was loaded anew while the card of r1 was open.
func leftWaiting(t *testing.T, input string) *bench {
	t.Helper()
	b := keeping(t)
	b.one(t, 1, "hello", `{}`)
	b.one(t, 2, "run.begin", `{"runId":"r1","request":"Cancel them","code":"the program","model":"offline"}`)
	shown := make(chan struct{})
	b.card = func(ctx context.Context, _ app.Card) (app.Answer, error) {
		close(shown)
		<-ctx.Done()
		return app.Answer{By: app.ByAborted}, nil
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		b.send(t, `{"id":3,"op":"decide","args":{"runId":"r1","continuation":{"k":[1,{"$":"undefined"}]},"rows":[{"callId":"c1","seq":1,"fn":"orders.cancel","input":`+input+`}]}}`)
	}()
	<-shown
	if _, e := b.one(t, 1, "hello", `{}`); e != "" {
		t.Fatal(e)
	}
	<-over
	return b
}

func TestAPageThatIsLoadedAnewListsReadsAndDecidesWhatWaits(t *testing.T) {
	b := leftWaiting(t, `{"id":1}`)
	if got, e := b.one(t, 2, "waiting", `{}`); e != "" || !strings.HasPrefix(got, `[{"runId":"r1","request":"Cancel them","model":"offline","title":"Cancel an order?","calls":1,"since":"`) {
		t.Errorf("waiting: %s %s", got, e)
	}
	if got, e := b.one(t, 3, "waiting.read", `{"runId":"r1"}`); e != "" ||
		got != `{"runId":"r1","code":"the program","rows":[{"callId":"c1","seq":1,"fn":"orders.cancel","input":{"id":1}}],"continuation":{"k":[1,{"$":"undefined"}]}}` {
		t.Errorf("waiting.read: %s %s", got, e)
	}
	b.card = func(_ context.Context, c app.Card) (app.Answer, error) {
		return app.Answer{Approve: []string{c.Rows[0].CallID}, By: app.ByUser}, nil
	}
	if got, e := b.one(t, 4, "waiting.decide", `{"runId":"r1"}`); e != "" || got != `{"approve":["c1"],"reject":[],"reasons":{}}` {
		t.Errorf("waiting.decide: %s %s", got, e)
	}
	if _, e := b.one(t, 5, "waiting.decide", `{"runId":"r1"}`); !strings.HasPrefix(e, "BadRequest: ") {
		t.Errorf("a second time: %q", e)
	}
	if got, e := b.one(t, 6, "call", `{"runId":"r1","callId":"c1","seq":1,"fn":"orders.cancel","input":{"id":1}}`); e != "" || got != `{"id":1}` {
		t.Errorf("call: %s %s", got, e)
	}
	if _, e := b.one(t, 7, "call", `{"runId":"r1","callId":"c9","seq":1,"fn":"orders.cancel","input":{"id":1}}`); !strings.HasPrefix(e, "ApprovalRequired: ") {
		t.Errorf("the approval was used twice: %q", e)
	}
	if _, e := b.one(t, 8, "run.end", `{"runId":"r1","status":"ok"}`); e != "" {
		t.Error(e)
	}
	if got, e := b.one(t, 9, "waiting", `{}`); e != "" || got != `[]` {
		t.Errorf("waiting: %s %s", got, e)
	}
}

func TestWhatWaitsIsDismissedOverTheBridge(t *testing.T) {
	b := leftWaiting(t, `{"id":1}`)
	if got, e := b.one(t, 2, "waiting.dismiss", `{"runId":"r1"}`); e != "" || got != `{}` {
		t.Errorf("waiting.dismiss: %s %s", got, e)
	}
	for i, op := range []string{"waiting.read", "waiting.decide", "waiting.dismiss"} {
		if _, e := b.one(t, 3+i, op, `{"runId":"r1"}`); !strings.HasPrefix(e, "RunEnded: ") {
			t.Errorf("%s: %q", op, e)
		}
		if _, e := b.one(t, 13+i, op, `{"runId":"r2"}`); !strings.HasPrefix(e, "NotWaiting: ") {
			t.Errorf("%s of what never was: %q", op, e)
		}
	}
}

func TestLongBytesOfWhatWaitsAreCarried(t *testing.T) {
	long := `{"$":"bytes","t":"Uint8Array","v":"` + strings.Repeat("AAAA", 40_000) + `"}`
	b := leftWaiting(t, long)
	got, e := b.one(t, 3, "waiting.read", `{"runId":"r1"}`)
	if e != "" || len(got) > 1000 || !strings.Contains(got, `"$":"carried"`) {
		t.Errorf("waiting.read: %.300s %s", got, e)
	}
}
