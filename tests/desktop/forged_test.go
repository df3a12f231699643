//go:build desktoptest

package desktop

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestAMessageForgedFromASandboxedFrameRunsNothing(t *testing.T) {
	d := openDesk(t)
	d.do("hostile", `
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
	d.text()
	d.onlyCancelled()
	for _, call := range d.calls() {
		if call.Outcome != "refused" || call.Decision != nil {
			t.Errorf("the log has %+v", call)
		}
	}
	if d.widgets() != nil {
		t.Error("a card is open")
	}
	d.verifies()
	// And an honest run goes its way.
	d.asks()
	d.click(d.button("Run 3 selected"))
	d.gone()
	d.result(matching, nil)
	d.onlyCancelled(matching...)
	d.verifies()
}

// overTheBridge calls ops as the page's own script could, with its secret, and
// returns what was answered to each.
func (d *desk) overTheBridge(ops ...string) []string {
	d.t.Helper()
	var answers []string
	for i, op := range ops {
		raw := d.do("eval", fmt.Sprintf(`
		  const secret = document.querySelector('meta[name=countersign-secret]').content
		  const id = %d
		  let out = JSON.parse(await window.go.bridge.Bridge.Call(JSON.stringify({ secret, submit: [{ id, ...%s }] })))
		  for (let i = 0; i < 100 && !out.refused && !(out.done ?? []).some((each) => each.id === id); i++)
		    out = JSON.parse(await window.go.bridge.Bridge.Call(JSON.stringify({ secret, submit: [] })))
		  return out.refused ?? out.done.find((each) => each.id === id)`, 900000+i+d.id*100, op))
		answers = append(answers, string(raw))
	}
	return answers
}

func TestAMarkedFunctionCalledStraightOverTheBridgeIsRefusedAndLogged(t *testing.T) {
	d := openDesk(t)
	answers := d.overTheBridge(
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
	d.onlyCancelled()
	refused := 0
	for _, call := range d.calls() {
		if call.RunID == "straight" && strings.Contains(call.Outcome, "refused") {
			refused++
		}
	}
	if refused != 2 {
		t.Errorf("the log has %d refused calls, expected 2: %+v", refused, d.calls())
	}
	d.verifies()
}

func TestARunThatWasNotBegunCallsNothing(t *testing.T) {
	d := openDesk(t)
	for _, answer := range d.overTheBridge(
		`{ op: 'call', args: { runId: 'never', callId: 'never.1', seq: 1, fn: 'orders.list', input: {} } }`,
		`{ op: 'decide', args: { runId: 'never', rows: [{ callId: 'never.1', seq: 1, fn: 'orders.cancel', input: { id: 1041 } }] } }`,
	) {
		if !strings.Contains(answer, `"error"`) {
			t.Errorf("answered %s", answer)
		}
	}
	if d.widgets() != nil {
		t.Error("a card is open")
	}
	d.onlyCancelled()
	d.verifies()
}

func TestRowsThatMustNotRunNeverReachTheCard(t *testing.T) {
	d := openDesk(t)
	answers := d.overTheBridge(
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
	for _, call := range d.calls() {
		if call.RunID == "odd" && (call.Decision == nil || call.Decision.By != "policy") {
			t.Errorf("not decided by policy: %+v", call)
		}
	}
	d.onlyCancelled()
	d.verifies()
}
