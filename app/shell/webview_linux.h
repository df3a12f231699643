#ifndef COUNTERSIGN_WEBVIEW_H
#define COUNTERSIGN_WEBVIEW_H

#include <gtk/gtk.h>

/* From any thread. The answer comes through countersignWatching. */
void webview_watch(void);
/* From any thread: loads the page again under a bar that says why. offer: the
 * bar offers the reload instead of doing it. memory: the page was ended for the
 * memory that a program used. */
void webview_reload(int offer, int memory);
const char *webview_engine(void);
/* From any thread: brings the window to the front, and what is open on it. */
void webview_raise(void);
/* On the GTK thread: the app's window, or NULL before or after it. */
GtkWindow *webview_window(void);

#endif
