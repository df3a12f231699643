/*
 * When a press counts.
 *  1. Only a press that began while the buttons were armed: press (mouse, key) and
 *     click are both checked.
 *  2. Buttons are armed 700 ms after the card is shown or gets the focus back.
 *  3. Enter never approves: it is swallowed everywhere but on the reject button.
 *  4. A card that came while the person was elsewhere is not armed before it has
 *     had the focus.
 *  5. A key that is held down since before the card came does nothing.
 *  6. A person who is typing when the card comes is let finish: each letter
 *     before the buttons are armed begins the 700 ms anew.
 */
#include "parts_linux.h"
#include "_cgo_export.h"

#include <gdk/gdkkeysyms.h>

#define ARM_MS 700

void card_show_armed(Card *card, gboolean armed) {
    card->armed = armed;
    GtkWidget *buttons[] = {card->reject, card->run};
    for (int i = 0; i < 2; i++) {
        GtkStyleContext *style = gtk_widget_get_style_context(buttons[i]);
        if (armed) gtk_style_context_remove_class(style, "unarmed");
        else gtk_style_context_add_class(style, "unarmed");
        atk_object_set_description(gtk_widget_get_accessible(buttons[i]), armed ? "ready" : "not ready yet");
    }
    countersignCardArmed(card->sheet->id, armed);
}

static gboolean arm(gpointer data) {
    Card *card = data;
    card->arm_source = 0;
    if (card->away && !gtk_window_is_active(GTK_WINDOW(card->window))) return G_SOURCE_REMOVE; /* nobody has looked at it yet */
    if (!card->width) gtk_window_get_size(GTK_WINDOW(card->window), &card->width, &card->height);
    card_show_armed(card, TRUE);
    return G_SOURCE_REMOVE;
}

static void disarm(Card *card) {
    if (card->arm_source) g_source_remove(card->arm_source);
    card->arm_source = 0;
    card->key_down = FALSE; /* its release may go to another window */
    card_show_armed(card, FALSE);
}

void card_arm_later(Card *card) {
    disarm(card);
    card->arm_source = g_timeout_add(ARM_MS, arm, card);
}

void card_on_active(GObject *window, GParamSpec *spec, gpointer data) {
    (void)spec;
    Card *card = data;
    if (card->done) return;
    if (gtk_window_is_active(GTK_WINDOW(window))) {
        card->was_active = TRUE;
        card_person_came(card);
        card_arm_later(card);
    } else if (card->was_active) {
        disarm(card);
    }
}

/* A press that begins before the buttons are armed must not become a click. */
gboolean card_on_press(GtkWidget *button, GdkEvent *event, gpointer data) {
    (void)button, (void)event;
    return !((Card *)data)->armed;
}

void card_on_click(GtkButton *button, gpointer data) {
    Card *card = data;
    if (!card->armed) return;
    if (GTK_WIDGET(button) == card->reject) card_finish(card, CARD_REJECT);
    else if (card->ticked > 0) card_finish(card, CARD_RUN);
}

/* card_note says something at the foot of the card. */
void card_note(Card *card, const char *text) {
    gtk_label_set_text(GTK_LABEL(card->note), text);
    countersignCardSaid(card->sheet->id, (char *)text);
}

/* say also tells those who do not see it, where ATK can (2.46). */
static void say(Card *card, const char *text) {
    card_note(card, text);
    AtkObject *note = gtk_widget_get_accessible(card->note);
    if (g_signal_lookup("announcement", G_OBJECT_TYPE(note))) g_signal_emit_by_name(note, "announcement", text);
}

static gboolean is_enter(guint key) { return key == GDK_KEY_Return || key == GDK_KEY_KP_Enter || key == GDK_KEY_ISO_Enter; }

static gboolean is_space(guint key) { return key == GDK_KEY_space || key == GDK_KEY_KP_Space; }

gboolean card_on_key(GtkWidget *window, GdkEventKey *event, gpointer data) {
    Card *card = data;
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(window));
    if (card->filter && (event->state & GDK_CONTROL_MASK) && (event->keyval == GDK_KEY_f || event->keyval == GDK_KEY_F)) {
        gtk_widget_grab_focus(card->filter);
        return TRUE;
    }
    if (focus && focus == card->list && (event->state & GDK_CONTROL_MASK) && (event->keyval == GDK_KEY_a || event->keyval == GDK_KEY_A)) {
        card_tick_seen(card, -1);
        return TRUE;
    }
    gboolean typing = focus && (focus == card->reason || focus == card->filter);
    if (!card->armed && gdk_keyval_to_unicode(event->keyval) > ' ' && !is_enter(event->keyval) && event->keyval != GDK_KEY_Escape && card->arm_source)
        card_arm_later(card);
    gboolean acts = is_enter(event->keyval) || event->keyval == GDK_KEY_Escape || (is_space(event->keyval) && !typing);
    if (!acts) return FALSE;
    gboolean held = card->key_down;
    card->key_down = TRUE;
    if (held || !card->armed) return TRUE;
    if (event->keyval == GDK_KEY_Escape && focus && focus == card->filter && gtk_entry_get_text_length(GTK_ENTRY(focus)) > 0) {
        gtk_entry_set_text(GTK_ENTRY(focus), "");
        return TRUE;
    }
    if (event->keyval == GDK_KEY_Escape) {
        card_finish(card, CARD_CLOSED);
        return TRUE;
    }
    if (is_enter(event->keyval)) {
        if (focus == card->run) say(card, "Enter runs nothing. Press Space to run."); /* enterNote */
        return focus != card->reject && focus != card->save;
    }
    if (focus == card->list) {
        GtkTreePath *path = NULL;
        gtk_tree_view_get_cursor(GTK_TREE_VIEW(card->list), &path, NULL);
        if (path) card_toggle(card, path);
        gtk_tree_path_free(path);
        return TRUE;
    }
    return FALSE;
}

gboolean card_on_key_up(GtkWidget *window, GdkEventKey *event, gpointer data) {
    (void)window;
    if (is_enter(event->keyval) || is_space(event->keyval) || event->keyval == GDK_KEY_Escape) ((Card *)data)->key_down = FALSE;
    return FALSE;
}
