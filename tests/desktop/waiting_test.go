//go:build desktoptest

package desktop

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
)

// undecided checks the log's word on the three calls: they wait.
func undecided(t *testing.T, d *desk.Desk) {
	t.Helper()
	calls := d.Cancels()
	if len(calls) != len(desk.Matching) {
		t.Fatalf("the log has %d calls of orders.cancel, expected %d: %+v", len(calls), len(desk.Matching), calls)
	}
	for i, call := range calls {
		if call.Order() != desk.Matching[i] || call.Decision != nil || call.Outcome != "waiting" {
			t.Errorf("call %d in the log: %+v, outcome %s; expected order %d, waiting", i+1, call.Decision, call.Outcome, desk.Matching[i])
		}
	}
}

// waitingRow is the one run that the page lists as waiting.
type waitingRow struct {
	Heading, Request, Facts, Problem string
	Buttons                          []string
}

// waits waits until the page lists one waiting run, and returns what it shows.
func waits(t *testing.T, d *desk.Desk) waitingRow {
	t.Helper()
	var row waitingRow
	desk.Eventually(t, "the page lists what waits", func() bool {
		raw, failed := d.Ask("eval", `
		  const rows = document.querySelectorAll('.waiting .waiting-run')
		  if (rows.length !== 1) return null
		  const text = (at) => rows[0].querySelector(at)?.textContent ?? ''
		  return { Heading: document.querySelector('.waiting h2').textContent, Request: text('.waiting-request'), Facts: text('.quiet'),
		    Problem: text('.waiting-problem'), Buttons: [...rows[0].querySelectorAll('button')].map((b) => b.textContent) }`)
		return failed == "" && string(raw) != "null" && json.Unmarshal(raw, &row) == nil
	})
	if row.Heading != "Waiting for you" || row.Request != desk.Request || !strings.Contains(row.Facts, "Cancel 3 orders · 3 calls · ") {
		t.Errorf("the page lists %+v", row)
	}
	return row
}

// press clicks a button of the page with the real mouse, once it stays where it is.
func press(d *desk.Desk, selector string) {
	raw := d.Do("eval", `
	  const place = () => document.querySelector('`+selector+`').getBoundingClientRect()
	  let at = place()
	  for (let still = 0; still < 10; ) {
	    await new Promise((resolve) => setTimeout(resolve, 20))
	    const now = place()
	    still = now.x === at.x && now.y === at.y && now.width === at.width && now.height === at.height ? still + 1 : 0
	    at = now
	  }
	  return [Math.round(at.x + at.width / 2), Math.round(at.y + at.height / 2), innerHeight]`)
	var inside [3]int
	if err := json.Unmarshal(raw, &inside); err != nil {
		panic(err)
	}
	window := strings.Fields(d.Xdotool("search", "--onlyvisible", "--name", "^Countersign$"))[0]
	d.Xdotool("windowactivate", "--sync", window)
	// The app's own bar, which says that the page had to be loaded again, is above the page.
	_, rest, _ := strings.Cut(d.Xdotool("getwindowgeometry", "--shell", window), "HEIGHT=")
	height, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		panic(err)
	}
	d.Xdotool("mousemove", "--window", window, strconv.Itoa(inside[0]), strconv.Itoa(inside[1]+height-inside[2]), "click", "1")
}

// open opens the card with a click and waits until it is ready.
func (waitingRow) open(d *desk.Desk) {
	press(d, ".waiting-buttons .send")
	d.Button("Run 3 selected")
}

// nothingWaits checks that neither page nor disk has a waiting run.
func nothingWaits(t *testing.T, d *desk.Desk) {
	t.Helper()
	desk.Eventually(t, "the page lists nothing as waiting", func() bool {
		return string(d.Do("eval", "return document.querySelectorAll('.waiting-run').length")) == "0"
	})
	files, err := os.ReadDir(d.DataFile("log.db.waiting"))
	if err != nil || len(files) != 0 {
		t.Errorf("kept on disk: %v, %v", files, err)
	}
}

