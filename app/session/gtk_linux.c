/*
 * The clipboard and the default programs, on the GTK thread and without a main
 * loop within the main loop: an owner of the clipboard that does not answer, or a
 * program that does not start, must not stop the app.
 */
#include "gtk_linux.h"
#include "_cgo_export.h"

#include <gtk/gtk.h>

typedef struct {
    guint64 id;
    char *text;
    int length;
} Wish;

static Wish *wish_new(guint64 id, const char *text, int length) {
    Wish *wish = g_new0(Wish, 1);
    wish->id = id;
    wish->length = length;
    wish->text = text ? g_strndup(text, length) : NULL;
    return wish;
}

static void wish_free(gpointer data) {
    Wish *wish = data;
    g_free(wish->text);
    g_free(wish);
}

static void answer(guint64 id, const char *text, const char *error) { countersignSession(id, (char *)text, (char *)error); }

static GtkClipboard *clipboard(void) {
    GdkDisplay *display = gdk_display_get_default();
    return display ? gtk_clipboard_get_for_display(display, GDK_SELECTION_CLIPBOARD) : NULL;
}

static void on_text(GtkClipboard *board, const char *text, gpointer data) {
    (void)board;
    Wish *wish = data;
    answer(wish->id, text ? text : "", NULL);
    wish_free(wish);
}

static gboolean read_now(gpointer data) {
    Wish *wish = data;
    GtkClipboard *board = clipboard();
    if (board) {
        gtk_clipboard_request_text(board, on_text, wish);
    } else {
        answer(wish->id, NULL, "there is no display");
        wish_free(wish);
    }
    return G_SOURCE_REMOVE;
}

static gboolean write_now(gpointer data) {
    Wish *wish = data;
    GtkClipboard *board = clipboard();
    if (board) {
        gtk_clipboard_set_text(board, wish->text, wish->length);
        gtk_clipboard_set_can_store(board, NULL, 0); /* a clipboard manager keeps it after the app has gone */
        answer(wish->id, "", NULL);
    } else {
        answer(wish->id, NULL, "there is no display");
    }
    wish_free(wish);
    return G_SOURCE_REMOVE;
}

static void on_launched(GObject *source, GAsyncResult *result, gpointer data) {
    (void)source;
    Wish *wish = data;
    GError *error = NULL;
    if (g_app_info_launch_default_for_uri_finish(result, &error)) {
        answer(wish->id, "", NULL);
    } else {
        answer(wish->id, NULL, error->message);
        g_error_free(error);
    }
    wish_free(wish);
}

static gboolean open_now(gpointer data) {
    Wish *wish = data;
    GdkDisplay *display = gdk_display_get_default();
    GdkAppLaunchContext *context = display ? gdk_display_get_app_launch_context(display) : NULL;
    g_app_info_launch_default_for_uri_async(wish->text, G_APP_LAUNCH_CONTEXT(context), NULL, on_launched, wish);
    g_clear_object(&context);
    return G_SOURCE_REMOVE;
}

void session_post_read(guint64 id) { g_idle_add(read_now, wish_new(id, NULL, 0)); }
void session_post_write(guint64 id, const char *text, int length) { g_idle_add(write_now, wish_new(id, text, length)); }
void session_post_open(guint64 id, const char *uri) { g_idle_add(open_now, wish_new(id, uri, (int)strlen(uri))); }
