package desk

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/faustine-ai/countersign/app/display"
)

// stage makes what a demo or a self-test plays on: a folder for throw-away data
// and, when headless, a virtual screen. leave takes both away again.
func stage(name string, headless bool) (folder string, leave func() error, err error) {
	if !headless {
		if err := needDisplay("use --headless"); err != nil {
			return "", nil, err
		}
	}
	if folder, err = os.MkdirTemp("", "countersign-"+name+"-"); err != nil {
		return "", nil, err
	}
	leave = func() error { return takeAway(folder) }
	if !headless {
		return folder, leave, nil
	}
	screen, err := display.Start(1280, 800)
	if err != nil {
		return "", nil, errors.Join(err, leave())
	}
	leave = func() error {
		screen.Close()
		return takeAway(folder)
	}
	if err := useScreen(screen, folder); err != nil {
		return "", nil, errors.Join(err, leave())
	}
	return folder, leave, nil
}

// lastWrites is how long the web view's processes may go on writing: they end by
// themselves, a moment after the window.
const lastWrites = 5 * time.Second

// takeAway removes a folder with all that is in it, also while the last is written
// into it.
func takeAway(folder string) error {
	for until := time.Now().Add(lastWrites); ; time.Sleep(20 * time.Millisecond) {
		err := os.RemoveAll(folder)
		if !errors.Is(err, syscall.ENOTEMPTY) || time.Now().After(until) {
			return err
		}
	}
}

// useScreen turns this process to a virtual screen, and keeps what WebKit writes
// in the demo's own folder.
func useScreen(screen *display.Virtual, folder string) error {
	for name, to := range map[string]string{
		"DISPLAY": screen.Name, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1",
		"XDG_DATA_HOME": filepath.Join(folder, "data"), "XDG_CACHE_HOME": filepath.Join(folder, "cache"),
	} {
		if err := os.Setenv(name, to); err != nil {
			return err
		}
	}
	return os.Unsetenv("WAYLAND_DISPLAY")
}
