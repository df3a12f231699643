package shell

/*
#cgo pkg-config: gtk+-3.0
#cgo CFLAGS: -Wformat -Werror=format-security
#include <gtk/gtk.h>
#include <stdlib.h>

// No window is there and no main loop runs, so that this one is within no other.
static void explain(const char *title, const char *text) {
	GtkWidget *dialog = gtk_message_dialog_new(NULL, 0, GTK_MESSAGE_ERROR, GTK_BUTTONS_CLOSE, "%s", title);
	gtk_message_dialog_format_secondary_text(GTK_MESSAGE_DIALOG(dialog), "%s", text);
	gtk_window_set_title(GTK_WINDOW(dialog), "Countersign");
	gtk_window_set_skip_taskbar_hint(GTK_WINDOW(dialog), FALSE); // it is all there is of the app
	gtk_window_set_position(GTK_WINDOW(dialog), GTK_WIN_POS_CENTER);
	// A path has no blanks at which its line could break.
	GList *labels = gtk_container_get_children(GTK_CONTAINER(gtk_message_dialog_get_message_area(GTK_MESSAGE_DIALOG(dialog))));
	for (GList *l = labels; l; l = l->next)
		if (GTK_IS_LABEL(l->data)) {
			gtk_label_set_line_wrap_mode(GTK_LABEL(l->data), PANGO_WRAP_WORD_CHAR);
			gtk_label_set_selectable(GTK_LABEL(l->data), TRUE);
		}
	g_list_free(labels);
	gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_CLOSE);
	gtk_widget_grab_focus(gtk_dialog_get_widget_for_response(GTK_DIALOG(dialog), GTK_RESPONSE_CLOSE));
	gtk_dialog_run(GTK_DIALOG(dialog));
	gtk_widget_destroy(dialog);
}
*/
import "C"

import "unsafe"

func explain(title, text string) {
	t, s := C.CString(title), C.CString(text)
	defer C.free(unsafe.Pointer(t))
	defer C.free(unsafe.Pointer(s))
	C.explain(t, s)
}
