package card

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/faustine-ai/countersign/app/card/cardtest"
)

// The tests of the card press real keys and mouse buttons here too: SendInput is
// what a keyboard's driver ends in. tests/windows runs them under Wine.

func init() { runtime.LockOSThread() } // for the window in place of the app's

func TestMain(m *testing.M) {
	code, err := cardtest.Run(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

var (
	sendInput    = user32.NewProc("SendInput")
	setCursorPos = user32.NewProc("SetCursorPos")
	findWindow   = user32.NewProc("FindWindowW")
)

type keyInput struct {
	kind      uint32
	_         uint32
	key, scan uint16
	flags     uint32
	time      uint32
	extra     uintptr
	_         [8]byte
}

type mouseInput struct {
	kind        uint32
	_           uint32
	x, y        int32
	data, flags uint32
	time        uint32
	extra       uintptr
}

var keyCodes = map[string]uint16{"space": vkSpace, "Return": vkReturn, "KP_Enter": vkReturn, "Escape": vkEscape, "Tab": vkTab,
	"Up": 0x26, "Down": 0x28, "End": 0x23, "F4": 0x73, "ctrl": vkControl, "shift": vkShift, "alt": vkMenu}

func press(t *testing.T, name string, up bool) {
	t.Helper()
	code, ok := keyCodes[name]
	if !ok && len(name) == 1 {
		code, ok = uint16(strings.ToUpper(name)[0]), true
	}
	if !ok {
		t.Fatalf("there is no key %q", name)
	}
	in := keyInput{kind: 1, key: code}
	if up {
		in.flags = 2 // KEYEVENTF_KEYUP
	}
	if name == "KP_Enter" {
		in.flags |= 1 // KEYEVENTF_EXTENDEDKEY
	}
	if sent, _, err := sendInput.Call(1, uintptr(unsafe.Pointer(&in)), unsafe.Sizeof(in)); sent != 1 {
		t.Fatalf("SendInput: %v", err)
	}
}

// keys presses keys as xdotool names them, one after the other.
func keys(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		chord := strings.Split(name, "+")
		for _, key := range chord {
			press(t, key, false)
		}
		for i := range chord {
			press(t, chord[len(chord)-1-i], true)
		}
		pause(20 * time.Millisecond)
	}
}

// pause is between two keys of one person.
func pause(d time.Duration) { <-time.After(d) }

// hold presses a key until it is released; a keyboard repeats it.
func hold(t *testing.T, key string) (release func()) {
	t.Helper()
	press(t, key, false)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(40 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				press(t, key, false)
			case <-stop:
				press(t, key, true)
				return
			}
		}
	}()
	return func() { close(stop); <-stopped }
}

func lookAway(*testing.T) { setForegroundWindow.Call(uintptr(cardtest.Main)) }

func lookBack(*testing.T) { setForegroundWindow.Call(onlyWindow().handle.Load()) }

func onTheScreen(title string) bool {
	handle, _, _ := findWindow.Call(0, uintptr(unsafe.Pointer(wide(title+" – Countersign"))))
	return handle != 0
}

func openCards() (open []*window) {
	cards.Range(func(_, w any) bool { open = append(open, w.(*window)); return true })
	return open
}

func labelOf(w *window) string {
	if label := w.label.Load(); label != nil {
		return *label
	}
	return ""
}

func said(w *window) string { return textOf(w.note) }

func clickRun(t *testing.T, times int) {
	t.Helper()
	var at rect
	getWindowRect.Call(uintptr(onlyWindow().runs), uintptr(unsafe.Pointer(&at)))
	setCursorPos.Call(uintptr(at.left+at.width()/2), uintptr(at.top+at.height()/2))
	for range times {
		for _, flags := range []uint32{2, 4} { // down, up
			in := mouseInput{flags: flags}
			if sent, _, err := sendInput.Call(1, uintptr(unsafe.Pointer(&in)), unsafe.Sizeof(in)); sent != 1 {
				t.Fatalf("SendInput: %v", err)
			}
		}
		pause(60 * time.Millisecond)
	}
}

func TestTheNamesOfControlsAreTheTextsBeforeThem(t *testing.T) {
	out := put(t, New(Config{}), calls(20))
	waitArmed(t)
	w := onlyWindow()
	previous := user32.NewProc("GetWindow")
	for control, want := range map[windows.HWND]string{
		w.list: "Calls that wait for you", w.detail: "Full input of the selected call",
		w.filter: "Show only calls that contain", w.reason: "Reason for rejecting",
	} {
		before, _, _ := previous.Call(uintptr(control), 3 /* GW_HWNDPREV */)
		if got := textOf(windows.HWND(before)); got != want {
			t.Errorf("before a control stands %q, want %q", got, want)
		}
	}
	keys(t, "Escape")
	wait(t, out)
}
