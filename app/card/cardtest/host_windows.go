package cardtest

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	user32         = windows.NewLazySystemDLL("user32.dll")
	createWindowEx = user32.NewProc("CreateWindowExW")
	showWindow     = user32.NewProc("ShowWindow")
	getMessage     = user32.NewProc("GetMessageW")
	dispatch       = user32.NewProc("DispatchMessageW")
	translate      = user32.NewProc("TranslateMessage")
	postThread     = user32.NewProc("PostThreadMessageW")
	setForeground  = user32.NewProc("SetForegroundWindow")
)

// Main is the window in place of the app's.
var Main windows.HWND

// Run opens the window, runs work beside its messages and returns its result when
// it has ended. It must be called on the program's first thread.
func Run(work func() int) (int, error) {
	runtime.LockOSThread()
	title, err := windows.UTF16PtrFromString("Countersign")
	if err != nil {
		return 0, err
	}
	class, err := windows.UTF16PtrFromString("EDIT")
	if err != nil {
		return 0, err
	}
	handle, _, err := createWindowEx.Call(0, uintptr(unsafe.Pointer(class)), uintptr(unsafe.Pointer(title)),
		0x10CF0000 /* WS_OVERLAPPEDWINDOW | WS_VISIBLE */, 40, 30, 1100, 700, 0, 0, 0, 0)
	if handle == 0 {
		return 0, err
	}
	Main = windows.HWND(handle)
	setForeground.Call(handle)
	thread := windows.GetCurrentThreadId()
	result := make(chan int, 1)
	go func() {
		result <- work()
		postThread.Call(uintptr(thread), 0x12 /* WM_QUIT */, 0, 0)
	}()
	var message [64]byte
	for {
		if got, _, _ := getMessage.Call(uintptr(unsafe.Pointer(&message)), 0, 0, 0); int32(got) <= 0 {
			return <-result, nil
		}
		translate.Call(uintptr(unsafe.Pointer(&message)))
		dispatch.Call(uintptr(unsafe.Pointer(&message)))
	}
}

// Hide hides the main window, or shows it again.
func Hide(hide bool) {
	how := uintptr(5)
	if hide {
		how = 0
	}
	showWindow.Call(uintptr(Main), how)
}

// RightToLeft does nothing: the card's words are English, and Windows mirrors
// windows by a program's language.
func RightToLeft() {}

// Minimize makes the main window an icon, or opens it again.
func Minimize(is bool) {
	how := uintptr(9) // SW_RESTORE
	if is {
		how = 6 // SW_MINIMIZE
	}
	showWindow.Call(uintptr(Main), how)
}
