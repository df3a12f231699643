package card

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/faustine-ai/countersign/app/card/cardtest"
	"github.com/faustine-ai/countersign/app/display"
	"github.com/faustine-ai/countersign/app/display/displaytest"
)

// The tests in this file press real keys and mouse buttons on real windows, on a
// screen and under a window manager of their own.

func init() { runtime.LockOSThread() } // GTK wants the first thread

func TestMain(m *testing.M) {
	if title := os.Getenv("CARDTEST_ANOTHER_PROGRAM"); title != "" {
		cardtest.Title(title)
		if _, err := cardtest.Run(func() int { select {} }); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
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
	stop, err := displaytest.Manage(os.Environ())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer stop()
	code, err := cardtest.Run(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
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

// hold presses a key until it is released.
func hold(t *testing.T, key string) (release func()) {
	t.Helper()
	xdotool(t, "keydown", key)
	return func() { xdotool(t, "keyup", key) }
}

// lookAway gives the keys to the app's own window, and lookBack to the card.
func lookAway(t *testing.T) {
	t.Helper()
	xdotool(t, "search", "--onlyvisible", "--name", "^Countersign$", "windowactivate", "--sync")
	cardtest.Turn() // GTK knows it too
}

func lookBack(t *testing.T) {
	t.Helper()
	xdotool(t, "search", "--onlyvisible", "--name", "^Cancel an order", "windowactivate", "--sync")
}

func onTheScreen(title string) bool {
	return exec.Command("xdotool", "search", "--onlyvisible", "--name", "^"+regexp.QuoteMeta(title)).Run() == nil
}

// inFront is the title of the window in front: "" while the focus is on its way
// from one to another.
func inFront() string {
	out, err := exec.Command("xdotool", "getactivewindow", "getwindowname").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// hasTheKeys tells whether a card is in front, and GTK knows it.
func hasTheKeys() bool {
	if !strings.HasSuffix(inFront(), " – Countersign") {
		return false
	}
	cardtest.Turn() // what X has told us by now
	return true
}

func openCards() []*window { return windows.all() }

func labelOf(w *window) string { return textAt(&w.label) }

func said(w *window) string { return textAt(&w.said) }

func textAt(text *atomic.Pointer[string]) string {
	if at := text.Load(); at != nil {
		return *at
	}
	return ""
}

// clickRun clicks on the run button of the card that is on screen.
func clickRun(t *testing.T, times int) {
	t.Helper()
	x, y := runButton(t, "– Countersign$")
	xdotool(t, "mousemove", x, y, "click", "--repeat", strconv.Itoa(times), "--delay", "60", "1")
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
