package card

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/windows"
)

// The card on Windows: a window of native controls on a thread of its own, owned
// by the app's window and therefore always in front of it. Static texts, read-only
// edit controls and a list view with check boxes show plain text only; a screen
// reader knows them by itself. What the tests show of it they show under Wine.

// window is one card. All but what is atomic belongs to its thread.
type window struct {
	showing
	sheet  *sheet
	choice *choice

	handle atomic.Uintptr
	stop   atomic.Bool // its run is over
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
	w := &window{showing: newShowing(), sheet: s, choice: newChoice(s), selected: -1, columns: 48}
	go w.run()
	return w.wait(ctx, w.close)
}

// close has the card's thread take it from the screen.
func (w *window) close() {
	w.stop.Store(true)
	if handle := w.handle.Load(); handle != 0 {
		postMessage.Call(handle, wmEndCard, 0, 0)
	}
}

// run is the card's thread, which ends with it.
func (w *window) run() {
	runtime.LockOSThread()            // for good: queue, hooks and scaling belong to the thread
	defer w.end(outcome{how: closed}) // however it goes: the first end counts
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

// guard is deferred by what runs on the card's thread.
func (w *window) guard() {
	if p := recover(); p != nil {
		w.broke(p)
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
	w.end(out)
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
			w.broke(p)
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
		if wParam == raiseTimer {
			w.raise()
		} else {
			w.arm()
		}
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
		w.end(outcome{how: closed})
	}
	postQuitMessage.Call(0)
}
