/*
 * The clipboard and the default programs, without a main loop within the main
 * loop: an owner of the clipboard that does not answer, or a program that does not
 * start, must not stop the app.
 */
#include "gtk_linux.h"
#include "_cgo_export.h"

#include <gtk/gtk.h>

static void answer(guint64 id, const char *text, const char *error) { countersignSession(id, (char *)text, (char *)error); }

static gpointer carried(guint64 id) { return g_memdup2(&id, sizeof id); }

/* put_down frees what carried the id. */
static guint64 put_down(gpointer data) {
    guint64 id = *(guint64 *)data;
    g_free(data);
    return id;
}

static GtkClipboard *clipboard(void) {
    GdkDisplay *display = gdk_display_get_default();
    return display ? gtk_clipboard_get_for_display(display, GDK_SELECTION_CLIPBOARD) : NULL;
}

static void on_text(GtkClipboard *board, const char *text, gpointer data) {
    (void)board;
    answer(put_down(data), text ? text : "", NULL);
}

void session_read(guint64 id) {
    GtkClipboard *board = clipboard();
    if (board) gtk_clipboard_request_text(board, on_text, carried(id));
    else answer(id, NULL, "there is no display");
}

void session_write(guint64 id, const char *text, int length) {
    GtkClipboard *board = clipboard();
    if (!board) {
        answer(id, NULL, "there is no display");
        return;
    }
    gtk_clipboard_set_text(board, text, length);
    gtk_clipboard_set_can_store(board, NULL, 0); /* a clipboard manager keeps it after the app has gone */
    answer(id, "", NULL);
}

static void on_launched(GObject *source, GAsyncResult *result, gpointer data) {
    (void)source;
    guint64 id = put_down(data);
    GError *error = NULL;
    if (g_app_info_launch_default_for_uri_finish(result, &error)) {
        answer(id, "", NULL);
    } else {
        answer(id, NULL, error->message);
        g_error_free(error);
    }
}

void session_open(guint64 id, const char *uri) {
    GdkDisplay *display = gdk_display_get_default();
    GdkAppLaunchContext *context = display ? gdk_display_get_app_launch_context(display) : NULL;
    g_app_info_launch_default_for_uri_async(uri, G_APP_LAUNCH_CONTEXT(context), NULL, on_launched, carried(id));
    g_clear_object(&context);
}
