// Package gtktest is a main loop without GTK or a display, for tests of package gtk.
package gtktest

/*
#cgo pkg-config: glib-2.0
#include <glib.h>

static GMainLoop *loop;

static void loop_run(void) {
	loop = g_main_loop_new(NULL, FALSE);
	g_main_loop_run(loop);
}
static void loop_quit(void) { g_main_loop_quit(loop); }
static guintptr thread(void) { return (guintptr)g_thread_self(); }
*/
import "C"

import (
	"runtime"

	"github.com/faustine-ai/countersign/app/gtk"
)

// Run runs work beside the main loop and returns its result. The loop has the
// thread of its caller.
func Run(work func() int) int {
	runtime.LockOSThread()
	result := make(chan int, 1)
	go func() {
		result <- work()
		gtk.Post(func() { C.loop_quit() })
	}()
	C.loop_run()
	return <-result
}

// Thread names the thread that it is called on.
func Thread() uintptr { return uintptr(C.thread()) }
