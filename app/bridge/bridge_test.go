package bridge_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/bridge"
	"github.com/faustine-ai/countersign/app/dispatch"
	"github.com/faustine-ai/countersign/app/gate"
	"github.com/faustine-ai/countersign/app/logtest"
	"github.com/faustine-ai/countersign/app/operation"
	"github.com/faustine-ai/countersign/app/registry"
)

type presenter func(ctx context.Context, card app.Card) (app.Answer, error)

func (p presenter) Present(ctx context.Context, card app.Card) (app.Answer, error) {
	return p(ctx, card)
}

type order struct {
	ID int `json:"id"`
}

// bench is the whole core behind a bridge, with a log in memory.
type bench struct {
	*bridge.Bridge
	config  bridge.Config
	secret  string
	log     *logtest.Memory
	gate    *gate.Gate
	card    presenter
	held    chan struct{} // calls of wait.held return when it is closed
	entered chan struct{}
	scene   *bridge.Scene
	said    []string
	hellos  int
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{log: &logtest.Memory{}, held: make(chan struct{}), entered: make(chan struct{}, 100)}
	b.card = func(_ context.Context, c app.Card) (app.Answer, error) {
		return app.Answer{Approve: []string{c.Rows[0].CallID}, Reason: "one is enough", By: app.ByUser}, nil
	}
	echo := func(_ context.Context, in order) (order, error) { return in, nil }
	r, err := registry.New(
		registry.Define("orders.get", echo, registry.Title("Get an order")),
		registry.Define("orders.cancel", echo, registry.Title("Cancel an order"), registry.Marked()),
		registry.Define("echo", func(_ context.Context, v app.Value) (app.Value, error) { return v, nil }),
		registry.Define("wait.held", func(ctx context.Context, _ struct{}) (int, error) {
			b.entered <- struct{}{}
			select {
			case <-b.held:
				return 1, nil
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}),
		registry.Define("bad.nan", func(context.Context, struct{}) (float64, error) { return math.NaN(), nil }),
		registry.Define("bad.panic", func(context.Context, struct{}) (int, error) { panic("no") }),
	)
	if err != nil {
		t.Fatal(err)
	}
	b.gate = gate.New(b.log, r, presenter(func(ctx context.Context, c app.Card) (app.Answer, error) { return b.card(ctx, c) }))
	if b.secret, err = bridge.NewSecret(); err != nil {
		t.Fatal(err)
	}
	b.scene = &bridge.Scene{Name: "cancel-orders", Request: "Cancel them", Auto: true,
		Transcript: func(kind, text string) { b.said = append(b.said, kind+": "+text) },
		Done:       func(status string) { b.said = append(b.said, "done: "+status) }}
	b.config = bridge.Config{Secret: b.secret, Version: "1.2.3", Scene: b.scene, Log: b.log, Functions: r, Gate: b.gate,
		Dispatch: dispatch.New(b.log, r, b.gate), Hello: func() { b.hellos++ },
		Operations: []app.Operation{{Name: "greet", Do: greet}}}
	b.Bridge, err = bridge.New(b.config)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// greet stands for what others have the bridge carry.
func greet(ctx context.Context, raw json.RawMessage) (any, error) {
	a, err := operation.Args[struct {
		Name string `json:"name"`
	}]("greet", raw)
	if err != nil {
		return nil, err
	}
	if a.Name == "nobody" {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return "hello " + a.Name, nil
}

type reply struct {
	Done []struct {
		ID    int64
		OK    json.RawMessage
		Error *struct{ Code, Message string }
	}
	Refused *struct{ Code, Message string }
}

func (b *bench) raw(t testing.TB, envelope string) reply {
	t.Helper()
	text := b.Call(envelope)
	var r reply
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%s is no envelope: %v", text, err)
	}
	if strings.Contains(text, `"done"`) == (r.Refused != nil) {
		t.Fatalf("%s is neither done nor refused", text)
	}
	return r
}

// send submits requests written as JSON, without the brackets.
func (b *bench) send(t testing.TB, submit string) reply {
	t.Helper()
	return b.raw(t, fmt.Sprintf(`{"secret":%q,"submit":[%s]}`, b.secret, submit))
}

// one submits a request and gives its result.
func (b *bench) one(t testing.TB, id int, op, args string) (string, string) {
	t.Helper()
	r := b.send(t, fmt.Sprintf(`{"id":%d,"op":%q,"args":%s}`, id, op, args))
	if r.Refused != nil {
		t.Fatalf("%s %s: refused: %+v", op, args, r.Refused)
	}
	if len(r.Done) != 1 || r.Done[0].ID != int64(id) {
		t.Fatalf("%s %s: got %+v", op, args, r.Done)
	}
	if e := r.Done[0].Error; e != nil {
		return "", e.Code + ": " + e.Message
	}
	return string(r.Done[0].OK), ""
}

func opened(t testing.TB) *bench {
	t.Helper()
	b := newBench(t)
	if _, e := b.one(t, 1, "hello", `{}`); e != "" {
		t.Fatal(e)
	}
	if _, e := b.one(t, 2, "run.begin", `{"runId":"r1","request":"Cancel them","code":"…","model":"offline"}`); e != "" {
		t.Fatal(e)
	}
	return b
}

func TestOnlyCallIsBound(t *testing.T) {
	bound := reflect.TypeFor[*bridge.Bridge]()
	if bound.NumMethod() != 1 || bound.Method(0).Name != "Call" {
		t.Errorf("Wails would bind %d methods; only Call asks for the secret", bound.NumMethod())
	}
}

func TestTheWholePathOfARun(t *testing.T) {
	b := newBench(t)
	if got, e := b.one(t, 1, "hello", `{}`); e != "" || got != `{"version":"1.2.3","scene":{"name":"cancel-orders","request":"Cancel them","auto":true}}` {
		t.Errorf("hello: %s %s", got, e)
	}
	if got, e := b.one(t, 2, "functions", `{}`); e != "" || !strings.Contains(got, `{"name":"orders.cancel","title":"Cancel an order","description":"","approval":"always","input":{`) {
		t.Errorf("functions: %s %s", got, e)
	}
	if got, e := b.one(t, 3, "run.begin", `{"runId":"r1","request":"Cancel them","code":"…","model":"offline"}`); e != "" || got != `{}` {
		t.Errorf("run.begin: %s %s", got, e)
	}
	for input, want := range map[string]string{`{"id":1}`: `{"marked":true}`, `{"id":"x"}`: `{"marked":false}`, `{"$":"nope"}`: `{"marked":false}`} {
		if got, e := b.one(t, 10+len(input), "judge", `{"fn":"orders.cancel","input":`+input+`}`); e != "" || got != want {
			t.Errorf("judge %s: %s %s", input, got, e)
		}
	}
	if _, e := b.one(t, 40, "call", `{"runId":"r1","callId":"c1","seq":1,"fn":"orders.cancel","input":{"id":1}}`); !strings.HasPrefix(e, "ApprovalRequired: ") {
		t.Errorf("without a decision: %q", e)
	}
	if got, e := b.one(t, 41, "decide", `{"runId":"r1","rows":[{"callId":"c2","seq":2,"fn":"orders.cancel","input":{"id":1},"line":3},{"callId":"c3","seq":3,"fn":"orders.cancel","input":{"id":2}}]}`); e != "" ||
		got != `{"approve":["c2"],"reject":["c3"],"reasons":{"c3":"one is enough"}}` {
		t.Errorf("decide: %s %s", got, e)
	}
	if got, e := b.one(t, 42, "call", `{"runId":"r1","callId":"c2","seq":2,"fn":"orders.cancel","input":{"id":1}}`); e != "" || got != `{"id":1}` {
		t.Errorf("approved: %s %s", got, e)
	}
	if _, e := b.one(t, 43, "call", `{"runId":"r1","callId":"c3","seq":3,"fn":"orders.cancel","input":{"id":2}}`); !strings.HasPrefix(e, "ApprovalRequired: ") {
		t.Errorf("rejected: %q", e)
	}
	if got, e := b.one(t, 44, "transcript", `{"kind":"answer","text":"All done <b>"}`); e != "" || got != `{}` {
		t.Errorf("transcript: %s %s", got, e)
	}
	if got, e := b.one(t, 45, "run.end", `{"runId":"r1","status":"ok"}`); e != "" || got != `{}` {
		t.Errorf("run.end: %s %s", got, e)
	}
	if got, e := b.one(t, 46, "scene.done", `{"status":"ok"}`); e != "" || got != `{}` {
		t.Errorf("scene.done: %s %s", got, e)
	}
	if want := "[answer: All done <b> done: ok]"; fmt.Sprint(b.said) != want || b.hellos != 1 {
		t.Errorf("said %v, %d hellos", b.said, b.hellos)
	}
}

func TestValuesCrossAsTheyAre(t *testing.T) {
	b := opened(t)
	for i, v := range []string{`null`, `{"$":"undefined"}`, `{"$":"number","v":"-0"}`, `"<&>\u2028é😀"`, `{"$":"bytes","t":"Uint8Array","v":"AAEC"}`, `{"__proto__":{"a":1}}`, `{"$":"string","v":"d800"}`} {
		got, e := b.one(t, 100+i, "call", fmt.Sprintf(`{"runId":"r1","callId":"v%d","seq":%d,"fn":"echo","input":%s}`, i, i+1, v))
		var a, w any
		if e != "" || json.Unmarshal([]byte(got), &a) != nil || json.Unmarshal([]byte(v), &w) != nil || !reflect.DeepEqual(a, w) {
			t.Errorf("%s came back as %s %s", v, got, e)
		}
	}
}

func TestWhatTheFunctionDoesStaysWithItsCall(t *testing.T) {
	b := opened(t)
	for i, fn := range []string{"bad.nan", "bad.panic", "no.such"} {
		if _, e := b.one(t, 50+i, "call", fmt.Sprintf(`{"runId":"r1","callId":"c%d","seq":%d,"fn":%q,"input":{}}`, i, i+1, fn)); e == "" {
			t.Errorf("%s gave no error", fn)
		}
	}
	if got, e := b.one(t, 60, "call", `{"runId":"r1","callId":"c9","seq":9,"fn":"orders.get","input":{"id":1}}`); e != "" || got != `{"id":1}` {
		t.Errorf("the next call: %s %s", got, e)
	}
}

func TestAPollReturnsWithWhateverIsDone(t *testing.T) {
	b := opened(t)
	replies := make(chan reply, 2)
	go func() {
		replies <- b.send(t, `{"id":10,"op":"call","args":{"runId":"r1","callId":"h","seq":1,"fn":"wait.held","input":{}}}`)
	}()
	<-b.entered
	go func() { replies <- b.send(t, `{"id":11,"op":"judge","args":{"fn":"echo","input":1}}`) }()
	// One of the two envelopes, no matter which, brings what is done.
	if r := <-replies; len(r.Done) != 1 || r.Done[0].ID != 11 {
		t.Errorf("while a call is held: %+v", r)
	}
	close(b.held)
	if r := <-replies; len(r.Done) != 1 || r.Done[0].ID != 10 {
		t.Errorf("then: %+v", r)
	}
	if idle := b.send(t, ``); idle.Refused != nil || idle.Done == nil || len(idle.Done) != 0 {
		t.Errorf("with nothing outstanding: %+v", idle)
	}
}

func TestManyCallsAtOnceAreEachAnsweredOnce(t *testing.T) {
	b := opened(t)
	const envelopes, each = 20, 50
	var mu sync.Mutex
	seen := map[int64]int{}
	var wg sync.WaitGroup
	for e := range envelopes {
		wg.Go(func() {
			var submit []string
			for i := range each {
				id := 100 + e*each + i
				submit = append(submit, fmt.Sprintf(`{"id":%d,"op":"call","args":{"runId":"r1","callId":"c%d","seq":%d,"fn":"orders.get","input":{"id":%d}}}`, id, id, id, id))
			}
			r := b.send(t, strings.Join(submit, ","))
			for {
				mu.Lock()
				for _, d := range r.Done {
					seen[d.ID]++
					if string(d.OK) != fmt.Sprintf(`{"id":%d}`, d.ID) {
						t.Errorf("%d got %s", d.ID, d.OK)
					}
				}
				all := len(seen) == envelopes*each
				mu.Unlock()
				if all || len(r.Done) == 0 {
					return
				}
				r = b.send(t, ``)
			}
		})
	}
	wg.Wait()
	for len(seen) < envelopes*each {
		r := b.send(t, ``)
		if len(r.Done) == 0 {
			break
		}
		for _, d := range r.Done {
			seen[d.ID]++
		}
	}
	if len(seen) != envelopes*each {
		t.Errorf("%d of %d answered", len(seen), envelopes*each)
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%d answered %d times", id, n)
		}
	}
}

func TestARequestCanBeCancelled(t *testing.T) {
	b := opened(t)
	answer := make(chan reply, 1)
	go func() {
		answer <- b.send(t, `{"id":10,"op":"call","args":{"runId":"r1","callId":"h","seq":1,"fn":"wait.held","input":{}}}`)
	}()
	<-b.entered
	results := map[int64]string{}
	add := func(r reply) {
		for _, d := range r.Done {
			if d.Error != nil {
				results[d.ID] = d.Error.Code
			} else {
				results[d.ID] = string(d.OK)
			}
		}
	}
	add(b.send(t, `{"id":11,"op":"cancel","args":{"id":10}}`))
	add(<-answer)
	for len(results) < 2 {
		add(b.send(t, ``))
	}
	if results[10] != "Cancelled" || results[11] != `{}` {
		t.Errorf("got %v", results)
	}
	if got, e := b.one(t, 12, "cancel", `{"id":999}`); e != "" || got != `{}` {
		t.Errorf("cancelling what is not there: %s %s", got, e)
	}
}

func TestCancellingADecisionClosesItsCard(t *testing.T) {
	b := opened(t)
	shown := make(chan struct{})
	b.card = func(ctx context.Context, _ app.Card) (app.Answer, error) {
		close(shown)
		<-ctx.Done()
		return app.Answer{By: app.ByAborted}, nil
	}
	answer := make(chan reply, 1)
	go func() {
		answer <- b.send(t, `{"id":10,"op":"decide","args":{"runId":"r1","rows":[{"callId":"c1","seq":1,"fn":"orders.cancel","input":{"id":1}}]}}`)
	}()
	<-shown
	r := b.send(t, `{"id":11,"op":"cancel","args":{"id":10}}`)
	r.Done = append(r.Done, (<-answer).Done...)
	for len(r.Done) < 2 {
		r.Done = append(r.Done, b.send(t, ``).Done...)
	}
	for _, d := range r.Done {
		if d.ID == 10 && !strings.Contains(string(d.OK), `"reject":["c1"]`) {
			t.Errorf("got %s %+v", d.OK, d.Error)
		}
	}
}

func TestANewLoadOfThePageDropsTheOldOne(t *testing.T) {
	b := opened(t)
	old := make(chan reply, 1)
	go func() {
		old <- b.send(t, `{"id":10,"op":"call","args":{"runId":"r1","callId":"h","seq":1,"fn":"wait.held","input":{}}}`)
	}()
	<-b.entered
	if _, e := b.one(t, 1, "hello", `{}`); e != "" { // ids begin anew
		t.Fatal(e)
	}
	if r := <-old; len(r.Done) != 0 {
		t.Errorf("the old page got %+v", r.Done)
	}
	if _, e := b.one(t, 2, "call", `{"runId":"r1","callId":"x","seq":2,"fn":"orders.get","input":{"id":1}}`); !strings.HasPrefix(e, "RunEnded: ") {
		t.Errorf("the old run: %q", e)
	}
	var ended app.RunEndedBody
	for _, e := range b.log.Entries() {
		if e.Kind == app.RunEnded {
			if err := json.Unmarshal(e.Body, &ended); err != nil {
				t.Fatal(err)
			}
		}
	}
	if ended.Status != app.StatusAborted {
		t.Errorf("the old run ended as %q", ended.Status)
	}
}

func TestAbortEndsWhatThePageBeganAndLetsItBeginAnew(t *testing.T) {
	b := opened(t)
	answer := make(chan reply, 1)
	go func() {
		answer <- b.send(t, `{"id":10,"op":"call","args":{"runId":"r1","callId":"h","seq":1,"fn":"wait.held","input":{}}}`)
	}()
	<-b.entered
	bridge.Abort(b.Bridge, "the window was closed")
	bridge.Abort(b.Bridge, "again")
	<-answer
	if r := b.send(t, ``); r.Refused == nil || r.Refused.Code != "Cancelled" {
		t.Errorf("a poll afterwards: %+v", r)
	}
	if _, e := b.one(t, 1, "hello", `{}`); e != "" {
		t.Error(e)
	}
	kinds := b.log.Kinds()
	if kinds[len(kinds)-1] != app.RunEnded {
		t.Errorf("the log ends with %v", kinds)
	}
}

func TestAnEnvelopeWithoutTheSecretStartsNothingAndIsLogged(t *testing.T) {
	b := opened(t)
	n := len(b.log.Entries())
	call := `{"id":9,"op":"call","args":{"runId":"r1","callId":"c1","seq":1,"fn":"orders.get","input":{"id":1}}}`
	for _, envelope := range []string{
		`{"secret":"","submit":[` + call + `]}`,
		`{"submit":[` + call + `]}`,
		`{"secret":"` + strings.Repeat("0", 64) + `","submit":[` + call + `]}`,
		`{"secret":"` + b.secret[:63] + `","submit":[` + call + `]}`,
		`{"secret":"` + b.secret + ` ","submit":[` + call + `]}`,
		`{"secret":null,"submit":[]}`,
	} {
		if r := b.raw(t, envelope); r.Refused == nil || r.Refused.Code != "Unauthorized" {
			t.Errorf("%s: got %+v", envelope, r)
		}
	}
	for _, envelope := range []string{``, `null x`, `[]`, `"secret"`, `{"name":"main.App.Approve","args":[1],"callbackID":"x"}`} {
		if r := b.raw(t, envelope); r.Refused == nil {
			t.Errorf("%s: got %+v", envelope, r)
		}
	}
	entries := waitFor(t, b.log, n+10) // 11 came; the first ten are logged one by one
	for _, e := range entries[n:] {
		if e.Kind != app.CallRefused || !strings.Contains(string(e.Body), `"code":"Unauthorized"`) {
			t.Errorf("the log has %s %s", e.Kind, e.Body)
		}
	}
	for range 1000 {
		b.raw(t, `{"secret":"x","submit":[]}`)
	}
	if got := len(b.log.Entries()); got > n+11 {
		t.Errorf("a flood of 1000 wrote %d entries", got-n)
	}
	bridge.Abort(b.Bridge, "the window was closed")
	var total int64
	for _, e := range waitFor(t, b.log, n+12)[n:] { // the rest as a number, and run.ended
		var body app.CallRefusedBody
		if e.Kind == app.CallRefused && json.Unmarshal(e.Body, &body) == nil {
			total += body.Count
		}
	}
	if total != 1011 {
		t.Errorf("the log counts %d refused envelopes, want 1011", total)
	}
}

func TestThePageOpensWhenTheLogFails(t *testing.T) {
	b := opened(t)
	b.log.SetFail(func(app.Entry) error { return errors.New("the disk is full") })
	if _, e := b.one(t, 1, "hello", `{}`); e != "" {
		t.Errorf("hello: %s", e)
	}
	if _, e := b.one(t, 2, "run.begin", `{"runId":"r2","request":"","code":"","model":""}`); !strings.HasPrefix(e, "LogUnavailable: ") || !strings.Contains(e, "disk is full") {
		t.Errorf("run.begin: %q", e)
	}
}

func waitFor(t *testing.T, log *logtest.Memory, n int) []app.Entry {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if entries := log.Entries(); len(entries) >= n {
			return entries
		}
	}
	t.Fatalf("%d entries, want %d", len(log.Entries()), n)
	return nil
}

