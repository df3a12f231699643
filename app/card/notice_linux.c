/*
 * Calling a person who is elsewhere: the window's urgency hint, and a desktop
 * notification (org.freedesktop.Notifications). A click on it brings the card up.
 * Its texts are ours and the card's title; where there is no such service, the
 * hint has to do.
 */
#include "parts_linux.h"

#include <gdk/gdkx.h>
#include <string.h>

#define SERVICE "org.freedesktop.Notifications"
#define OBJECT "/org/freedesktop/Notifications"

/* A notification of one card; it outlives the card while D-Bus owes it an answer. */
struct Notice {
    int refs;
    guint64 card;
    char *title;
    GDBusConnection *bus;
    guint subscription;
    guint32 id; /* 0: not shown */
    gboolean over;
};

static Notice *notice_ref(Notice *notice) {
    notice->refs++;
    return notice;
}

static void notice_unref(gpointer data) {
    Notice *notice = data;
    if (--notice->refs > 0) return;
    g_clear_object(&notice->bus);
    g_free(notice->title);
    g_free(notice);
}

/* The bus is held until the service has answered: with its last holder it closes,
 * and what it has not sent is lost. */
static void on_taken_back(GObject *bus, GAsyncResult *result, gpointer held) {
    GVariant *answer = g_dbus_connection_call_finish(G_DBUS_CONNECTION(bus), result, NULL);
    if (answer) g_variant_unref(answer);
    g_object_unref(held);
}

static void take_back(Notice *notice) {
    if (notice->id && notice->bus)
        g_dbus_connection_call(notice->bus, SERVICE, OBJECT, SERVICE, "CloseNotification", g_variant_new("(u)", notice->id), NULL,
                               G_DBUS_CALL_FLAGS_NO_AUTO_START, 5000, NULL, on_taken_back, g_object_ref(notice->bus));
    notice->id = 0;
}

static void on_signal(GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *name, GVariant *values, gpointer data) {
    (void)bus, (void)sender, (void)path, (void)interface;
    Notice *notice = data;
    guint32 id;
    const char *text;
    if (!g_variant_is_of_type(values, G_VARIANT_TYPE("(us)"))) return;
    g_variant_get(values, "(u&s)", &id, &text);
    Card *card = card_find(notice->card);
    if (!notice->id || id != notice->id || !card || card->done) return;
    if (strcmp(name, "ActivationToken") == 0) { /* Wayland lets no window come to the front without one; it precedes the click */
        if (!GDK_IS_X11_DISPLAY(gtk_widget_get_display(card->window))) gtk_window_set_startup_id(GTK_WINDOW(card->window), text);
    } else if (strcmp(name, "ActionInvoked") == 0) {
        card_bring_up(card);
    }
}

static void on_shown(GObject *bus, GAsyncResult *result, gpointer data) {
    Notice *notice = data;
    GError *error = NULL;
    GVariant *answer = g_dbus_connection_call_finish(G_DBUS_CONNECTION(bus), result, &error);
    if (answer) {
        g_variant_get(answer, "(u)", &notice->id);
        g_variant_unref(answer);
        if (notice->over) take_back(notice);
    } else {
        g_debug("no desktop notification: %s", error->message);
        g_error_free(error);
    }
    notice_unref(notice);
}

