// Package cardtest is a GTK main loop with a plain window in place of the app's,
// for the card's tests and screenshots.
package cardtest

/*
#cgo pkg-config: gtk+-3.0
#include <gtk/gtk.h>
#include <stdlib.h>

static GtkWidget *main_window;

static const char *host_title = "Countersign";
static void host_set_title(const char *title) { host_title = g_strdup(title); }

static int host_rtl;
static void host_direction(void) {
    if (host_rtl) gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL);
}
static void host_set_rtl(void) { host_rtl = 1; }

static int host_open(void) {
    if (!gtk_init_check(NULL, NULL)) return 0;
    g_set_prgname("countersign");
    host_direction();
    main_window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
    gtk_window_set_title(GTK_WINDOW(main_window), host_title);
    gtk_window_set_default_size(GTK_WINDOW(main_window), 1100, 700);
    gtk_container_add(GTK_CONTAINER(main_window), gtk_entry_new());
    gtk_widget_show_all(main_window);
    while (!gtk_window_is_active(GTK_WINDOW(main_window))) gtk_main_iteration(); // until it has its place
    return 1;
}

static gboolean host_quit(gpointer data) { (void)data; gtk_main_quit(); return G_SOURCE_REMOVE; }
static void host_post_quit(void) { g_idle_add(host_quit, NULL); }

static GMutex turn_mutex;
static GCond turn_done;
static int turn_pending;

static gboolean host_done(gpointer data) {
    (void)data;
    g_mutex_lock(&turn_mutex);
    turn_pending = 0;
    g_cond_signal(&turn_done);
    g_mutex_unlock(&turn_mutex);
    return G_SOURCE_REMOVE;
}

static gboolean host_hide(gpointer hide) {
    gtk_widget_set_visible(main_window, hide == NULL);
    return host_done(NULL);
}

// An idle source: the loop comes to it when no event is left.
static void host_now(GSourceFunc what, int data) {
    g_mutex_lock(&turn_mutex);
    turn_pending = 1;
    g_idle_add(what, GINT_TO_POINTER(data));
    while (turn_pending) g_cond_wait(&turn_done, &turn_mutex);
    g_mutex_unlock(&turn_mutex);
}

static void host_hide_now(int hide) { host_now(host_hide, hide); }
static void host_turn(void) { host_now(host_done, 0); }
*/
import "C"

import (
	"errors"
	"runtime"
	"unsafe"
)

// Run opens the window, waits until a window manager has given it the focus, runs work beside the main loop and returns its result
// when it has ended. It must be called on the program's first thread.
func Run(work func() int) (int, error) {
	runtime.LockOSThread()
	if C.host_open() == 0 {
		return 0, errors.New("GTK cannot open the display")
	}
	result := make(chan int, 1)
	go func() {
		result <- work()
		C.host_post_quit()
	}()
	C.gtk_main()
	return <-result, nil
}

// Title has Run's window be another program's.
func Title(title string) {
	c := C.CString(title)
	defer C.free(unsafe.Pointer(c))
	C.host_set_title(c)
}

// RightToLeft has Run lay windows out as in a right-to-left locale.
func RightToLeft() { C.host_set_rtl() }

// Turn returns when the main loop has handled every event that had come.
func Turn() { C.host_turn() }

// Hide hides the main window, or shows it again, before it returns.
func Hide(hide bool) {
	if hide {
		C.host_hide_now(1)
	} else {
		C.host_hide_now(0)
	}
}
