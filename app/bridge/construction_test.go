package bridge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/bridge"
)

// The page asks for decisions and has no words to report one: no op for it, no
// member for it in any op, and no way to a marked call without one.
func TestThePageHasNoWordsForADecision(t *testing.T) {
	b := newBench(t)
	asked := 0
	b.card = func(context.Context, app.Card) (app.Answer, error) { asked++; return app.Answer{By: app.ByUser}, nil }
	b.one(t, 1, "hello", `{}`)
	b.one(t, 2, "run.begin", `{"runId":"r1","request":"","code":"","model":""}`)
	id := 10
	for _, op := range []string{"approve", "decided", "decision", "consume", "gate.decide", "Decide", "resume", "call.decided", "log.append"} {
		id++
		if r := b.send(t, fmt.Sprintf(`{"id":%d,"op":%q,"args":{"runId":"r1","approve":["c1"]}}`, id, op)); r.Refused == nil {
			t.Errorf("the op %s was taken", op)
		}
	}
	row := `{"callId":"c1","seq":1,"fn":"orders.cancel","input":{"id":1}}`
	for _, more := range []string{`"approve":["c1"]`, `"decision":"approve"`, `"decisions":{"all":"approve"}`, `"verdict":"approve"`, `"by":"user"`, `"digest":"00"`} {
		id++
		if _, e := b.one(t, id, "decide", `{"runId":"r1",`+more+`,"rows":[`+row+`]}`); !strings.HasPrefix(e, "BadRequest: ") {
			t.Errorf("decide with %s: %q", more, e)
		}
		id++
		if _, e := b.one(t, id, "decide", `{"runId":"r1","rows":[`+row[:len(row)-1]+`,`+more+`}]}`); !strings.HasPrefix(e, "BadRequest: ") {
			t.Errorf("a row with %s: %q", more, e)
		}
		id++
		if _, e := b.one(t, id, "call", fmt.Sprintf(`{"runId":"r1","callId":"x%d","seq":1,"fn":"orders.cancel","input":{"id":1},%s}`, id, more)); !strings.HasPrefix(e, "BadRequest: ") {
			t.Errorf("call with %s: %q", more, e)
		}
	}
	id++
	if _, e := b.one(t, id, "call", `{"runId":"r1","callId":"c9","seq":1,"fn":"orders.cancel","input":{"id":1}}`); !strings.HasPrefix(e, "ApprovalRequired: ") {
		t.Errorf("got %q", e)
	}
	if asked != 0 || slices.Contains(b.log.Kinds(), app.CallDecided) || slices.Contains(b.log.Kinds(), app.CallStarted) {
		t.Errorf("%d cards, the log has %v", asked, b.log.Kinds())
	}
}

// A second window is a second load of the page: it voids what the first was given.
func TestASecondWindowCannotUseTheApprovalsOfTheFirst(t *testing.T) {
	b := newBench(t)
	b.one(t, 1, "hello", `{}`)
	b.one(t, 2, "run.begin", `{"runId":"r1","request":"","code":"","model":""}`)
	b.one(t, 3, "decide", `{"runId":"r1","rows":[{"callId":"c1","seq":1,"fn":"orders.cancel","input":{"id":1}}]}`)
	b.one(t, 1, "hello", `{}`) // the second window
	call := `{"runId":"r1","callId":"c1","seq":1,"fn":"orders.cancel","input":{"id":1}}`
	if _, e := b.one(t, 2, "call", call); !strings.HasPrefix(e, "RunEnded: ") {
		t.Errorf("from the second window: %q", e)
	}
	if _, e := b.one(t, 3, "run.begin", `{"runId":"r1","request":"","code":"","model":""}`); !strings.HasPrefix(e, "BadRequest: ") {
		t.Errorf("the run began again: %q", e)
	}
	if _, e := b.one(t, 4, "call", call); !strings.HasPrefix(e, "RunEnded: ") {
		t.Errorf("again: %q", e)
	}
	kinds := b.log.Kinds()
	if slices.Contains(kinds, app.CallStarted) || !slices.Contains(kinds, app.CallRefused) || !slices.Contains(kinds, app.RunEnded) {
		t.Errorf("the log has %v", kinds)
	}
}

// What the bridge carries for others cannot stand in for an op of a run.
func TestAnOperationCannotTakeTheNameOfAnother(t *testing.T) {
	fine := func(context.Context, json.RawMessage) (any, error) { return "here", nil }
	for _, added := range [][]app.Operation{
		{{Name: "decide", Do: fine}},
		{{Name: "log.calls", Do: fine}, {Name: "log.calls", Do: fine}},
		{{Name: "", Do: fine}},
		{{Name: "log.calls"}},
	} {
		b := newBench(t)
		config := b.config
		config.Operations = added
		if _, err := bridge.New(config); err == nil {
			t.Errorf("%+v was taken", added)
		}
	}
}

func TestTheBridgeCarriesTheOperationsOfOthers(t *testing.T) {
	b := newBench(t)
	b.one(t, 1, "hello", `{}`)
	if ok, e := b.one(t, 2, "greet", `{"name":"Ada"}`); string(ok) != `"hello Ada"` {
		t.Errorf("got %s, %s", ok, e)
	}
	if _, e := b.one(t, 3, "greet", `{"nam":"Ada"}`); !strings.HasPrefix(e, "BadRequest: ") {
		t.Errorf("an unknown argument gave %q", e)
	}
	b.send(t, `{"id":4,"op":"greet","args":{"name":"nobody"}},{"id":5,"op":"cancel","args":{"id":4}}`)
}

// An open poll takes nothing from an envelope that is open too: whoever asks is
// answered where it asked, however many wait beside it.
func TestAnAnswerGoesWithItsOwnEnvelopeWhileThatIsOpen(t *testing.T) {
	b := newBench(t)
	b.one(t, 1, "hello", `{}`)
	long := make(chan reply)
	go func() { long <- b.send(t, `{"id":2,"op":"greet","args":{"name":"nobody"}}`) }()
	poll := make(chan reply)
	go func() { poll <- b.send(t, ``) }()
	for id := 10; id < 200; id++ {
		b.one(t, id, "greet", `{"name":"Ada"}`) // fails when the answer is not in its own envelope
	}
	var r reply
	for id := 200; r.Done == nil; id++ { // a cancel that comes before its request cancels nothing
		b.one(t, id, "cancel", `{"id":2}`)
		select {
		case r = <-long:
		default:
		}
	}
	if len(r.Done) != 1 || r.Done[0].ID != 2 || r.Done[0].Error == nil {
		t.Errorf("the long one got %+v", r)
	}
	if r := <-poll; len(r.Done) != 0 {
		t.Errorf("the poll took %+v", r.Done)
	}
}
