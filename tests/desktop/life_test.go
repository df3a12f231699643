//go:build desktoptest

package desktop

import (
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
)

func TestTheCardClosesWhenThePersonStopsTheRun(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	press(d, "button.stop") // behind the card, which is not modal for this
	d.Gone()
	desk.Eventually(t, "the page says that it was stopped", func() bool { return strings.Contains(d.Text(), "Stopped") })
	d.OnlyCancelled()
	d.Decided("aborted")
	d.RunEnded("aborted")
	d.Verifies()
	// And the app works.
	press(d, "textarea")
	d.Asks()
	d.Keys("Escape")
	d.Gone()
	d.Verifies()
}

const ops = `
  const secret = document.querySelector('meta[name=countersign-secret]').content
  const send = async (id, op, args) =>
    JSON.parse(await window.go.bridge.Bridge.Call(JSON.stringify({ secret, submit: [{ id, op, args }] })))
`

// A dialog of the app's own grabs its windows; the card is none of them.
func TestACardOverAnOpenDialogTakesClicksAndKeys(t *testing.T) {
	d := desk.Open(t)
	d.Settles()
	d.Do("eval", ops+`void send(820001, 'folder.pick', { title: 'Choose a folder' })`)
	desk.Eventually(t, "the dialog is open", func() bool { return d.Front() == "Choose a folder" })
	d.Do("eval", ops+`return send(820002, 'run.begin', { runId: 'over', request: 'Cancel it', code: '', model: 'test' })`)
	d.Do("eval", ops+`void send(820003, 'decide', { runId: 'over', rows: [
	  { callId: 'a', seq: 1, fn: 'orders.cancel', input: { id: 1041 } }, { callId: 'b', seq: 2, fn: 'orders.cancel', input: { id: 1047 } }] })`)
	d.Button("Run 2 selected")
	boxes, _ := d.Rows()
	d.Click(boxes[1])
	d.Button("Run 1 selected")
	d.Keys("Tab", "Tab", "Tab", "Tab", "space") // from the list by the input, the reason and “Reject all”
	d.Gone()
	desk.Eventually(t, "the dialog has the keys again", func() bool { return d.Front() == "Choose a folder" })
	d.Keys("Escape")
	desk.Eventually(t, "the dialog has gone", func() bool { return d.Front() == "Countersign" })
	calls := d.Cancels()
	if len(calls) != 2 || calls[0].Decision == nil || calls[0].Decision.Verdict != "approve" || calls[1].Decision.Verdict != "reject" {
		t.Errorf("the log has %+v", calls)
	}
}

func TestTheCardClosesWhenItsRunMeetsALimit(t *testing.T) {
	d := desk.Open(t)
	d.Settles()
	d.Do("eval", ops+`return send(810001, 'run.begin', { runId: 'slow', request: 'Take your time', code: '', model: 'test' })`)
	d.Do("eval", ops+`void send(810002, 'decide', { runId: 'slow', rows: [{ callId: 'a', seq: 1, fn: 'orders.cancel', input: { id: 1041 } }] })`)
	d.Button("Run 1 selected")
	d.Do("eval", ops+`return send(810003, 'run.end', { runId: 'slow', status: 'limit', error: null })`)
	d.Gone()
	d.OnlyCancelled()
	calls := d.Cancels()
	if len(calls) != 1 || calls[0].Decision == nil || calls[0].Decision.Verdict != "reject" || calls[0].Decision.By != "aborted" ||
		calls[0].Decision.Reason != "the run ended before this was decided" {
		t.Errorf("the log has %+v", calls)
	}
	d.RunEnded("limit")
	d.Verifies()
}
