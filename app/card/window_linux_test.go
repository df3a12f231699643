package card

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/card/cardtest"
	"github.com/faustine-ai/countersign/app/display"
)

// The tests in this file press real keys and mouse buttons on real windows, on a
// screen and under a window manager of their own.

func init() { runtime.LockOSThread() } // GTK wants the first thread

var onScreen error // why there is no screen

func TestMain(m *testing.M) {
	os.Exit(runOnScreen(m))
}

func runOnScreen(m *testing.M) int {
	for _, tool := range []string{"Xvfb", "openbox", "xdotool", "dbus-daemon"} {
		if _, err := exec.LookPath(tool); err != nil {
			onScreen = err
			return m.Run()
		}
	}
	screen, err := display.Start(1280, 800)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer screen.Close()
	os.Setenv("DISPLAY", screen.Name)
	os.Setenv("GDK_BACKEND", "x11")
	os.Setenv("NO_AT_BRIDGE", "1")
	address, err := sessionBus()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	os.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
	openbox := exec.Command("openbox")
	if err := openbox.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { openbox.Process.Kill(); openbox.Wait() }()
	// GDK looks for a window manager when it starts, and then not again for a while.
	for late := time.Now().Add(20 * time.Second); exec.Command("xdotool", "get_num_desktops").Run() != nil; {
		if time.Now().After(late) {
			fmt.Fprintln(os.Stderr, "openbox did not start within 20 s")
			return 1
		}
	}
	code, err := cardtest.Run(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

type given struct {
	answer app.Answer
	err    error
	at     time.Time
}

// present shows a card with the given rows and returns where its answer comes.
func present(t *testing.T, ctx context.Context, p *Presenter, title string, ids ...string) <-chan given {
	t.Helper()
	if onScreen != nil {
		t.Skip(onScreen)
	}
	c := app.Card{ID: title, RunID: "r", Title: title, Request: "Do it."}
	for i, id := range ids {
		c.Rows = append(c.Rows, app.Row{CallID: id, Seq: i + 1, Fn: "orders.cancel", Title: "Cancel an order", Input: app.Value(`{"id":` + strconv.Itoa(i) + `}`)})
	}
	out := make(chan given, 1)
	go func() {
		answer, err := p.Present(ctx, c)
		out <- given{answer, err, time.Now()}
	}()
	return out
}

// eventually polls, because neither X nor a window manager says when it is done.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(10 * time.Second); !holds(); {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("timed out waiting until %s", what)
		}
	}
}

func onlyWindow() *window {
	windows.Lock()
	defer windows.Unlock()
	for _, w := range windows.open {
		return w
	}
	return nil
}

func waitArmed(t *testing.T) {
	t.Helper()
	eventually(t, "the card is armed", func() bool { w := onlyWindow(); return w != nil && w.armed.Load() })
}

