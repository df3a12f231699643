package cardtest

/*
#include <gtk/gtk.h>
#include <stdlib.h>
#include <string.h>

// A widget of the card that does not get the room that it needs.
static void say_cut(GString *out, GtkWidget *widget, const char *what, int has, int needs) {
    const char *text = GTK_IS_LABEL(widget) ? gtk_label_get_text(GTK_LABEL(widget)) : atk_object_get_name(gtk_widget_get_accessible(widget));
    g_string_append_printf(out, "%s “%.60s” %s: %d of %d\n", G_OBJECT_TYPE_NAME(widget), text ? text : "", what, has, needs);
}

static void measure(GtkWidget *widget, GString *out) {
    GtkAllocation has;
    int least, natural;
    gtk_widget_get_allocation(widget, &has);
    gtk_widget_get_preferred_width(widget, &least, &natural);
    if (has.width < least) say_cut(out, widget, "is too narrow", has.width, least);
    if (GTK_IS_BUTTON(widget) && has.width < natural) say_cut(out, widget, "is narrower than its text", has.width, natural);
    gtk_widget_get_preferred_height_for_width(widget, has.width, &least, &natural);
    if (has.height < least) say_cut(out, widget, "is too low", has.height, least);
    if (GTK_IS_LABEL(widget) && pango_layout_is_ellipsized(gtk_label_get_layout(GTK_LABEL(widget)))) say_cut(out, widget, "ends in an ellipsis", has.width, natural);
    GtkWidget *top = gtk_widget_get_toplevel(widget);
    int x = 0, y = 0, width = gtk_widget_get_allocated_width(top);
    if (gtk_widget_translate_coordinates(widget, top, 0, 0, &x, &y) && (x < 0 || x + has.width > width)) say_cut(out, widget, "sticks out", width, x + has.width);
}

static void look(GtkWidget *widget, gpointer data) {
    if (!gtk_widget_get_mapped(widget)) return;
    if (GTK_IS_LABEL(widget) || GTK_IS_BUTTON(widget) || GTK_IS_ENTRY(widget) || GTK_IS_COMBO_BOX(widget) || GTK_IS_IMAGE(widget)) measure(widget, data);
    if (GTK_IS_CONTAINER(widget)) gtk_container_forall(GTK_CONTAINER(widget), look, data);
}

static GMutex cut_mutex;
static GCond cut_done;
static char *cut_said;

static gboolean cut_idle(gpointer data) {
    (void)data;
    GString *out = g_string_new(NULL);
    gboolean card = FALSE;
    GList *all = gtk_window_list_toplevels();
    for (GList *each = all; each; each = each->next) {
        GtkWidget *window = each->data;
        const char *role = gtk_window_get_role(GTK_WINDOW(window));
        if (!gtk_widget_get_mapped(window) || !role || strcmp(role, "card") != 0) continue;
        card = TRUE;
        look(window, out);
        GdkRectangle frame, area;
        GdkWindow *at = gtk_widget_get_window(window);
        gdk_window_get_frame_extents(at, &frame);
        gdk_monitor_get_geometry(gdk_display_get_monitor_at_window(gtk_widget_get_display(window), at), &area);
        if (frame.x < 0 || frame.y < 0 || frame.x + frame.width > area.width || frame.y + frame.height > area.height)
            g_string_append_printf(out, "the card at %d,%d of %d×%d sticks out of a screen of %d×%d\n", frame.x, frame.y, frame.width, frame.height, area.width, area.height);
    }
    g_list_free(all);
    if (!card) g_string_append(out, "there is no card on screen\n");
    g_mutex_lock(&cut_mutex);
    cut_said = g_string_free(out, FALSE);
    g_cond_signal(&cut_done);
    g_mutex_unlock(&cut_mutex);
    return G_SOURCE_REMOVE;
}

static char *cut_now(void) {
    g_mutex_lock(&cut_mutex);
    cut_said = NULL;
    g_idle_add_full(G_PRIORITY_LOW, cut_idle, NULL, NULL); // when the layout is done
    while (!cut_said) g_cond_wait(&cut_done, &cut_mutex);
    g_mutex_unlock(&cut_mutex);
    return cut_said;
}
*/
import "C"

import "unsafe"

// Cut lists what of the card on screen does not get the room that it needs, a
// line each: "" when all of it can be seen or scrolled to.
func Cut() string {
	said := C.cut_now()
	defer C.free(unsafe.Pointer(said))
	return C.GoString(said)
}
