//go:build desktoptest

package desktop

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
)

func TestAMessageForgedFromASandboxedFrameRunsNothing(t *testing.T) {
	d := desk.Open(t)
	d.Do("hostile", `
	  const handler = window.webkit.messageHandlers.external
	  const ops = [
	    { op: 'run.begin', args: { runId: 'forged', request: 'x', code: 'x', model: 'x' } },
	    { op: 'call', args: { runId: 'forged', callId: 'forged.1', seq: 1, fn: 'orders.cancel', input: { id: 1041 } } },
	    { op: 'call', args: { runId: 'forged', callId: 'forged.2', seq: 2, fn: 'orders.list', input: {} } },
	    { op: 'decide', args: { runId: 'forged', rows: [{ callId: 'forged.1', seq: 1, fn: 'orders.cancel', input: { id: 1041 } }] } },
	  ]
	  let id = 7000
	  for (const secret of [undefined, '', 'guess', '0'.repeat(64), null, {}])
	    for (const op of ops)
	      for (const name of ['bridge.Bridge.Call', 'bridge.Bridge.Decide', 'main.Bridge.Call'])
	        handler.postMessage('C' + JSON.stringify({ name, args: [JSON.stringify({ secret, submit: [{ id: ++id, ...op }] })], callbackID: 'x' + id }))
	  return true`)
	// The page itself still answers, so everything before it has been handled.
	d.Text()
	d.OnlyCancelled()
	for _, call := range d.Calls() {
		if call.Outcome != "refused" || call.Decision != nil {
			t.Errorf("the log has %+v", call)
		}
	}
	if d.Widgets() != nil {
		t.Error("a card is open")
	}
	d.Verifies()
	// And an honest run goes its way.
	d.Asks()
	d.Click(d.Button("Run 3 selected"))
	d.Gone()
	d.Result(desk.Matching, nil)
	d.OnlyCancelled(desk.Matching...)
	d.Verifies()
}

func TestAMarkedFunctionCalledStraightOverTheBridgeIsRefusedAndLogged(t *testing.T) {
	d := desk.Open(t)
	answers := d.OverTheBridge(
		`{ op: 'run.begin', args: { runId: 'straight', request: 'nobody asked', code: 'return 1', model: 'none' } }`,
		`{ op: 'call', args: { runId: 'straight', callId: 'straight.1', seq: 1, fn: 'orders.cancel', input: { id: 1041 } } }`,
		`{ op: 'call', args: { runId: 'straight', callId: 'straight.2', seq: 2, fn: 'orders.refund', input: { id: 1041, amount: 5 } } }`,
	)
	for _, answer := range answers[1:] {
		var got struct{ Error struct{ Code string } }
		if err := json.Unmarshal([]byte(answer), &got); err != nil || got.Error.Code != "ApprovalRequired" {
			t.Errorf("answered %s, expected ApprovalRequired", answer)
		}
	}
	d.OnlyCancelled()
	refused := 0
	for _, call := range d.Calls() {
		if call.RunID == "straight" && strings.Contains(call.Outcome, "refused") {
			refused++
		}
	}
	if refused != 2 {
		t.Errorf("the log has %d refused calls, expected 2: %+v", refused, d.Calls())
	}
	d.Verifies()
}

func TestARunThatWasNotBegunCallsNothing(t *testing.T) {
	d := desk.Open(t)
	for _, answer := range d.OverTheBridge(
		`{ op: 'call', args: { runId: 'never', callId: 'never.1', seq: 1, fn: 'orders.list', input: {} } }`,
		`{ op: 'decide', args: { runId: 'never', rows: [{ callId: 'never.1', seq: 1, fn: 'orders.cancel', input: { id: 1041 } }] } }`,
	) {
		if !strings.Contains(answer, `"error"`) {
			t.Errorf("answered %s", answer)
		}
	}
	if d.Widgets() != nil {
		t.Error("a card is open")
	}
	d.OnlyCancelled()
	d.Verifies()
}

func TestRowsThatMustNotRunNeverReachTheCard(t *testing.T) {
	d := desk.Open(t)
	answers := d.OverTheBridge(
		`{ op: 'run.begin', args: { runId: 'odd', request: 'x', code: 'return 1', model: 'none' } }`,
		`{ op: 'decide', args: { runId: 'odd', rows: [
		    { callId: 'odd.1', seq: 1, fn: 'orders.cancel', input: { id: 'not a number' } },
		    { callId: 'odd.2', seq: 2, fn: 'orders.list', input: {} },
		    { callId: 'odd.3', seq: 3, fn: 'no.such', input: {} } ] } }`,
	)
	var got struct {
		OK struct{ Approve, Reject []string }
	}
	if err := json.Unmarshal([]byte(answers[1]), &got); err != nil || len(got.OK.Approve) != 0 || len(got.OK.Reject) != 3 {
		t.Errorf("answered %s, expected three rejections by policy", answers[1])
	}
	for _, call := range d.Calls() {
		if call.RunID == "odd" && (call.Decision == nil || call.Decision.By != "policy") {
			t.Errorf("not decided by policy: %+v", call)
		}
	}
	d.OnlyCancelled()
	d.Verifies()
}