// leavesACardOpen are the ways in which a program goes while its card waits.
var leavesACardOpen = map[string]func(d *desk.Desk){
	"kill -9": func(d *desk.Desk) { d.Kill() },
	"quit":    func(d *desk.Desk) { d.Close() },
	"SIGTERM": func(d *desk.Desk) { d.Cmd.Process.Signal(syscall.SIGTERM); d.Exits() },
}

func TestWhatWaitedWhenTheProgramWentIsOpenedApprovedAndRunsOnce(t *testing.T) {
	for name, leave := range leavesACardOpen {
		t.Run(name, func(t *testing.T) {
			d := desk.Open(t)
			d.Asks()
			leave(d)
			undecided(t, d)
			d.OnlyCancelled()
			d.Verifies()
			d.Start()
			w := waits(t, d)
			if d.Widgets() != nil {
				t.Error("a card opened by itself")
			}
			d.OnlyCancelled()
			w.open(d)
			boxes, inputs := d.Rows()
			if len(boxes) != 3 || len(inputs) != 3 {
				t.Errorf("the card has the rows %v", inputs)
			}
			if _, ok := d.Find("dialog", "Cancel 3 orders?"); !ok {
				t.Error("the card is not named “Cancel 3 orders?”")
			}
			d.OnlyCancelled()
			d.Click(d.Button("Run 3 selected"))
			d.Gone()
			d.Result(desk.Matching, nil)
			d.OnlyCancelled(desk.Matching...)
			d.Decided("user", desk.Matching...)
			d.RunEnded("ok")
			d.Verifies()
			nothingWaits(t, d)
			for _, again := range []string{"waiting.decide", "waiting.dismiss", "waiting.read"} {
				call, _ := json.Marshal(map[string]any{"op": again, "args": map[string]string{"runId": d.Cancels()[0].RunID}})
				if got := d.OverTheBridge(string(call))[0]; !strings.Contains(got, "RunEnded") {
					t.Errorf("%s of a run that is over: %s", again, got)
				}
			}
			// Nor in the next start.
			d.Close()
			d.Start()
			nothingWaits(t, d)
			d.OnlyCancelled(desk.Matching...)
			d.Verifies()
		})
	}
}

func TestAfterARestartTheCardDecidesRowByRow(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	d.Kill()
	d.Start()
	waits(t, d).open(d)
	boxes, _ := d.Rows()
	d.Click(boxes[1])
	d.Click(d.Button("Run 2 selected"))
	d.Gone()
	d.Result([]int64{1041, 1052}, []int64{1047})
	d.OnlyCancelled(1041, 1052)
	d.Decided("user", 1041, 1052)
	d.Verifies()
	nothingWaits(t, d)
}

func TestWhatWaitedIsDismissed(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	d.Kill()
	d.Start()
	waits(t, d)
	press(d, ".waiting-buttons .plain")
	nothingWaits(t, d)
	if d.Widgets() != nil {
		t.Error("a card is open")
	}
	d.OnlyCancelled()
	d.Decided("user")
	d.RunEnded("aborted")
	if reason := d.Cancels()[0].Decision.Reason; !strings.Contains(reason, "dismissed") {
		t.Errorf("the reason is %q", reason)
	}
	d.Verifies()
	// And the app works.
	d.Asks()
	d.Keys("Escape")
	d.Gone()
	d.Verifies()
}

func TestWhatWaitedSurvivesASecondKillWithItsCardOpenAgain(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	for range 2 {
		d.Kill()
		undecided(t, d)
		d.Start()
		waits(t, d).open(d)
	}
	d.Click(d.Button("Run 3 selected"))
	d.Gone()
	d.Result(desk.Matching, nil)
	d.OnlyCancelled(desk.Matching...)
	d.Decided("user", desk.Matching...)
	d.Verifies()
}