func xdotool(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("xdotool", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("xdotool %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func keys(t *testing.T, names ...string) {
	t.Helper()
	xdotool(t, append([]string{"key", "--delay", "20"}, names...)...)
}

func wait(t *testing.T, out <-chan given) given {
	t.Helper()
	select {
	case g := <-out:
		return g
	case <-time.After(10 * time.Second):
		t.Fatal("no answer")
		panic("unreachable")
	}
}

func noAnswer(t *testing.T, out <-chan given, after string) {
	t.Helper()
	select {
	case g := <-out:
		t.Fatalf("after %s: answered %+v", after, g.answer)
	default:
	}
}

// toList and toRun move the focus from the reject button.
var (
	toList = []string{"shift+Tab", "shift+Tab", "shift+Tab"}
	toRun  = []string{"Tab"}
)

func TestAnswersOfKeys(t *testing.T) {
	for _, c := range []struct {
		name string
		keys []string
		want app.Answer
	}{
		{"Space on the first focus rejects", []string{"space"}, app.Answer{By: app.ByUser}},
		{"Enter on the first focus rejects", []string{"Return"}, app.Answer{By: app.ByUser}},
		{"Escape closes", []string{"Escape"}, app.Answer{By: app.ByClosed}},
		{"Alt-F4 closes", []string{"alt+F4"}, app.Answer{By: app.ByClosed}},
		{"Space on run approves what is ticked", append(toRun, "space"), app.Answer{Approve: []string{"a", "b", "c"}, By: app.ByUser}},
		{"an unticked row is not approved", append(toList, "Down", "space", "Tab", "Tab", "Tab", "Tab", "space"), app.Answer{Approve: []string{"a", "c"}, By: app.ByUser}},
		{"a row ticked again is approved", append(toList, "space", "space", "Tab", "Tab", "Tab", "Tab", "space"), app.Answer{Approve: []string{"a", "b", "c"}, By: app.ByUser}},
		{"with nothing ticked there is nothing to run", append(toList, "space", "Down", "space", "Down", "space", "Tab", "Tab", "Tab", "Tab", "space", "Escape"), app.Answer{By: app.ByClosed}},
		{"a reason travels with the rejection", []string{"shift+Tab", "n", "o", "space", "x", "Tab", "space"}, app.Answer{Reason: "no x", By: app.ByUser}},
		{"Enter in the reason, the list and the input does nothing", append(append([]string{"shift+Tab", "Return", "shift+Tab", "Return", "shift+Tab", "Return", "Tab", "Tab", "Tab"}, toRun...), "space"), app.Answer{Approve: []string{"a", "b", "c"}, By: app.ByUser}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := present(t, context.Background(), New(Config{}), "Cancel 3 orders?", "a", "b", "c")
			waitArmed(t)
			keys(t, c.keys...)
			if g := wait(t, out); g.err != nil || !reflect.DeepEqual(g.answer, c.want) {
				t.Errorf("got %+v, %v; want %+v", g.answer, g.err, c.want)
			}
		})
	}
}

func TestEnterNeverApproves(t *testing.T) {
	out := present(t, context.Background(), New(Config{}), "Cancel an order?", "a")
	waitArmed(t)
	keys(t, toRun...)
	for range 20 {
		keys(t, "Return", "KP_Enter", "ctrl+Return", "shift+Return", "alt+Return")
	}
	noAnswer(t, out, "Enter on the run button")
	keys(t, "space")
	if g := wait(t, out); len(g.answer.Approve) != 1 {
		t.Errorf("Space did not approve: %+v", g.answer)
	}
}

func TestNothingActsBeforeTheButtonsAreArmed(t *testing.T) {
	for _, key := range []string{"space", "Return", "Escape"} {
		t.Run(key, func(t *testing.T) {
			began := time.Now()
			out := present(t, context.Background(), New(Config{}), "Cancel an order?", "a")
			eventually(t, "the hammering is heard", func() bool {
				keys(t, key)
				return len(out) > 0
			})
			if g := wait(t, out); g.at.Sub(began) < 700*time.Millisecond || len(g.answer.Approve) > 0 {
				t.Errorf("answered %+v after %v", g.answer, g.at.Sub(began))
			}
		})
	}
}

func TestAKeyHeldDownSinceBeforeTheCardDoesNothing(t *testing.T) {
	if onScreen != nil {
		t.Skip(onScreen)
	}
	xdotool(t, "keydown", "space")
	released := false
	defer func() {
		if !released {
			xdotool(t, "keyup", "space")
		}
	}()
	out := present(t, context.Background(), New(Config{}), "Cancel an order?", "a")
	waitArmed(t)
	until := time.Now().Add(time.Second) // X repeats a key about 25 times a second
	eventually(t, "a second has gone by", func() bool { return time.Now().After(until) })
	noAnswer(t, out, "Space was held down")
	xdotool(t, "keyup", "space")
	released = true
	keys(t, "space")
	if g := wait(t, out); g.answer.By != app.ByUser {
		t.Errorf("a fresh press did not answer: %+v", g.answer)
	}
}

// geometry is where the window with this title is, and how large.
func geometry(t *testing.T, title string) string {
	t.Helper()
	return xdotool(t, "getwindowgeometry", xdotool(t, "search", "--onlyvisible", "--name", title))
}

func TestTheCardKeepsItsPlaceWhileRowsAreTicked(t *testing.T) {
	out := present(t, context.Background(), New(Config{}), "Cancel 3 orders?", "a", "b", "c")
	waitArmed(t)
	before := geometry(t, "^Cancel 3 orders")
	keys(t, toList...)
	for _, key := range []string{"space", "Down", "space", "Down", "space", "space"} {
		keys(t, key)
		if now := geometry(t, "^Cancel 3 orders"); now != before {
			t.Fatalf("after %s the card is at %s, before it was at %s", key, now, before)
		}
	}
	keys(t, "Escape")
	wait(t, out)
}

// runButton is where the run button is on the screen: the lower right corner.
func runButton(t *testing.T, title string) (x, y string) {
	t.Helper()
	id := xdotool(t, "search", "--sync", "--onlyvisible", "--name", title)
	geometry := map[string]int{}
	for _, line := range strings.Fields(xdotool(t, "getwindowgeometry", "--shell", id)) {
		if name, value, ok := strings.Cut(line, "="); ok {
			geometry[name], _ = strconv.Atoi(value)
		}
	}
	return strconv.Itoa(geometry["X"] + geometry["WIDTH"] - 80), strconv.Itoa(geometry["Y"] + geometry["HEIGHT"] - 45)
}

func TestAClickOnRunApproves(t *testing.T) {
	out := present(t, context.Background(), New(Config{}), "Cancel 2 orders?", "a", "b")
	waitArmed(t)
	x, y := runButton(t, "^Cancel 2 orders")
	xdotool(t, "mousemove", x, y, "click", "1")
	if g := wait(t, out); len(g.answer.Approve) != 2 || g.answer.By != app.ByUser {
		t.Errorf("got %+v", g.answer)
	}
}

func TestASecondClickDoesNotFallOnTheNextCard(t *testing.T) {
	p := New(Config{})
	first := present(t, context.Background(), p, "First card?", "a")
	waitArmed(t)
	x, y := runButton(t, "^First card")
	second := present(t, context.Background(), p, "Second card?", "b")
	xdotool(t, "mousemove", x, y, "click", "--repeat", "6", "--delay", "60", "1")
	if g := wait(t, first); len(g.answer.Approve) != 1 {
		t.Errorf("the first card: %+v", g.answer)
	}
	noAnswer(t, second, "clicking on the first card")
	waitArmed(t)
	keys(t, "Escape")
	if g := wait(t, second); g.answer.By != app.ByClosed {
		t.Errorf("the second card: %+v", g.answer)
	}
}

func TestButtonsArmAgainWhenTheFocusComesBack(t *testing.T) {
	out := present(t, context.Background(), New(Config{}), "Cancel an order?", "a")
	waitArmed(t)
	w := onlyWindow()
	xdotool(t, "search", "--onlyvisible", "--name", "^Countersign$", "windowactivate")
	eventually(t, "the card without focus is disarmed", func() bool { return !w.armed.Load() })
	xdotool(t, "search", "--onlyvisible", "--name", "^Cancel an order", "windowactivate", "--sync")
	back := time.Now()
	eventually(t, "it is armed again", w.armed.Load)
	if took := time.Since(back); took < 500*time.Millisecond {
		t.Errorf("armed %v after the focus came back", took)
	}
	keys(t, "Escape")
	wait(t, out)
}

func TestCardsComeOneAtATimeInOrder(t *testing.T) {
	p := New(Config{})
	first := present(t, context.Background(), p, "First card?", "a")
	waitArmed(t)
	ctx, cancel := context.WithCancel(context.Background())
	second := present(t, ctx, p, "Second card?", "b")
	windows.Lock()
	open := len(windows.open)
	windows.Unlock()
	if open != 1 {
		t.Errorf("%d cards are open", open)
	}
	cancel()
	if g := wait(t, second); g.answer.By != app.ByAborted || g.err != nil {
		t.Errorf("a card cancelled while it waited for its turn: %+v, %v", g.answer, g.err)
	}
	keys(t, "space")
	if g := wait(t, first); g.answer.By != app.ByUser {
		t.Errorf("the first card: %+v", g.answer)
	}
}

func TestTheEndOfTheRunClosesTheCard(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	out := present(t, ctx, New(Config{}), "Cancel an order?", "a")
	waitArmed(t)
	cancel()
	if g := wait(t, out); g.err != nil || g.answer.By != app.ByAborted || len(g.answer.Approve) > 0 {
		t.Errorf("got %+v, %v", g.answer, g.err)
	}
	eventually(t, "the window has gone", func() bool {
		return exec.Command("xdotool", "search", "--onlyvisible", "--name", "^Cancel an order").Run() != nil
	})
}

func TestWithoutAWindowOfTheAppNothingIsApproved(t *testing.T) {
	if onScreen != nil {
		t.Skip(onScreen)
	}
	cardtest.Hide(true)
	defer cardtest.Hide(false)
	g := wait(t, present(t, context.Background(), New(Config{}), "Cancel an order?", "a"))
	if g.err == nil || len(g.answer.Approve) > 0 {
		t.Errorf("got %+v, %v", g.answer, g.err)
	}
}

func TestAPanicInACallbackApprovesNothing(t *testing.T) {
	if onScreen != nil {
		t.Skip(onScreen)
	}
	broken := &sheet{Title: "x", Window: "Broken card", Rows: make([]sheetRow, 1), Groups: make([]sheetGroup, 1), wrap: func(string, int) string { panic("a bug") }}
	done := make(chan error, 1)
	go func() {
		_, err := show(context.Background(), broken)
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "a bug") {
			t.Errorf("got %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("a broken card hangs")
	}
}

// untilShown waits until the one card is on screen and says how long that took.
func untilShown(t *testing.T) time.Duration {
	t.Helper()
	began := time.Now()
	eventually(t, "the card is shown", func() bool {
		w := onlyWindow()
		if w == nil {
			return false
		}
		select {
		case <-w.shown:
			return true
		default:
			return false
		}
	})
	return time.Since(began)
}

func TestACardWithManyRowsIsOnScreenSoon(t *testing.T) {
	ids := make([]string, 500)
	for i := range ids {
		ids[i] = strconv.Itoa(i)
	}
	out := present(t, context.Background(), New(Config{}), "Cancel 500 orders?", ids...)
	took := untilShown(t)
	t.Logf("500 rows on screen after %v", took)
	if took > 3*time.Second { // about 40 ms when nothing else runs
		t.Errorf("took %v", took)
	}
	waitArmed(t)
	keys(t, "Escape")
	wait(t, out)
}

func TestAMegabyteCanBeReadAndDecided(t *testing.T) {
	if onScreen != nil {
		t.Skip(onScreen)
	}
	c := app.Card{ID: "big", Title: "Send a mail?", Rows: []app.Row{{CallID: "a", Seq: 1, Fn: "mail.send", Input: app.Value(`"` + strings.Repeat("é \u202E", 1<<17) + strings.Repeat("x", 1<<19) + `"`)}}}
	out := make(chan given, 1)
	go func() {
		answer, err := New(Config{}).Present(context.Background(), c)
		out <- given{answer, err, time.Now()}
	}()
	took := untilShown(t)
	t.Logf("1 MiB on screen after %v", took)
	if took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	waitArmed(t)
	began := time.Now()
	keys(t, "Tab", "space")
	if g := wait(t, out); len(g.answer.Approve) != 1 {
		t.Errorf("got %+v, %v", g.answer, g.err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("the answer took %v", took)
	}
}
