package card

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// The card on Windows: a window of native controls on a thread of its own, owned
// by the app's window and therefore always in front of it. Static texts, read-only
// edit controls and a list view with check boxes show plain text only; a screen
// reader knows them by itself. What the tests show of it they show under Wine.

// showTimeout is how long a card may take to come on screen. One that does not
// come is an error, so that a run cannot hang on a dead screen.
const showTimeout = 15 * time.Second

// window is one card. All but the channels and atomics belongs to its thread.
type window struct {
	sheet  *sheet
	choice *choice

	shown  chan struct{}
	ended  chan outcome // buffered; the first to send wins
	fails  chan error   // buffered
	gone   chan struct{}
	handle atomic.Uintptr
	stop   atomic.Bool // its run is over
	armed  atomic.Bool // its buttons act
	label  atomic.Pointer[string]

	parts
	dpi                                  int32
	fonts                                fonts
	lines                                []line       // of the list
	selected                             int          // row in the detail, -1: none
	columns                              int          // that the detail is wrapped to
	first                                rect         // as it came on screen
	focus                                windows.HWND // the control that has or had the focus
	away, active, held, filling, calling bool
	done                                 bool
}

// cards are the cards on screen by their window.
var cards sync.Map // windows.HWND → *window

// show puts a sheet on screen and waits for its end. A window that is closed
// because ctx ended has gone from the screen when show returns.
func show(ctx context.Context, s *sheet) (outcome, error) {
	w := &window{sheet: s, choice: newChoice(s), selected: -1, columns: 48,
		shown: make(chan struct{}), ended: make(chan outcome, 1), fails: make(chan error, 1), gone: make(chan struct{})}
	go w.run()
	late := time.NewTimer(showTimeout)
	defer late.Stop()
	shown := w.shown
	for {
		select {
		case <-shown:
			shown = nil
			late.Stop()
		case out := <-w.ended:
			return out, nil
		case err := <-w.fails:
			w.close()
			return outcome{}, err
		case <-late.C:
			w.close()
			return outcome{}, fmt.Errorf("the card was not shown within %v; nothing is approved", showTimeout)
		case <-ctx.Done():
			w.close()
			return w.closing(), nil
		}
	}
}

// close has the card's thread take it from the screen.
func (w *window) close() {
	w.stop.Store(true)
	if handle := w.handle.Load(); handle != 0 {
		postMessage.Call(handle, wmEndCard, 0, 0)
	}
}

// closing waits for the answer of a window that was told to close: a press that
// came first still counts.
func (w *window) closing() outcome {
	select {
	case out := <-w.ended:
		return out
	case <-w.gone:
	case <-time.After(time.Second):
	}
	select {
	case out := <-w.ended:
		return out
	default:
		return outcome{how: closed}
	}
}

// run is the card's thread, which ends with it.
func (w *window) run() {
	runtime.LockOSThread() // for good: queue, hooks and scaling belong to the thread
	defer close(w.gone)
	defer w.guard()
	if setThreadDpi.Find() == nil {
		setThreadDpi.Call(dpiPerMonitorV2)
	}
	if w.stop.Load() {
		return
	}
	owner := appWindow()
	if owner == 0 {
		w.fail(errors.New("the app has no open window to show it on"))
		return
	}
	if err := w.build(owner); err != nil {
		w.fail(fmt.Errorf("the card cannot be shown: %w", err))
		if handle := w.handle.Load(); handle != 0 {
			destroyWindow.Call(handle)
		}
		return
	}
	w.appear(owner)
	var m message
	for {
		got, _, err := getMessage.Call(uintptr(unsafe.Pointer(&m)), 0, 0, 0)
		if int32(got) < 0 {
			w.fail(failed("the card's messages cannot be read", err))
			destroyWindow.Call(w.handle.Load())
			return
		}
		if got == 0 {
			return
		}
		if !w.sift(&m) {
			translateMessage.Call(uintptr(unsafe.Pointer(&m)))
			dispatchMessage.Call(uintptr(unsafe.Pointer(&m)))
		}
	}
}

// guard makes a panic fail the card instead of the process; a failed card
// approves nothing.
func (w *window) guard() {
	if p := recover(); p != nil {
		fmt.Fprintf(os.Stderr, "card: %v\n%s", p, debug.Stack())
		w.fail(fmt.Errorf("the card broke: %v", p))
	}
}

