// Package sessiontest is a GTK main loop without a window, for tests of package
// session.
package sessiontest

/*
#cgo pkg-config: gtk+-3.0
#include <gtk/gtk.h>

static int loop_open(void) { return gtk_init_check(NULL, NULL); }
*/
import "C"

import (
	"errors"
	"runtime"

	"github.com/faustine-ai/countersign/app/gtk"
)

// Run runs work beside the main loop and returns its result. It must be called on
// the program's first thread.
func Run(work func() int) (int, error) {
	runtime.LockOSThread()
	if C.loop_open() == 0 {
		return 0, errors.New("GTK cannot open the display")
	}
	result := make(chan int, 1)
	go func() {
		result <- work()
		gtk.Post(func() { C.gtk_main_quit() })
	}()
	C.gtk_main()
	return <-result, nil
}
