package shell

// #include <gtk/gtk.h>
//
// static int work_area(int *width, int *height) {
//     GdkDisplay *display = gdk_display_get_default();
//     if (!display) return 0;
//     GdkMonitor *monitor = gdk_display_get_primary_monitor(display);
//     if (!monitor) monitor = gdk_display_get_monitor(display, 0);
//     if (!monitor) return 0;
//     GdkRectangle area;
//     gdk_monitor_get_workarea(monitor, &area);
//     *width = area.width, *height = area.height;
//     return 1;
// }
import "C"

import (
	"errors"
	"fmt"
	"os"
	"sync"
)

// environment is prepared once: from Prepare on the signals are JavaScriptCore's.
var environment sync.Once

// Ready reports why no window can be opened, before anything depends on one:
// Wails panics where GTK does not start. It must be called on the program's
// first thread; again does no harm.
func Ready() error {
	// As Wails chooses, which starts GTK a second time after this.
	session := os.Getenv("XDG_SESSION_TYPE")
	if os.Getenv("GDK_BACKEND") == "" && (session == "" || session == "unspecified" || session == "x11") {
		if err := os.Setenv("GDK_BACKEND", "x11"); err != nil {
			return err
		}
	}
	environment.Do(prepareEnvironment)
	if C.gtk_init_check(nil, nil) != 0 {
		return nil
	}
	if name := os.Getenv("DISPLAY"); name != "" {
		return fmt.Errorf("no window can be opened on the display %q: set DISPLAY to one that there is", name)
	}
	return errors.New("there is no display to open a window on: set DISPLAY")
}

// workArea is what the first screen has beside its panels, in pixels of the page.
func workArea() (width, height int, known bool) {
	var w, h C.int
	known = C.work_area(&w, &h) != 0
	return int(w), int(h), known
}