func TestAWrongEnvelopeStartsNothing(t *testing.T) {
	b := opened(t)
	n := len(b.log.Entries())
	good := `{"id":20,"op":"call","args":{"runId":"r1","callId":"c1","seq":1,"fn":"orders.get","input":{"id":1}}}`
	for name, submit := range map[string]string{
		"unknown op":          `{"id":21,"op":"approve","args":{}}`,
		"op of the prototype": `{"id":21,"op":"__proto__","args":{}}`,
		"no op":               `{"id":21,"args":{}}`,
		"id 0":                `{"id":0,"op":"functions","args":{}}`,
		"negative id":         `{"id":-1,"op":"functions","args":{}}`,
		"fraction":            `{"id":1.5,"op":"functions","args":{}}`,
		"text as id":          `{"id":"21","op":"functions","args":{}}`,
		"no id":               `{"op":"functions","args":{}}`,
		"huge id":             `{"id":9007199254740993,"op":"functions","args":{}}`,
		"an id again":         `{"id":2,"op":"functions","args":{}}`,
		"an id twice":         `{"id":20,"op":"functions","args":{}}`,
		"unknown member":      `{"id":21,"op":"functions","args":{},"approved":true}`,
		"a number":            `7`,
		"null":                `null`,
		"hello in the middle": `{"id":21,"op":"hello","args":{}}`,
	} {
		if r := b.send(t, good+","+submit); r.Refused == nil || r.Refused.Code != "BadRequest" {
			t.Errorf("%s: got %+v", name, r)
		}
	}
	if got := len(b.log.Entries()); got != n {
		t.Errorf("%d entries were written", got-n)
	}
	if r := b.send(t, good); len(r.Done) != 1 || r.Done[0].Error != nil {
		t.Errorf("the id 20 is unused: %+v", r)
	}
	if r := b.raw(t, fmt.Sprintf(`{"secret":%q,"submit":[],"extra":1}`, b.secret)); r.Refused == nil {
		t.Errorf("an unknown member: %+v", r)
	}
}

