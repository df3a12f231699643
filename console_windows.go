//go:build !bindings

package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// A program of the window kind gets no console, so what a command says would be
// seen by nobody. With arguments it takes that of whoever started it, and only for
// what is not redirected. Without any it opens the window and takes none: the app
// would end with the terminal's window.
func init() {
	if len(os.Args) < 2 {
		return
	}
	streams := []struct {
		number uint32
		device string
		file   **os.File
	}{
		{windows.STD_INPUT_HANDLE, "CONIN$", &os.Stdin},
		{windows.STD_OUTPUT_HANDLE, "CONOUT$", &os.Stdout},
		{windows.STD_ERROR_HANDLE, "CONOUT$", &os.Stderr},
	}
	const parent = ^uintptr(0) // ATTACH_PARENT_PROCESS
	// Attaching gives all three handles anew in some versions of Windows: what was
	// redirected is found out before.
	open := make([]bool, len(streams))
	for i, s := range streams {
		open[i] = isOpen(s.number)
	}
	// That it fails is no matter: there is no terminal, and then no device to open
	// below either, or it is this program's already.
	_, _, _ = windows.NewLazySystemDLL("kernel32.dll").NewProc("AttachConsole").Call(parent)
	for i, s := range streams {
		if !open[i] {
			*s.file = toConsole(s.number, s.device, *s.file)
		}
	}
}

// isOpen says whether a standard handle leads to a file, a pipe or a console.
func isOpen(number uint32) bool {
	handle, err := windows.GetStdHandle(number)
	if err != nil || handle == 0 || handle == windows.InvalidHandle {
		return false
	}
	kind, err := windows.GetFileType(handle)
	return err == nil && kind != windows.FILE_TYPE_UNKNOWN
}

// toConsole opens a device of the console as a standard handle. Where that fails
// the stream stays as it was.
func toConsole(number uint32, device string, was *os.File) *os.File {
	name, err := windows.UTF16PtrFromString(device)
	if err != nil {
		return was
	}
	handle, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil || windows.SetStdHandle(number, handle) != nil {
		return was
	}
	return os.NewFile(uintptr(handle), device)
}
