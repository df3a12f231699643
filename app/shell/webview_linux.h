#ifndef COUNTERSIGN_WEBVIEW_H
#define COUNTERSIGN_WEBVIEW_H

#include <gtk/gtk.h>

/* All but webview_engine on the GTK thread. */

/* Starts WebKit in this process. Again does nothing. */
void webview_prepare(void);

/* The answer comes through countersignWatching. */
void webview_watch(void);
/* Loads the page again under a bar that says why. offer: the bar offers the reload
 * instead of doing it. memory: the page was ended for the memory that a program
 * used. */
void webview_reload(int offer, int memory);
/* Brings the window to the front, and what is open on it. */
void webview_raise(void);
/* The app's window, or NULL before or after it. */
GtkWindow *webview_window(void);
const char *webview_engine(void);

#endif
