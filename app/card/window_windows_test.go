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

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/card/cardtest"
	"github.com/faustine-ai/countersign/app/value"
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
	sendInput  = user32.NewProc("SendInput")
	findWindow = user32.NewProc("FindWindowW")
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

func hasTheKeys() bool {
	front, _, _ := user32.NewProc("GetForegroundWindow").Call()
	w := onlyWindow()
	return w != nil && front == w.handle.Load()
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
	at := onScreenRect(onlyWindow().runs)
	metrics := user32.NewProc("GetSystemMetrics")
	width, _, _ := metrics.Call(0)
	height, _, _ := metrics.Call(1)
	for range times {
		for _, flags := range []uint32{2, 4} { // down, up: each with its place, or the pointer may be elsewhere by then
			in := mouseInput{flags: 0x8001 | flags, // MOUSEEVENTF_ABSOLUTE | MOUSEEVENTF_MOVE
				x: (at.left + at.width()/2) * 65536 / int32(width), y: (at.top + at.height()/2) * 65536 / int32(height)}
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

func TestNoControlIsCutOrCoversAnother(t *testing.T) {
	c := calls(20)
	c.Rows[3].Input = app.Value("\"a\u202Eb\"")
	c.Rows[4].Words = "Order 1042 · Ada Lovelace · $129.00 · open"
	pretty := func(v app.Value) (string, []value.Binary) {
		return string(v), []value.Binary{{Name: "x", Bytes: []byte{1}}}
	}
	out := put(t, New(Config{Pretty: pretty}), c)
	waitArmed(t)
	w := onlyWindow()
	client := clientOnScreen(w)
	for i, control := range w.everything() {
		at := onScreenRect(control)
		if control == 0 || at.width() == 0 || at.height() == 0 {
			continue
		}
		if at.left < client.left || at.right > client.right || at.top < client.top || at.bottom > client.bottom {
			t.Errorf("control %d (%q) at %v sticks out of %v", i, textOf(control), at, client)
		}
		for j, other := range w.everything()[:i] {
			over := onScreenRect(other)
			if other != 0 && over.width() > 0 && over.height() > 0 &&
				at.left < over.right && over.left < at.right && at.top < over.bottom && over.top < at.bottom {
				t.Errorf("control %d (%q) at %v lies on %d (%q) at %v", i, textOf(control), at, j, textOf(other), over)
			}
		}
	}
	for _, control := range []windows.HWND{w.list, w.detail} {
		if at := onScreenRect(control); at.height() < w.px(60) {
			t.Errorf("the list or the input is only %d high", at.height())
		}
	}
	keys(t, "Escape")
	wait(t, out)
}

func onScreenRect(handle windows.HWND) (at rect) {
	getWindowRect.Call(uintptr(handle), uintptr(unsafe.Pointer(&at)))
	return at
}

func clientOnScreen(w *window) rect {
	var area rect
	getClientRect.Call(w.handle.Load(), uintptr(unsafe.Pointer(&area)))
	var corner point
	user32.NewProc("ClientToScreen").Call(w.handle.Load(), uintptr(unsafe.Pointer(&corner)))
	return rect{corner.x, corner.y, corner.x + area.right, corner.y + area.bottom}
}

func TestACardOverAnotherProgramTakesNoKeysOnWindows(t *testing.T) {
	cardtest.Minimize(true)
	defer cardtest.Minimize(false)
	out := put(t, New(Config{}), calls(2))
	untilShown(t)
	quiet(t, time.Second)
	if onlyWindow().armed.Load() {
		t.Error("armed though nobody has looked at it")
	}
	keys(t, "space", "Return")
	noAnswer(t, out, "keys that were meant for another program")
	// A click on the notification; and again, as a person does when Wine, on a busy
	// machine, brings the app's window back only after the card.
	var clicked time.Time
	eventually(t, "the card is armed", func() bool {
		if time.Since(clicked) > 1500*time.Millisecond {
			clicked = time.Now()
			postMessage.Call(onlyWindow().handle.Load(), wmNotice, 0, ninBalloonUserClick)
		}
		return onlyWindow().armed.Load()
	})
	keys(t, "space")
	if g := wait(t, out); g.answer.By != app.ByUser || len(g.answer.Approve) > 0 {
		t.Errorf("got %+v, %v", g.answer, g.err)
	}
}