func TestWrongArgumentsAreAnErrorOfTheirRequest(t *testing.T) {
	b := opened(t)
	for i, c := range [][2]string{
		{"hello", `[]`}, {"functions", `{"x":1}`}, {"functions", `null x`},
		{"run.begin", `{"runId":5}`}, {"run.begin", `{"runId":"r2","request":"\ud800","code":"","model":""}`}, {"run.begin", `{"runId":"r2","runId":"r3","request":"","code":"","model":""}`},
		{"run.begin", `{"runId":"","request":"","code":"","model":""}`}, {"run.begin", `{"runId":"r1","request":"","code":"","model":""}`},
		{"run.end", `{"runId":"r1","status":"fine"}`}, {"judge", `{"fn":7,"input":1}`}, {"call", `{"runId":"r1","callId":"c","seq":"1","fn":"echo","input":1}`},
		{"call", `{"runId":"r1","callId":"c","seq":1,"fn":"echo","input":1,"approved":true}`},
		{"decide", `{"runId":"r1","rows":[]}`}, {"decide", `{"runId":"r1","rows":{}}`}, {"decide", `{"runId":"r1","rows":[{"callId":"c1","seq":1,"fn":"echo","input":1,"decision":"approve"}]}`},
		{"cancel", `{"id":"10"}`}, {"transcript", `{"kind":"html","text":""}`}, {"scene.done", `{}x`},
	} {
		r := b.send(t, fmt.Sprintf(`{"id":%d,"op":%q,"args":%s}`, 500+i, c[0], c[1]))
		if c[0] == "hello" {
			b = opened(t)
			continue
		}
		switch {
		case r.Refused != nil && r.Refused.Code == "BadRequest":
		case len(r.Done) == 1 && r.Done[0].Error != nil && r.Done[0].Error.Code == "BadRequest":
		default:
			t.Errorf("%s %s: got %+v", c[0], c[1], r)
		}
	}
}

