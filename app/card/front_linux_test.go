package card

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// anotherProgram puts a window of another process in front of ours.
func anotherProgram(t *testing.T) {
	t.Helper()
	if onScreen != nil {
		t.Skip(onScreen)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other := exec.Command(self)
	other.Env = append(os.Environ(), "CARDTEST_ANOTHER_PROGRAM=Another program")
	other.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Process.Kill(); other.Wait(); lookAway(t) })
	xdotool(t, "search", "--sync", "--onlyvisible", "--name", "^Another program$", "windowactivate", "--sync")
}

// property is what a window's property says, as xprop writes it.
func property(t *testing.T, window, name string) string {
	t.Helper()
	out, err := exec.Command("xprop", "-id", window, name).CombinedOutput()
	if err != nil {
		t.Fatalf("xprop: %v\n%s", err, out)
	}
	return string(out)
}

func windowNamed(t *testing.T, title string) string {
	t.Helper()
	return strings.Fields(xdotool(t, "search", "--sync", "--onlyvisible", "--name", "^"+regexp.QuoteMeta(title)))[0]
}

func calls3(t *testing.T, title string) <-chan given {
	t.Helper()
	return present(t, context.Background(), New(Config{}), title, "a", "b", "c")
}

// wantsAttention tells whether a window asks for it, by either way that there is.
func wantsAttention(t *testing.T, window string) bool {
	t.Helper()
	return strings.Contains(property(t, window, "WM_HINTS"), "urgency hint bit set") ||
		strings.Contains(property(t, window, "_NET_WM_STATE"), "_NET_WM_STATE_DEMANDS_ATTENTION")
}

func TestACardOverAnotherProgramAsksForAttentionAndTakesNoKeys(t *testing.T) {
	anotherProgram(t)
	out := calls3(t, "Cancel an order?")
	untilShown(t)
	card, ours := windowNamed(t, "Cancel an order?"), windowNamed(t, "Countersign")
	eventually(t, "the card and the app ask for attention", func() bool { return wantsAttention(t, card) && wantsAttention(t, ours) })
	keys(t, "a", "space", "Return", "Tab", "space")
	quiet(t, 900*time.Millisecond)
	keys(t, "space", "Return")
	if front := xdotool(t, "getactivewindow", "getwindowname"); front != "Another program" {
		t.Errorf("in front is %q", front)
	}
	if onlyWindow().armed.Load() {
		t.Error("armed though nobody has looked at it")
	}
	noAnswer(t, out, "keys that were meant for another program")
	lookBack(t)
	waitArmed(t)
	eventually(t, "nothing asks for attention any more", func() bool { return !wantsAttention(t, card) && !wantsAttention(t, ours) })
	keys(t, "Escape")
	if g := wait(t, out); g.answer.By != app.ByClosed {
		t.Errorf("got %+v, %v", g.answer, g.err)
	}
}

// stacking is the managed windows from the lowest to the highest.
func stacking(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("xprop", "-root", "_NET_CLIENT_LIST_STACKING").Output()
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`0x[0-9a-f]+`).FindAllString(string(out), -1)
}

func TestTheCardIsNeverBehindTheApp(t *testing.T) {
	out := calls3(t, "Cancel an order?")
	waitArmed(t)
	card, ours := windowNamed(t, "Cancel an order?"), windowNamed(t, "Countersign")
	if got := property(t, card, "WM_TRANSIENT_FOR"); !strings.Contains(got, "window id # ") {
		t.Errorf("the card belongs to no window: %s", got)
	}
	index := func(id string) int {
		return slices.IndexFunc(stacking(t), func(each string) bool { return hexOf(t, id) == each })
	}
	for _, raise := range [][]string{{"windowactivate", "--sync", ours}, {"windowraise", ours}, {"windowfocus", ours}, {"mousemove", "120", "120", "click", "1"}} {
		xdotool(t, raise...)
		quiet(t, 200*time.Millisecond)
		if index(card) <= index(ours) || index(ours) < 0 {
			t.Errorf("after %v the card is behind: %v", raise, stacking(t))
		}
	}
	lookBack(t)
	waitArmed(t)
	keys(t, "Escape")
	wait(t, out)
}

func hexOf(t *testing.T, decimal string) string {
	t.Helper()
	n, err := strconv.Atoi(decimal)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%#x", n)
}
