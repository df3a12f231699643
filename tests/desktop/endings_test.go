//go:build desktoptest

package desktop

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/tests/desk"
)

func TestWhatThePersonDecidesIsWhatHappens(t *testing.T) {
	for _, c := range []struct {
		name string
		act  func(d *desk.Desk)
		by   string
		ran  []int64
	}{
		{"approve all with a click", func(d *desk.Desk) { d.Click(d.Button("Run 3 selected")) }, "user", desk.Matching},
		{"approve all with the keyboard", func(d *desk.Desk) { d.Button("Run 3 selected"); d.Keys("Tab", "space") }, "user", desk.Matching},
		{"untick the second row", func(d *desk.Desk) {
			boxes, _ := d.Rows()
			d.Click(boxes[1])
			d.Click(d.Button("Run 2 selected"))
		}, "user", []int64{1041, 1052}},
		{"untick two rows", func(d *desk.Desk) {
			boxes, _ := d.Rows()
			d.Click(boxes[0])
			d.Button("Run 2 selected")
			boxes, _ = d.Rows()
			d.Click(boxes[2])
			d.Click(d.Button("Run 1 selected"))
		}, "user", []int64{1047}},
		{"reject all with a click", func(d *desk.Desk) { d.Click(d.Button("Reject all")) }, "user", nil},
		{"reject all with the keyboard", func(d *desk.Desk) { d.Button("Reject all"); d.Keys("space") }, "user", nil},
		{"Enter on the first focus", func(d *desk.Desk) { d.Button("Reject all"); d.Keys("Return") }, "user", nil},
		{"Escape", func(d *desk.Desk) { d.Button("Reject all"); d.Keys("Escape") }, "closed", nil},
		{"close the card", func(d *desk.Desk) { d.Button("Reject all"); d.Keys("alt+F4") }, "closed", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := desk.Open(t)
			d.Asks()
			c.act(d)
			d.Gone()
			rejected := slices.DeleteFunc(slices.Clone(desk.Matching), func(id int64) bool { return slices.Contains(c.ran, id) })
			d.Result(c.ran, rejected)
			d.OnlyCancelled(c.ran...)
			d.Decided(c.by, c.ran...)
			d.Verifies()
			d.Close()
			d.OnlyCancelled(c.ran...)
			d.Decided(c.by, c.ran...)
			d.Verifies()
		})
	}
}

func TestEnterNeverApproves(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	d.Keys("Tab") // to the button that runs
	desk.Eventually(t, "the button that runs has the focus", func() bool { return d.Button("Run 3 selected").Focused })
	d.Keys("Return", "KP_Enter", "Return", "ctrl+Return", "Return")
	if _, open := d.Find("push button", "Run 3 selected"); !open {
		t.Error("Enter closed the card")
	}
	d.OnlyCancelled()
	d.Keys("Escape")
	d.Gone()
	d.Result(nil, desk.Matching)
	d.OnlyCancelled()
	d.Decided("closed")
	d.Verifies()
}

// The card's buttons arm 700 ms after it is shown (SPEC §11).
const arming = 700 * time.Millisecond

func TestKeysInTheCardsFirstMomentDecideNothing(t *testing.T) {
	// On a busy machine the keys may come too late to prove anything: again then.
	for attempt := 1; ; attempt++ {
		d := desk.Open(t)
		d.Types(desk.Request)
		var without time.Time // when it was not there yet
		desk.Eventually(t, "the card is there", func() bool {
			asked := time.Now()
			if strings.HasPrefix(d.Front(), "Cancel 3 orders?") {
				return true
			}
			without = asked
			return false
		})
		d.Xdotool("key", "--delay", "5", "Tab", "space", "Return", "Escape")
		took := time.Since(without)
		inTime := took < arming
		if !inTime && attempt < 10 {
			d.Cmd.Process.Kill()
			<-d.Exited
			continue
		}
		if !inTime {
			t.Fatalf("the keys came %v after the card in each of %d attempts", took, attempt)
		}
		d.Button("Run 3 selected")
		for _, call := range d.Cancels() {
			if call.Decision != nil {
				t.Errorf("decided in the first moment: %+v", call)
			}
		}
		d.OnlyCancelled()
		d.Keys("Escape")
		d.Gone()
		d.Decided("closed")
		d.Verifies()
		return
	}
}

func TestEndingWhileTheCardIsOpenRunsNothing(t *testing.T) {
	for name, end := range map[string]func(d *desk.Desk){
		"quit":    func(d *desk.Desk) { d.Do("command", "quit") },
		"SIGTERM": func(d *desk.Desk) { d.Cmd.Process.Signal(syscall.SIGTERM) },
		"SIGINT":  func(d *desk.Desk) { d.Cmd.Process.Signal(syscall.SIGINT) },
	} {
		t.Run(name, func(t *testing.T) {
			d := desk.Open(t)
			d.Asks()
			web := d.WebProcesses()
			end(d)
			d.Exits()
			d.OnlyCancelled()
			undecided(t, d)
			d.Verifies()
			for _, pid := range web {
				desk.Eventually(t, "no process is left behind", func() bool { return !desk.Alive(pid) })
			}
		})
	}
}

func TestAKilledProgramHasRunNothingAndWorksWhenItStartsAgain(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	d.Cmd.Process.Signal(syscall.SIGKILL)
	<-d.Exited
	d.OnlyCancelled()
	d.Verifies()
	d.Start()
	d.OnlyCancelled()
	d.Verifies()
	undecided(t, d)
	if d.Widgets() != nil {
		t.Error("a card opened by itself")
	}
	// And the app works.
	d.Asks()
	d.Click(d.Button("Run 3 selected"))
	d.Gone()
	d.Result(desk.Matching, nil)
	d.OnlyCancelled(desk.Matching...)
	d.Verifies()
}

func TestTheDeathOfTheWebProcessWhileTheCardIsOpenRunsNothing(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	for _, pid := range d.WebProcesses() {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	d.Gone()
	d.OnlyCancelled()
	undecided(t, d)
	d.Verifies()
	// The page comes back by itself, and with it what waits.
	w := waits(t, d)
	w.open(d)
	d.Click(d.Button("Run 3 selected"))
	d.Gone()
	d.Result(desk.Matching, nil)
	d.OnlyCancelled(desk.Matching...)
	d.Decided("user", desk.Matching...)
	d.Verifies()
}
