package card

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// Calling a person who is elsewhere: the window flashes in the task bar until it
// is in front, and an icon beside the clock says so. A click on what it says
// brings the card up. Its texts are ours and the card's title.

const iconID = 1

// called calls the person, or takes back what called them.
func (w *window) called(on bool) {
	if on == w.calling {
		return
	}
	w.calling = on
	handle := windows.HWND(w.handle.Load())
	flash := flashInfo{window: handle, flags: flashwStop}
	flash.size = uint32(unsafe.Sizeof(flash))
	icon := notifyIcon{window: handle, id: iconID}
	icon.size = uint32(unsafe.Sizeof(icon))
	how := uintptr(nimDelete)
	if on {
		flash.flags = flashwAll | flashwTimerNoFg
		how = nimAdd
		image, _, _ := loadIcon.Call(0, idiWarning)
		icon.flags, icon.callback, icon.icon = nifMessage|nifIcon|nifTip|nifInfo, wmNotice, windows.Handle(image)
		write(icon.tip[:], w.sheet.Title)
		write(icon.title[:], w.sheet.Title)
		write(icon.info[:], "Nothing runs before you have decided.")
	}
	flashWindowEx.Call(uintptr(unsafe.Pointer(&flash)))
	shellNotifyIcon.Call(how, uintptr(unsafe.Pointer(&icon))) // where there is no task bar, the flash has to do
}

// write writes text and its end into a field, cut where the field ends.
func write(field []uint16, text string) {
	units, err := windows.UTF16FromString(text)
	if err != nil {
		panic("text for the card has a NUL in it")
	}
	copy(field[:len(field)-1], units)
}

// raiseMs is how long the app's window may take to come back from an icon. It
// takes the keys when it does, and then the card takes them from it.
const raiseMs, raiseTimer = 300, 2

func (w *window) bringUp() {
	handle := w.handle.Load()
	owner, _, _ := getWindow.Call(handle, gwOwner)
	iconic, _, _ := isIconic.Call(owner)
	if iconic != 0 {
		showWindow.Call(owner, swShowNoActivate) // restored
	}
	w.raise()
	if iconic != 0 {
		setTimer.Call(handle, raiseTimer, raiseMs, 0)
	}
}

// raise puts the card in front.
func (w *window) raise() {
	handle := w.handle.Load()
	killTimer.Call(handle, raiseTimer)
	showWindow.Call(handle, swShow)
	setForegroundWindow.Call(handle)
	if windows.GetForegroundWindow() == windows.HWND(handle) && !w.active {
		w.onActive(true) // it was in front already, so nothing tells us
	}
}
