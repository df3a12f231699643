package card

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// When a press counts; the same rules as in arming_linux.c:
//  1. Only a press that began while the buttons were armed: press and click are
//     both checked.
//  2. Buttons are armed 700 ms after the card is shown or gets the focus back.
//  3. Enter never approves: it is swallowed everywhere but on the reject button.
//  4. A card that came while the person was elsewhere is not armed before it has
//     had the focus.
//  5. A key that is held down since before the card came does nothing.
//  6. A person who is typing when the card comes is let finish: each letter
//     before the buttons are armed begins the 700 ms anew.

const (
	armMs    = 700
	armTimer = 1
)

func (w *window) armLater() {
	w.disarm()
	w.held = anyDown(vkReturn, vkSpace, vkEscape)
	setTimer.Call(w.handle.Load(), armTimer, armMs, 0)
}

func (w *window) disarm() {
	killTimer.Call(w.handle.Load(), armTimer)
	w.held = false // its release may go to another window
	w.showArmed(false)
}

// arm is the timer's end.
func (w *window) arm() {
	killTimer.Call(w.handle.Load(), armTimer)
	if w.away && !w.active {
		return // nobody has looked at it yet
	}
	w.showArmed(true)
}

// showArmed tells what acts. A button that was disabled meanwhile could not keep
// the focus, so that they do not act yet is said beside them.
func (w *window) showArmed(armed bool) {
	w.armed.Store(armed)
	ticked, _ := w.choice.total()
	enable(w.runs, ticked > 0)
	if armed {
		setText(w.note, w.choice.note())
	} else {
		setText(w.note, "The buttons wait for a moment.")
	}
}

func (w *window) onActive(active bool) {
	if w.done {
		return
	}
	if active {
		w.active = true
		setFocus.Call(uintptr(w.focus))
		w.called(false)
		w.armLater()
		return
	}
	if w.active {
		w.active = false
		if at, _, _ := getFocus.Call(); w.owns(windows.HWND(at)) && at != w.handle.Load() {
			w.focus = windows.HWND(at)
		}
		w.disarm()
	}
}

// sift takes those keys and presses out of the queue that must not reach a
// control. It runs before any of them.
func (w *window) sift(m *message) (taken bool) {
	defer w.guard()
	if w.done || !w.owns(m.window) {
		return false
	}
	switch m.message {
	case wmLButtonDown, wmLButtonDblClk, wmPointerDown:
		// A press that begins before the buttons are armed must not become a click.
		return !w.armed.Load() && (m.window == w.reject || m.window == w.runs || m.window == w.save)
	case wmKeyUp:
		if isAct(m.wParam) {
			w.held = false
		}
		return false
	case wmChar: // Enter in an edit control would ring
		if m.wParam > vkSpace && !w.armed.Load() && (w.active || !w.away) {
			w.armLater()
		}
		return m.wParam == vkReturn || m.wParam == vkEscape
	case wmKeyDown:
		return w.onKey(m.wParam, m.lParam)
	}
	return false
}

func (w *window) owns(handle windows.HWND) bool {
	inside, _, _ := isChild.Call(w.handle.Load(), uintptr(handle))
	return uintptr(handle) == w.handle.Load() || inside != 0
}

func isAct(key uintptr) bool { return key == vkReturn || key == vkSpace || key == vkEscape }

func (w *window) onKey(key, repeat uintptr) (taken bool) {
	at, _, _ := getFocus.Call()
	focus := windows.HWND(at)
	control := keyIsDown(vkControl) && !keyIsDown(vkMenu)
	switch {
	case key == vkTab && !control:
		w.step(focus, keyIsDown(vkShift))
		return true
	case key == vkF && control && w.filter != 0:
		setFocus.Call(uintptr(w.filter))
		send(w.filter, emSetSel, 0, ^uintptr(0))
		return true
	case key == vkA && control && focus == w.list:
		w.choice.toggleAll(-1)
		w.showTicks()
		return true
	case key == vkA && control: // edit controls of many lines do not know it
		send(focus, emSetSel, 0, ^uintptr(0))
		return true
	}
	typing := focus == w.reason || focus == w.filter && w.filter != 0
	if !isAct(key) || key == vkSpace && typing {
		return false
	}
	held := w.held || repeat&(1<<30) != 0 // that bit: the key was down before
	w.held = true
	if held || !w.armed.Load() {
		return true
	}
	switch {
	case key == vkEscape && focus == w.filter && w.filter != 0 && textOf(w.filter) != "":
		setText(w.filter, "")
		return true
	case key == vkEscape:
		w.finish(closed)
		return true
	case key == vkReturn:
		w.onEnter(focus)
		return true
	}
	return false // Space goes to the control that has the focus
}

func (w *window) onEnter(focus windows.HWND) {
	switch focus {
	case w.reject:
		w.finish(rejected)
	case w.save:
		w.saveBinary()
	case w.runs:
		w.say(enterNote)
	}
}

// step moves the focus as Tab does.
func (w *window) step(from windows.HWND, back bool) {
	var previous uintptr
	if back {
		previous = 1
	}
	next, _, _ := getNextDlgTabItem.Call(w.handle.Load(), uintptr(from), previous)
	if next != 0 {
		setFocus.Call(next)
	}
}

func (w *window) onCommand(from windows.HWND, code uint16) {
	switch {
	case from == 0 || w.done || w.filling:
	case from == w.filter && code == enChange:
		w.choice.filter(textOf(w.filter))
		w.fill()
	case code != bnClicked:
	case from == w.all:
		w.choice.toggleAll(-1)
		w.showTicks()
	case !w.armed.Load():
	case from == w.reject:
		w.finish(rejected)
	case from == w.save:
		w.saveBinary()
	case from == w.runs:
		if ticked, _ := w.choice.total(); ticked > 0 {
			w.finish(ran)
		}
	}
}

// say tells the person something at the foot of the card, and screen readers too.
func (w *window) say(text string) {
	setText(w.note, text)
	notifyWinEvent.Call(eventSystemAlert, uintptr(w.note), objidClient, 0)
}

func keyIsDown(key uintptr) bool {
	state, _, _ := getKeyState.Call(key)
	return int16(state) < 0
}

func anyDown(keys ...uintptr) bool {
	for _, key := range keys {
		if state, _, _ := getAsyncKeyState.Call(key); int16(state) < 0 {
			return true
		}
	}
	return false
}

// inFront tells whether the person is at the app.
func inFront() bool {
	var process uint32
	handle := windows.GetForegroundWindow()
	if handle == 0 {
		return true // the focus is on its way from one window to the next
	}
	if _, err := windows.GetWindowThreadProcessId(handle, &process); err != nil {
		return false
	}
	return process == windows.GetCurrentProcessId()
}

// appear puts the card on screen. Over another program it waits to be looked at:
// it must not take the keys that are being typed there.
func (w *window) appear(owner windows.HWND) {
	handle := w.handle.Load()
	iconic, _, _ := isIconic.Call(uintptr(owner))
	w.away = !inFront() || iconic != 0
	how := uintptr(swShow)
	if w.away {
		how = swShowNoActivate
	}
	getWindowRect.Call(handle, uintptr(unsafe.Pointer(&w.first)))
	showWindow.Call(handle, how)
	if w.away {
		w.called(true)
	} else {
		setForegroundWindow.Call(handle)
		setFocus.Call(uintptr(w.reject))
	}
	updateWindow.Call(handle)
	w.armLater()
	w.isShown()
	if w.stop.Load() {
		w.finish(closed)
	}
}