func (w *window) fail(err error) {
	select {
	case w.fails <- err:
	default:
	}
}

// finish answers once and takes the window away.
func (w *window) finish(how ending) {
	if w.done {
		return
	}
	w.done = true
	out := outcome{how: how}
	if how == ran {
		out.ticks = append(out.ticks, w.choice.ticks...)
	}
	out.reason = strings.ToValidUTF8(textOf(w.reason), "\uFFFD")
	out.size = w.given()
	destroyWindow.Call(w.handle.Load())
	w.ended <- out
}

// appWindow is the app's own window on screen: one of this process that nobody
// owns and that is no card.
func appWindow() windows.HWND {
	found.Lock()
	defer found.Unlock()
	found.window = 0
	// An error here only says that the callback stopped at the first.
	_ = windows.EnumWindows(eachWindow, nil)
	return found.window
}

var found struct {
	sync.Mutex
	window windows.HWND
}

var eachWindow = windows.NewCallback(func(handle windows.HWND, _ uintptr) uintptr {
	var process uint32
	if _, err := windows.GetWindowThreadProcessId(handle, &process); err != nil || process != windows.GetCurrentProcessId() {
		return 1
	}
	owner, _, _ := getWindow.Call(uintptr(handle), gwOwner)
	onScreen, _, _ := isWindowVisible.Call(uintptr(handle))
	if _, card := cards.Load(handle); card || owner != 0 || onScreen == 0 {
		return 1
	}
	found.window = handle
	return 0
})

// procedure answers the messages of every card.
var procedure = windows.NewCallback(func(handle windows.HWND, what uint32, wParam, lParam uintptr) uintptr {
	if known, ok := cards.Load(handle); ok {
		if answer, handled := known.(*window).handleMessage(what, wParam, lParam); handled {
			return answer
		}
	}
	r, _, _ := defWindowProc.Call(uintptr(handle), uintptr(what), wParam, lParam)
	return r
})

func (w *window) handleMessage(what uint32, wParam, lParam uintptr) (answer uintptr, handled bool) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(os.Stderr, "card: %v\n%s", p, debug.Stack())
			w.fail(fmt.Errorf("the card broke: %v", p))
			answer, handled = 0, true
		}
	}()
	switch what {
	case wmClose, wmEndCard:
		w.finish(closed)
		return 0, true
	case wmDestroy:
		w.leave()
		return 0, true
	case wmActivate:
		w.onActive(wParam&0xFFFF != 0)
		return 0, true
	case wmSetFocus:
		setFocus.Call(uintptr(w.focus))
		return 0, true
	case wmTimer:
		w.arm()
		return 0, true
	case wmCommand:
		w.onCommand(windows.HWND(lParam), uint16(wParam>>16))
		return 0, true
	case wmNotify:
		w.onNotify(lParam)
		return 0, true
	case wmSize:
		w.layout()
		return 0, true
	case wmGetMinMaxInfo:
		room := workArea(windows.HWND(w.handle.Load())) // a small or magnified screen has less
		(*minMaxInfo)(pointer(lParam)).minTrack = point{min(w.px(leastWidth), room.width()), min(w.px(leastHeight), room.height())}
		return 0, true
	case wmDpiChanged:
		w.rescale(int32(wParam&0xFFFF), *(*rect)(pointer(lParam)))
		return 0, true
	case wmCtlColorStatic:
		return w.colour(wParam, windows.HWND(lParam))
	case wmNotice:
		if lParam&0xFFFF == ninBalloonUserClick {
			w.bringUp()
		}
		return 0, true
	}
	return 0, false
}

// pointer is a pointer that Windows passed as a number; what it points to is
// Windows' own memory for the length of a message.
func pointer(l uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&l)) }

// leave: however the card went, nothing of it may act any more.
func (w *window) leave() {
	w.called(false)
	cards.Delete(windows.HWND(w.handle.Load()))
	w.fonts.delete()
	if !w.done { // destroyed by somebody else, such as its owner's end
		w.done = true
		w.ended <- outcome{how: closed}
	}
	postQuitMessage.Call(0)
}
