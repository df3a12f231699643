package shell

import "golang.org/x/sys/windows"

func explain(title, text string) {
	t, err := windows.UTF16PtrFromString(title + "\n\n" + text)
	if err != nil {
		panic("text for a dialog has a NUL in it")
	}
	name, err := windows.UTF16PtrFromString("Countersign")
	if err != nil {
		panic("text for a dialog has a NUL in it")
	}
	// What it returns is the button; where it cannot be shown, standard error has to do.
	_, _ = windows.MessageBox(0, t, name, windows.MB_OK|windows.MB_ICONERROR|windows.MB_SETFOREGROUND)
}
