//go:build desktoptest

package faults

import (
	"strings"
	"syscall"
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
)

// roads are the ways in which the app is closed.
var roads = map[string]func(d *desk.Desk){
	"quit": func(d *desk.Desk) { d.Do("command", "quit") },
	"Alt+F4": func(d *desk.Desk) {
		d.Xdotool("search", "--onlyvisible", "--name", "^Countersign$", "windowfocus", "--sync")
		d.Keys("alt+F4")
	},
	"SIGTERM": func(d *desk.Desk) { d.Cmd.Process.Signal(syscall.SIGTERM) },
	"SIGINT":  func(d *desk.Desk) { d.Cmd.Process.Signal(syscall.SIGINT) },
	"SIGHUP":  func(d *desk.Desk) { d.Cmd.Process.Signal(syscall.SIGHUP) },
}

// busy opens a desk on which a host call is executing.
func busy(t *testing.T) *desk.Desk {
	t.Helper()
	d := scene(t, "busy")
	desk.Eventually(t, "the call is executing", func() bool {
		out, err := d.Command("log", "list", "--fn", "test.wait", "--format", "csv")
		return err == nil && strings.Contains(out, ",unknown,")
	})
	return d
}

// runEnded checks that the log says how the last run ended, and that every row of
// it is decided and every call settled.
func runEnded(t *testing.T, d *desk.Desk) {
	t.Helper()
	open, requested := map[string]bool{}, map[string]bool{}
	last := ""
	for _, e := range entries(t, d) {
		switch e.Kind {
		case "call.requested":
			requested[e.CallID] = true
		case "call.decided":
			delete(requested, e.CallID)
		case "call.started":
			open[e.CallID] = true
		case "call.settled":
			delete(open, e.CallID)
		case "run.ended":
			last = string(e.Body)
		}
	}
	if len(open) > 0 || len(requested) > 0 || !strings.Contains(last, `"status":"aborted"`) {
		t.Errorf("not settled: %v, not decided: %v, the run ended %s", open, requested, last)
	}
	d.Verifies()
}

func TestClosingTheAppDuringARunEndsItWithinFiveSeconds(t *testing.T) {
	for name, end := range roads {
		t.Run(name, func(t *testing.T) {
			d := busy(t)
			web := d.WebProcesses()
			end(d)
			d.Exits()
			runEnded(t, d)
			for _, pid := range web {
				desk.Eventually(t, "no process is left behind", func() bool { return !desk.Alive(pid) })
			}
		})
	}
}

func TestClosingTheAppDuringACardRunsNothing(t *testing.T) {
	for _, name := range []string{"SIGHUP", "Alt+F4"} { // tests/desktop has the others
		t.Run(name, func(t *testing.T) {
			d := desk.Open(t)
			d.Asks()
			roads[name](d)
			d.Exits()
			waits(t, d)
		})
	}
}

// waits checks that what was on the card waits on: nothing decided, nothing run.
func waits(t *testing.T, d *desk.Desk) {
	t.Helper()
	d.OnlyCancelled()
	list := entries(t, d)
	if last := list[len(list)-1]; last.Kind != "run.suspended" {
		t.Errorf("the log ends with %s, expected run.suspended", last.Kind)
	}
	calls := d.Cancels()
	for _, call := range calls {
		if call.Decision != nil || call.Outcome != "waiting" {
			t.Errorf("the log has %+v", call)
		}
	}
	if len(calls) != len(desk.Matching) {
		t.Errorf("%d calls wait, expected %d", len(calls), len(desk.Matching))
	}
	d.Verifies()
}

func TestTheDeathOfTheWebProcessIsSaidAndTheAppGoesOn(t *testing.T) {
	die := func(t *testing.T, d *desk.Desk) {
		t.Helper()
		old := d.WebProcesses()
		for _, pid := range old {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
		defer func(before int) { d.TimeoutMs = before }(d.TimeoutMs)
		d.TimeoutMs = 500 // a dead page does not answer
		desk.Eventually(t, "the page is there again", func() bool {
			result, err := d.Ask("eval", "return !!document.querySelector('textarea')")
			return err == "" && string(result) == "true"
		})
	}
	goesOn := func(t *testing.T, d *desk.Desk) {
		t.Helper()
		d.Types(desk.Request)
		d.Click(d.Button("Run 3 selected"))
		d.Gone()
		d.Result(desk.Matching, nil)
		d.OnlyCancelled(desk.Matching...)
		d.Verifies()
		d.Close()
	}
	t.Run("while idle", func(t *testing.T) {
		d := desk.Open(t)
		die(t, d)
		goesOn(t, d)
	})
	t.Run("during a card", func(t *testing.T) {
		d := desk.Open(t)
		d.Asks()
		die(t, d)
		d.Gone()
		waits(t, d)
		goesOn(t, d)
	})
	t.Run("during a run", func(t *testing.T) {
		d := busy(t)
		die(t, d)
		desk.Eventually(t, "the log has the end of the run", func() bool {
			list := entries(t, d)
			return list[len(list)-1].Kind == "run.ended"
		})
		runEnded(t, d)
		answers(t, d)
		d.Close()
	})
}
