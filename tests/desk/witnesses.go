//go:build desktoptest

package desk

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// Matching are the demo's three open orders over $100 from last week.
var Matching = []int64{1041, 1047, 1052}

// Logged is one call as `countersign log list --format json` prints it.
type Logged struct {
	RunID    string `json:"runId"`
	CallID   string `json:"callId"`
	Fn       string `json:"fn"`
	Input    json.RawMessage
	Decision *struct {
		Verdict, By, Reason string
	} `json:"decision"`
	Outcome string `json:"outcome"`
}

// Order is the id of the order that the call is about, or 0.
func (c Logged) Order() int64 {
	var input struct{ ID int64 }
	if json.Unmarshal(c.Input, &input) != nil {
		return 0
	}
	return input.ID
}

// Command runs the program's own command line on this desk's data.
func (d *Desk) Command(args ...string) (string, error) {
	cmd := exec.Command(Binary, args...)
	cmd.Env = d.Env
	out, err := cmd.Output()
	return string(out), err
}

// Calls are all calls of the log, oldest first.
func (d *Desk) Calls() []Logged {
	d.t.Helper()
	out, err := d.Command("log", "list", "--format", "json")
	if err != nil {
		d.t.Fatalf("log list: %v", err)
	}
	var calls []Logged
	if err := json.Unmarshal([]byte(out), &calls); err != nil {
		d.t.Fatalf("log list --format json: %v in %.300s", err, out)
	}
	return calls
}

// Cancels are the calls of orders.cancel alone.
func (d *Desk) Cancels() []Logged {
	d.t.Helper()
	return slices.DeleteFunc(d.Calls(), func(c Logged) bool { return c.Fn != "orders.cancel" })
}

// Verifies checks that the log proves whole.
func (d *Desk) Verifies() {
	d.t.Helper()
	if out, err := d.Command("log", "verify"); err != nil || !strings.Contains(out, "intact") {
		d.t.Errorf("log verify: %v\n%s", err, out)
	}
}

// OnlyCancelled checks that exactly these orders changed, to cancelled.
func (d *Desk) OnlyCancelled(ids ...int64) {
	d.t.Helper()
	after := d.Orders()
	if len(after) != len(d.Before) {
		d.t.Fatalf("%d orders became %d", len(d.Before), len(after))
	}
	for i, order := range after {
		expected := d.Before[i]
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

// Decided checks the log's word on each of the three calls: ran says which were
// approved and ended ok; the others were rejected by `by` and did not run.
func (d *Desk) Decided(by string, ran ...int64) {
	d.t.Helper()
	calls := d.Cancels()
	if len(calls) != len(Matching) {
		d.t.Fatalf("the log has %d calls of orders.cancel, expected %d: %+v", len(calls), len(Matching), calls)
	}
	for i, call := range calls {
		id := Matching[i]
		verdict, outcome := "reject", "rejected"
		if slices.Contains(ran, id) {
			verdict, outcome = "approve", "ok"
		}
		if call.Order() != id || call.Decision == nil || call.Decision.Verdict != verdict || call.Decision.By != by || call.Outcome != outcome {
			d.t.Errorf("call %d in the log: %s %+v, outcome %s; expected order %d, %s by %s, outcome %s", i+1, call.Fn, call.Decision, call.Outcome, id, verdict, by, outcome)
		}
	}
}

// Result waits until the page shows what the program returned, and checks it.
func (d *Desk) Result(cancelled, rejected []int64) {
	d.t.Helper()
	want := Compact(fmt.Sprintf(`{"cancelled":%s,"rejected":%s}`, list(cancelled), list(rejected)))
	var text string
	Eventually(d.t, "the page shows the result "+want, func() bool {
		text = d.Text()
		return strings.Contains(Compact(text), want)
	})
}

func list(ids []int64) string {
	text, _ := json.Marshal(append([]int64{}, ids...))
	return string(text)
}

// Compact takes blanks and quotation marks out, so that the way a page lays a
// value out does not matter.
func Compact(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n\r\"'\u00a0", r) {
			return -1
		}
		return r
	}, text)
}

// RunEnded checks how the log says that the newest run ended.
func (d *Desk) RunEnded(status string) {
	d.t.Helper()
	calls := d.Calls()
	out, err := d.Command("log", "show", calls[len(calls)-1].CallID, "--format", "json")
	if err != nil {
		d.t.Fatalf("log show: %v", err)
	}
	if !strings.Contains(Compact(out), "status:"+status) {
		d.t.Errorf("the log does not say that the run ended as %s:\n%s", status, out)
	}
}