func TestAnInnerFailureShowsNothingOfItself(t *testing.T) {
	b := opened(t)
	b.log.SetFail(func(app.Entry) error { return errors.New("/home/secret/path: denied") })
	if _, e := b.one(t, 30, "run.begin", `{"runId":"r2","request":"","code":"","model":""}`); !strings.HasPrefix(e, "LogUnavailable: ") {
		t.Errorf("got %q", e)
	}
}

func TestABridgeNeedsItsParts(t *testing.T) {
	if _, err := bridge.New(bridge.Config{Secret: strings.Repeat("0", 64)}); err == nil {
		t.Error("a bridge without a gate was made")
	}
	if _, err := bridge.New(bridge.Config{Secret: "short"}); err == nil {
		t.Error("a short secret was taken")
	}
	a, err := bridge.NewSecret()
	if err != nil {
		t.Fatal(err)
	}
	if b, err := bridge.NewSecret(); err != nil || a == b || len(a) != 64 {
		t.Errorf("secrets %q and %q, %v", a, b, err)
	}
}

func FuzzEnvelope(f *testing.F) {
	b := newBench(f)
	for _, submit := range []string{``, `{"id":1,"op":"hello","args":{}}`, `{"id":2,"op":"functions","args":{}}`, `{"id":3,"op":"judge","args":{"fn":"echo","input":{"$":"undefined"}}}`,
		`{"id":4,"op":"run.begin","args":{"runId":"r1","request":"","code":"","model":""}},{"id":5,"op":"cancel","args":{"id":4}}`,
		`{"id":6,"op":"call","args":{"runId":"r1","callId":"c","seq":1,"fn":"orders.cancel","input":{"id":1}}}`} {
		f.Add(fmt.Sprintf(`{"secret":"S","submit":[%s]}`, submit))
	}
	f.Add(`{"secret":7}`)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "wait.held") {
			t.Skip("would wait for ever, as it should")
		}
		text = strings.Replace(text, `"S"`, `"`+b.secret+`"`, 1)
		r := b.raw(t, text)
		if r.Refused != nil && r.Refused.Code != "BadRequest" && r.Refused.Code != "Unauthorized" && r.Refused.Code != "Cancelled" {
			t.Fatalf("%q: refused with %+v", text, r.Refused)
		}
		for _, d := range r.Done {
			if d.Error != nil && (d.Error.Code == "Internal" || d.Error.Code == "") {
				t.Fatalf("%q: %+v", text, d.Error)
			}
		}
	})
}
