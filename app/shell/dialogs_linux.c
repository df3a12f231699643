/*
 * The system's own dialogs to choose a folder or a file. Wails' dialogs run a
 * main loop within the main loop and cannot be closed by us: an app that quits
 * would hang in one.
 */
#include "dialogs_linux.h"
#include "webview_linux.h"
#include "_cgo_export.h"

#include <gtk/gtk.h>

static GtkFileChooserNative *open_dialog; /* GTK thread only */
static guint64 open_id;

static void finish(const char *path) {
    GtkFileChooserNative *dialog = open_dialog;
    if (!dialog) return;
    open_dialog = NULL;
    g_signal_handlers_disconnect_by_data(dialog, &open_dialog);
    gtk_native_dialog_destroy(GTK_NATIVE_DIALOG(dialog));
    g_object_unref(dialog);
    countersignChosen(open_id, (char *)path);
}

static void on_response(GtkNativeDialog *dialog, int response, gpointer data) {
    (void)data;
    char *path = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_filename(GTK_FILE_CHOOSER(dialog)) : NULL;
    finish(path ? path : "");
    g_free(path);
}

void dialog_open(guint64 id, int what, const char *title, const char *name) {
    finish(""); /* of one whose asker has gone */
    GtkWindow *parent = webview_window();
    if (!parent) {
        countersignChosen(id, NULL);
        return;
    }
    static const struct {
        GtkFileChooserAction action;
        const char *accept;
    } kinds[] = {
        [DIALOG_FOLDER] = {GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, "Choose"},
        [DIALOG_FILE] = {GTK_FILE_CHOOSER_ACTION_OPEN, "Open"},
        [DIALOG_NEW_FILE] = {GTK_FILE_CHOOSER_ACTION_SAVE, "Save"},
    };
    open_id = id;
    open_dialog = gtk_file_chooser_native_new(title, parent, kinds[what].action, kinds[what].accept, "Cancel");
    GtkFileChooser *chooser = GTK_FILE_CHOOSER(open_dialog);
    gtk_file_chooser_set_local_only(chooser, TRUE); /* a path is what is wanted */
    if (what != DIALOG_FILE) gtk_file_chooser_set_create_folders(chooser, TRUE);
    if (what == DIALOG_NEW_FILE) {
        gtk_file_chooser_set_do_overwrite_confirmation(chooser, TRUE);
        gtk_file_chooser_set_current_name(chooser, name);
    }
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(open_dialog), TRUE);
    g_signal_connect(open_dialog, "response", G_CALLBACK(on_response), &open_dialog);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(open_dialog));
}

void dialog_close(guint64 id) {
    if (open_dialog && open_id == id) finish("");
}
