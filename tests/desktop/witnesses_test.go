//go:build desktoptest

package desktop

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// matching are the demo's three open orders over $100 from last week.
var matching = []int64{1041, 1047, 1052}

// logged is one call as `countersign log list --format json` prints it.
type logged struct {
	RunID    string `json:"runId"`
	CallID   string `json:"callId"`
	Fn       string `json:"fn"`
	Input    json.RawMessage
	Decision *struct {
		Verdict, By, Reason string
	} `json:"decision"`
	Outcome string `json:"outcome"`
}

// order is the id of the order that the call is about, or 0.
func (c logged) order() int64 {
	var input struct{ ID int64 }
	if json.Unmarshal(c.Input, &input) != nil {
		return 0
	}
	return input.ID
}

// command runs the program's own command line on this desk's data.
func (d *desk) command(args ...string) (string, error) {
	cmd := exec.Command(binary, args...)
	cmd.Env = d.env
	out, err := cmd.Output()
	return string(out), err
}

// calls are all calls of the log, oldest first.
func (d *desk) calls() []logged {
	d.t.Helper()
	out, err := d.command("log", "list", "--format", "json")
	if err != nil {
		d.t.Fatalf("log list: %v", err)
	}
	var calls []logged
	if err := json.Unmarshal([]byte(out), &calls); err != nil {
		d.t.Fatalf("log list --format json: %v in %.300s", err, out)
	}
	return calls
}

// cancels are the calls of orders.cancel alone.
func (d *desk) cancels() []logged {
	d.t.Helper()
	return slices.DeleteFunc(d.calls(), func(c logged) bool { return c.Fn != "orders.cancel" })
}

// verifies checks that the log proves whole.
func (d *desk) verifies() {
	d.t.Helper()
	if out, err := d.command("log", "verify"); err != nil || !strings.Contains(out, "intact") {
		d.t.Errorf("log verify: %v\n%s", err, out)
	}
}

// onlyCancelled checks that exactly these orders changed, to cancelled.
func (d *desk) onlyCancelled(ids ...int64) {
	d.t.Helper()
	after := d.orders()
	if len(after) != len(d.before) {
		d.t.Fatalf("%d orders became %d", len(d.before), len(after))
	}
	for i, order := range after {
		expected := d.before[i]
		if slices.Contains(ids, order.ID) {
			if expected.Status != "open" {
				d.t.Errorf("order %d was %s before", order.ID, expected.Status)
			}
			expected.Status = "cancelled"
		}
		if order.Status != expected.Status || order.Total != expected.Total || order.ID != expected.ID {
			d.t.Errorf("order %d is %+v, expected %+v", order.ID, order, expected)
		}
	}
}

// decided checks the log's word on each of the three calls: ran says which were
// approved and ended ok; the others were rejected by `by` and did not run.
func (d *desk) decided(by string, ran ...int64) {
	d.t.Helper()
	calls := d.cancels()
	if len(calls) != len(matching) {
		d.t.Fatalf("the log has %d calls of orders.cancel, expected %d: %+v", len(calls), len(matching), calls)
	}
	for i, call := range calls {
		id := matching[i]
		verdict, outcome := "reject", "rejected"
		if slices.Contains(ran, id) {
			verdict, outcome = "approve", "ok"
		}
		if call.order() != id || call.Decision == nil || call.Decision.Verdict != verdict || call.Decision.By != by || call.Outcome != outcome {
			d.t.Errorf("call %d in the log: %s %+v, outcome %s; expected order %d, %s by %s, outcome %s", i+1, call.Fn, call.Decision, call.Outcome, id, verdict, by, outcome)
		}
	}
}

// result waits until the page shows what the program returned, and checks it.
func (d *desk) result(cancelled, refused []int64) {
	d.t.Helper()
	want := compact(fmt.Sprintf(`{"cancelled":%s,"refused":%s}`, list(cancelled), list(refused)))
	var text string
	eventually(d.t, "the page shows the result "+want, func() bool {
		text = d.text()
		return strings.Contains(compact(text), want)
	})
}

func list(ids []int64) string {
	text, _ := json.Marshal(append([]int64{}, ids...))
	return string(text)
}

// compact takes blanks and quotation marks out, so that the way a page lays a
// value out does not matter.
func compact(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n\r\"'\u00a0", r) {
			return -1
		}
		return r
	}, text)
}
