//go:build desktoptest

package desktop

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestWhatThePersonDecidesIsWhatHappens(t *testing.T) {
	for _, c := range []struct {
		name string
		act  func(d *desk)
		by   string
		ran  []int64
	}{
		{"approve all with a click", func(d *desk) { d.click(d.button("Run 3 selected")) }, "user", matching},
		{"approve all with the keyboard", func(d *desk) { d.button("Run 3 selected"); d.keys("Tab", "space") }, "user", matching},
		{"untick the second row", func(d *desk) {
			boxes, _ := d.rows()
			d.click(boxes[1])
			d.click(d.button("Run 2 selected"))
		}, "user", []int64{1041, 1052}},
		{"untick two rows", func(d *desk) {
			boxes, _ := d.rows()
			d.click(boxes[0])
			d.button("Run 2 selected")
			boxes, _ = d.rows()
			d.click(boxes[2])
			d.click(d.button("Run 1 selected"))
		}, "user", []int64{1047}},
		{"reject all with a click", func(d *desk) { d.click(d.button("Reject all")) }, "user", nil},
		{"reject all with the keyboard", func(d *desk) { d.button("Reject all"); d.keys("space") }, "user", nil},
		{"Enter on the first focus", func(d *desk) { d.button("Reject all"); d.keys("Return") }, "user", nil},
		{"Escape", func(d *desk) { d.button("Reject all"); d.keys("Escape") }, "closed", nil},
		{"close the card", func(d *desk) { d.button("Reject all"); d.keys("alt+F4") }, "closed", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := openDesk(t)
			d.asks()
			c.act(d)
			d.gone()
			refused := slices.DeleteFunc(slices.Clone(matching), func(id int64) bool { return slices.Contains(c.ran, id) })
			d.result(c.ran, refused)
			d.onlyCancelled(c.ran...)
			d.decided(c.by, c.ran...)
			d.verifies()
			d.close()
			d.onlyCancelled(c.ran...)
			d.decided(c.by, c.ran...)
			d.verifies()
		})
	}
}

func TestEnterNeverApproves(t *testing.T) {
	d := openDesk(t)
	d.asks()
	d.keys("Tab") // to the button that runs
	eventually(t, "the button that runs has the focus", func() bool { return d.button("Run 3 selected").Focused })
	d.keys("Return", "KP_Enter", "Return", "ctrl+Return", "Return")
	if _, open := d.find("push button", "Run 3 selected"); !open {
		t.Error("Enter closed the card")
	}
	d.onlyCancelled()
	d.keys("Escape")
	d.gone()
	d.result(nil, matching)
	d.onlyCancelled()
	d.decided("closed")
	d.verifies()
}

// The card's buttons arm 700 ms after it is shown (SPEC §11).
const arming = 700 * time.Millisecond

func TestKeysInTheCardsFirstMomentDecideNothing(t *testing.T) {
	// On a busy machine the keys may come too late to prove anything: again then.
	for attempt := 1; ; attempt++ {
		d := openDesk(t)
		d.types()
		d.xdotool("search", "--sync", "--onlyvisible", "--name", "^Cancel 3 orders")
		seen := time.Now()
		d.xdotool("key", "--delay", "5", "Tab", "space", "Return", "Escape")
		inTime := time.Since(seen) < arming-100*time.Millisecond
		if !inTime && attempt < 5 {
			d.cmd.Process.Kill()
			<-d.exited
			continue
		}
		if !inTime {
			t.Fatalf("the keys came %v after the card in each of %d attempts", time.Since(seen), attempt)
		}
		d.button("Run 3 selected")
		for _, call := range d.cancels() {
			if call.Decision != nil {
				t.Errorf("decided in the first moment: %+v", call)
			}
		}
		d.onlyCancelled()
		d.keys("Escape")
		d.gone()
		d.decided("closed")
		d.verifies()
		return
	}
}

func TestEndingWhileTheCardIsOpenRunsNothing(t *testing.T) {
	for name, end := range map[string]func(d *desk){
		"quit":    func(d *desk) { d.do("command", "quit") },
		"SIGTERM": func(d *desk) { d.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGINT":  func(d *desk) { d.cmd.Process.Signal(syscall.SIGINT) },
	} {
		t.Run(name, func(t *testing.T) {
			d := openDesk(t)
			d.asks()
			web := d.webProcesses()
			end(d)
			d.exits()
			d.onlyCancelled()
			d.decided("aborted")
			d.verifies()
			d.runEnded("aborted")
			for _, pid := range web {
				eventually(t, "no process is left behind", func() bool { return !alive(pid) })
			}
		})
	}
}

func TestAKilledProgramHasRunNothingAndSaysSoWhenItStartsAgain(t *testing.T) {
	d := openDesk(t)
	d.asks()
	d.cmd.Process.Signal(syscall.SIGKILL)
	<-d.exited
	d.onlyCancelled()
	d.verifies()
	d.start()
	d.onlyCancelled()
	d.verifies()
	d.runEnded("aborted")
	for _, call := range d.cancels() {
		if call.Decision != nil && call.Decision.Verdict == "approve" {
			t.Errorf("approved by nobody: %+v", call)
		}
	}
	if d.widgets() != nil {
		t.Error("a card of the dead run is open")
	}
	// And the app works.
	d.asks()
	d.click(d.button("Run 3 selected"))
	d.gone()
	d.result(matching, nil)
	d.onlyCancelled(matching...)
	d.verifies()
}

func TestTheDeathOfTheWebProcessWhileTheCardIsOpenRunsNothing(t *testing.T) {
	d := openDesk(t)
	d.asks()
	for _, pid := range d.webProcesses() {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	d.gone()
	eventually(t, "the log has the end of the run", func() bool {
		out, _ := d.command("log", "list", "--format", "json", "--decision", "aborted")
		return strings.Contains(out, "orders.cancel")
	})
	d.onlyCancelled()
	d.decided("aborted")
	d.verifies()
}

// runEnded checks how the log says that the newest run ended.
func (d *desk) runEnded(status string) {
	d.t.Helper()
	calls := d.calls()
	out, err := d.command("log", "show", calls[len(calls)-1].CallID, "--format", "json")
	if err != nil {
		d.t.Fatalf("log show: %v", err)
	}
	if !strings.Contains(compact(out), "status:"+status) {
		d.t.Errorf("the log does not say that the run ended as %s:\n%s", status, out)
	}
}