static void on_bus(GObject *source, GAsyncResult *result, gpointer data) {
    (void)source;
    Notice *notice = data;
    GError *error = NULL;
    notice->bus = g_bus_get_finish(result, &error);
    if (!notice->bus) {
        g_debug("no desktop notification: %s", error->message);
        g_error_free(error);
    } else if (!notice->over) {
        g_dbus_connection_set_exit_on_close(notice->bus, FALSE); /* the end of the bus is not the end of the app */
        notice->subscription = g_dbus_connection_signal_subscribe(notice->bus, SERVICE, SERVICE, NULL, OBJECT, NULL,
                                                                  G_DBUS_SIGNAL_FLAGS_NONE, on_signal, notice_ref(notice), notice_unref);
        GVariantBuilder actions, hints;
        g_variant_builder_init(&actions, G_VARIANT_TYPE("as"));
        g_variant_builder_add(&actions, "s", "default");
        g_variant_builder_add(&actions, "s", "Look at it");
        g_variant_builder_init(&hints, G_VARIANT_TYPE("a{sv}"));
        g_variant_builder_add(&hints, "{sv}", "urgency", g_variant_new_byte(1));
        g_variant_builder_add(&hints, "{sv}", "desktop-entry", g_variant_new_string("countersign"));
        g_dbus_connection_call(notice->bus, SERVICE, OBJECT, SERVICE, "Notify",
                               g_variant_new("(susssasa{sv}i)", "Countersign", 0, "countersign", notice->title,
                                             "Nothing runs before you have decided.", &actions, &hints, 0 /* until it is taken back */),
                               G_VARIANT_TYPE("(u)"), G_DBUS_CALL_FLAGS_NONE, 5000, NULL, on_shown, notice_ref(notice));
    }
    notice_unref(notice);
}

static gboolean iconified(GtkWindow *window) {
    GdkWindow *at = gtk_widget_get_window(GTK_WIDGET(window));
    return at && (gdk_window_get_state(at) & GDK_WINDOW_STATE_ICONIFIED);
}

/*
 * card_app_in_front tells whether the person is at the app. The window manager
 * knows: while one card gives way to the next, or to the app's window, the focus
 * is nowhere for a moment, and GTK alone would take the person for gone. Without
 * a window manager nobody says, and a card has to take the focus by itself.
 */
gboolean card_app_in_front(GtkWindow *parent) {
    GdkScreen *screen = gdk_screen_get_default();
    if (!GDK_IS_X11_SCREEN(screen)) return gtk_window_is_active(parent);
    if (strcmp(gdk_x11_screen_get_window_manager_name(screen), "unknown") == 0) return TRUE;
    GdkWindow *active = gdk_screen_get_active_window(screen);
    if (!active) return !iconified(parent);
    gboolean ours = gdk_window_get_window_type(active) != GDK_WINDOW_FOREIGN;
    g_object_unref(active);
    return ours && !iconified(parent);
}

static void hint(Card *card, gboolean urgent) {
    GtkWindow *parent = gtk_window_get_transient_for(GTK_WINDOW(card->window));
    gtk_window_set_urgency_hint(GTK_WINDOW(card->window), urgent);
    if (parent) gtk_window_set_urgency_hint(parent, urgent);
}

void card_call_person(Card *card) {
    hint(card, TRUE);
    Notice *notice = g_new0(Notice, 1);
    notice->refs = 1;
    notice->card = card->sheet->id;
    notice->title = g_strdup(card->sheet->title);
    card->notice = notice;
    g_bus_get(G_BUS_TYPE_SESSION, NULL, on_bus, notice_ref(notice));
}

/* card_person_came takes back what called them: they look at the card, or it has gone. */
void card_person_came(Card *card) {
    hint(card, FALSE);
    Notice *notice = card->notice;
    if (!notice) return;
    card->notice = NULL;
    notice->over = TRUE;
    take_back(notice);
    if (notice->subscription) g_dbus_connection_signal_unsubscribe(notice->bus, notice->subscription);
    notice_unref(notice);
}

void card_bring_up(Card *card) {
    GtkWindow *window = GTK_WINDOW(card->window), *parent = gtk_window_get_transient_for(window);
    guint32 now = GDK_CURRENT_TIME;
    GdkWindow *at = gtk_widget_get_window(card->window);
    if (at && GDK_IS_X11_WINDOW(at)) now = gdk_x11_get_server_time(at); /* or the window manager takes it for stolen focus */
    if (parent) {
        gtk_window_deiconify(parent);
        gtk_window_present_with_time(parent, now);
    }
    gtk_window_deiconify(window);
    gtk_window_present_with_time(window, now);
}