func TestWhatCannotGoOnSaysWhyAndIsDismissed(t *testing.T) {
	for variable, why := range map[string]string{
		"COUNTERSIGN_TEST_CHANGED": "It cannot go on: the definition of the function orders.cancel, which it has called, has changed since.",
		"COUNTERSIGN_TEST_WITHOUT": "It cannot go on: the function orders.cancel, which it has called, does not exist any more.",
	} {
		t.Run(variable, func(t *testing.T) {
			d := desk.Open(t)
			d.Asks()
			d.Kill()
			d.Env = append(d.Env, variable+"=orders.cancel")
			d.Start()
			w := waits(t, d)
			if w.Problem != why || len(w.Buttons) != 1 || w.Buttons[0] != "Dismiss" {
				t.Errorf("the page shows %+v", w)
			}
			call, _ := json.Marshal(map[string]any{"op": "waiting.decide", "args": map[string]string{"runId": d.Cancels()[0].RunID}})
			if got := d.OverTheBridge(string(call))[0]; !strings.Contains(got, "CannotResume") {
				t.Errorf("opened over the bridge: %s", got)
			}
			undecided(t, d)
			press(d, ".waiting-buttons .plain")
			nothingWaits(t, d)
			d.OnlyCancelled()
			d.Decided("user")
			d.RunEnded("aborted")
			d.Verifies()
		})
	}
}

func TestADamagedWaitingRunEndsAndTheLogSaysWhy(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	d.Kill()
	files, err := filepath.Glob(d.DataFile("log.db.waiting") + "/*.run")
	if err != nil || len(files) != 1 {
		t.Fatalf("kept: %v, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[0], []byte(strings.Replace(string(text), "1041", "1042", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Start()
	nothingWaits(t, d)
	d.OnlyCancelled()
	d.Decided("aborted")
	d.RunEnded("aborted")
	d.Verifies()
}

func TestAPageThatIsLoadedAnewListsWhatWaits(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	d.Ask("eval", "setTimeout(() => location.reload(), 50); return 1")
	d.Gone()
	undecided(t, d)
	waits(t, d).open(d)
	d.Click(d.Button("Reject all"))
	d.Gone()
	d.Result(nil, desk.Matching)
	d.OnlyCancelled()
	d.Decided("user")
	d.Verifies()
	nothingWaits(t, d)
}

func TestAContinuationOfManyMegabytesIsKept(t *testing.T) {
	const ops = `
	  const secret = document.querySelector('meta[name=countersign-secret]').content
	  const send = async (id, op, args) => {
	    let found
	    for (let submit = [{ id, op, args }]; !found; submit = [])
	      found = JSON.parse(await window.go.bridge.Bridge.Call(JSON.stringify({ secret, submit }))).done.find((each) => each.id === id)
	    return found
	  }
	  const decide = (id, length) =>
	    send(id, 'decide', { runId: 'big', continuation: 'x'.repeat(length), rows: [{ callId: 'b', seq: 1, fn: 'orders.cancel', input: { id: 1041 } }] })
	`
	d := desk.Open(t)
	d.Settles()
	d.Do("eval", ops+`await send(800001, 'run.begin', { runId: 'big', request: 'A big one', code: '', model: 'test' })`)
	if got := string(d.Do("eval", ops+`return await decide(800002, 17_000_000)`)); !strings.Contains(got, "CannotWait") || !strings.Contains(got, "at most 16777216") {
		t.Errorf("above what is kept: %s", got)
	}
	d.Do("eval", ops+`void decide(800003, 16_000_000)`)
	d.Button("Run 1 selected")
	d.Kill()
	d.Start()
	d.Settles()
	if got := string(d.Do("eval", ops+`return (await send(800001, 'waiting.read', { runId: 'big' })).ok.continuation.length`)); got != "16000000" {
		t.Errorf("read back: %s", got)
	}
	d.OnlyCancelled()
	d.Verifies()
}
