/*
 * The card as a GTK3 window on the main loop that Wails runs: it is shown, it
 * answers once, and it goes. Every way in which it can go without an answer is
 * CARD_CLOSED. When a press counts is in arming_linux.c.
 */
#include "parts_linux.h"
#include "_cgo_export.h"

static GHashTable *open_cards; /* guint64 id → Card */

/* ── sheets ─────────────────────────────────────────────────────────── */

CardSheet *card_sheet_new(guint64 id, int count, int group_count) {
    CardSheet *sheet = g_new0(CardSheet, 1);
    sheet->id = id;
    sheet->count = count;
    sheet->rows = g_new0(CardRow, count);
    sheet->group_count = group_count;
    sheet->groups = g_new0(CardGroup, group_count);
    return sheet;
}

void card_sheet_text(char **field, const char *text, gsize length) { *field = length ? g_strndup(text, length) : g_strdup(""); }

CardRow *card_sheet_row(CardSheet *sheet, int index) { return &sheet->rows[index]; }

CardGroup *card_sheet_group(CardSheet *sheet, int index) { return &sheet->groups[index]; }

static void sheet_free(CardSheet *sheet) {
    for (int i = 0; i < sheet->count; i++) {
        CardRow *row = &sheet->rows[i];
        g_free(row->call);
        g_free(row->label);
        g_free(row->function);
        g_free(row->summary);
        g_free(row->heading);
        g_free(row->meta);
        g_free(row->warning);
    }
    for (int i = 0; i < sheet->group_count; i++) {
        g_free(sheet->groups[i].function);
        g_free(sheet->groups[i].title);
        g_free(sheet->groups[i].heading);
    }
    g_free(sheet->groups);
    g_free(sheet->rows);
    g_free(sheet->window);
    g_free(sheet->title);
    g_free(sheet->request);
    g_free(sheet->warning);
    g_free(sheet);
}

Card *card_find(guint64 id) { return open_cards ? g_hash_table_lookup(open_cards, &id) : NULL; }

/* ── answering ──────────────────────────────────────────────────────── */

/* card_finish answers once and takes the window away. */
void card_finish(Card *card, int how) {
    if (card->done) return;
    card->done = TRUE;
    guint64 id = card->sheet->id;
    int count = card->sheet->count;
    char *ticks = g_malloc0(count);
    for (int i = 0; how == CARD_RUN && i < count; i++) ticks[i] = card->ticks[i] ? 1 : 0;
    char *reason = g_strdup(gtk_entry_get_text(GTK_ENTRY(card->reason)));
    int width, height;
    gtk_window_get_size(GTK_WINDOW(card->window), &width, &height);
    if (card->width && (width != card->width || height != card->height) && !gtk_window_is_maximized(GTK_WINDOW(card->window)))
        countersignCardSized(id, width, height);
    gtk_widget_destroy(card->window);
    countersignCardAnswered(id, how, ticks, count, reason);
    g_free(ticks);
    g_free(reason);
}

static gboolean on_delete(GtkWidget *window, GdkEvent *event, gpointer data) {
    (void)window, (void)event;
    card_finish(data, CARD_CLOSED);
    return TRUE;
}

/* However the card went: nothing of it may act any more. */
static void on_destroy(GtkWidget *window, gpointer data) {
    (void)window;
    Card *card = data;
    guint64 id = card->sheet->id;
    if (card->arm_source) g_source_remove(card->arm_source);
    if (card->wrap_source) g_source_remove(card->wrap_source);
    if (card->name_source) g_source_remove(card->name_source);
    card->arm_source = card->wrap_source = card->name_source = 0;
    card_close_chooser(card);
    card_person_came(card);
    g_hash_table_remove(open_cards, &id);
    if (!card->done) { /* destroyed by somebody else, such as the parent's end */
        card->done = TRUE;
        countersignCardAnswered(id, CARD_CLOSED, NULL, 0, "");
    }
}

/* With the window's last reference: its children still send signals while they
 * are taken apart, after on_destroy. */
static void card_free(gpointer data) {
    Card *card = data;
    g_object_unref(card->shown);
    g_object_unref(card->store);
    g_free(card->rows);
    g_free(card->heads);
    g_free(card->ticks);
    g_free(card->seen);
    sheet_free(card->sheet);
    g_free(card);
}

/* The first focus has scrolled the content towards it; reading begins at the top. */
static gboolean to_top(gpointer data) {
    Card *card = card_find(*(guint64 *)data);
    if (card && !card->done) gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(card->scroll)), 0);
    return G_SOURCE_REMOVE;
}

static void on_map(GtkWidget *window, gpointer data) {
    (void)window;
    Card *card = data;
    card_arm_later(card);
    g_idle_add_full(G_PRIORITY_LOW, to_top, g_memdup2(&card->sheet->id, sizeof card->sheet->id), g_free);
    countersignCardShown(card->sheet->id);
}

/* Only the first time that there is something to see. */
static gboolean on_draw(GtkWidget *window, cairo_t *context, gpointer data) {
    (void)context;
    g_signal_handlers_disconnect_by_func(window, G_CALLBACK(on_draw), data);
    countersignCardPainted(((Card *)data)->sheet->id);
    return FALSE;
}

/* The window that the card belongs to: the app's own. */
static GtkWindow *find_parent(void) {
    GtkWindow *parent = NULL;
    GList *all = gtk_window_list_toplevels();
    for (GList *at = all; at && !parent; at = at->next) {
        GtkWindow *window = GTK_WINDOW(at->data);
        if (gtk_window_get_window_type(window) == GTK_WINDOW_TOPLEVEL && gtk_widget_get_visible(GTK_WIDGET(window)) &&
            gtk_window_get_type_hint(window) == GDK_WINDOW_TYPE_HINT_NORMAL)
            parent = window;
    }
    g_list_free(all);
    return parent;
}

/* place puts the window over the middle of its parent, wholly on the screen. */
static void place(Card *card, GtkWindow *parent) {
    const int border = 12, title_bar = 40;
    GdkRectangle area = {0, 0, 1024, 768};
    GdkWindow *at = gtk_widget_get_window(GTK_WIDGET(parent));
    if (at) gdk_monitor_get_workarea(gdk_display_get_monitor_at_window(gtk_widget_get_display(GTK_WIDGET(parent)), at), &area);
    int height = 460 + MIN(card->sheet->count, 8) * 16 + (card->sheet->warning[0] ? 50 : 0) + (card->sheet->count >= FILTER_FROM ? 50 : 0) + (card->save ? 110 : 0);
    if (card->sheet->height) height = card->sheet->height;
    height = MIN(height, area.height - title_bar - border);
    int width = MIN(card->sheet->width ? card->sheet->width : 860, area.width - 2 * border);
    gtk_window_set_default_size(GTK_WINDOW(card->window), width, height);
    card_fit_functions(card, width);
    gtk_paned_set_position(GTK_PANED(card->panes), (width - 44) * 52 / 100);

    int x, y, parent_width, parent_height;
    gtk_window_get_position(parent, &x, &y);
    gtk_window_get_size(parent, &parent_width, &parent_height);
    x += (parent_width - width) / 2;
    y += (parent_height - height) / 2;
    x = CLAMP(x, area.x + border / 2, MAX(area.x, area.x + area.width - width - border));
    y = CLAMP(y, area.y, MAX(area.y, area.y + area.height - height - title_bar));
    gtk_window_move(GTK_WINDOW(card->window), x, y);
}

static gboolean show(gpointer data) {
    CardSheet *sheet = data;
    if (!countersignCardWanted(sheet->id)) {
        sheet_free(sheet);
        return G_SOURCE_REMOVE;
    }
    GtkWindow *parent = find_parent();
    if (!parent) {
        countersignCardFailed(sheet->id, "the app has no open window to show it on");
        sheet_free(sheet);
        return G_SOURCE_REMOVE;
    }
    if (!open_cards) open_cards = g_hash_table_new(g_int64_hash, g_int64_equal);

    card_answer_readers();

    Card *card = g_new0(Card, 1);
    card->sheet = sheet;
    card->selected = -1;
    card->columns = 48;
    card->window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
    g_object_set_data_full(G_OBJECT(card->window), "card", card, card_free);
    g_hash_table_insert(open_cards, &sheet->id, card);
    GtkWindow *window = GTK_WINDOW(card->window);
    gtk_window_set_title(window, sheet->window);
    gtk_window_set_role(window, "card");
    gtk_window_set_type_hint(window, GDK_WINDOW_TYPE_HINT_DIALOG);
    gtk_window_set_transient_for(window, parent);
    gtk_window_set_destroy_with_parent(window, TRUE);
    gtk_window_set_keep_above(window, TRUE);
    /* Not modal: who looks at a card may scroll in the conversation behind it, and
     * stop the run there. And out of reach of a dialog that is: its grab is for
     * the windows of its own group. */
    GtkWindowGroup *group = gtk_window_group_new();
    gtk_window_group_add_window(group, window);
    g_object_unref(group); /* the window holds it */
    atk_object_set_name(gtk_widget_get_accessible(card->window), sheet->title);
    atk_object_set_role(gtk_widget_get_accessible(card->window), ATK_ROLE_DIALOG);
    card_build(card);
    place(card, parent);

    g_signal_connect(window, "delete-event", G_CALLBACK(on_delete), card);
    g_signal_connect(window, "destroy", G_CALLBACK(on_destroy), card);
    g_signal_connect(window, "key-press-event", G_CALLBACK(card_on_key), card);
    g_signal_connect(window, "key-release-event", G_CALLBACK(card_on_key_up), card);
    g_signal_connect(window, "notify::is-active", G_CALLBACK(card_on_active), card);
    g_signal_connect_after(window, "map", G_CALLBACK(on_map), card);
    g_signal_connect_after(window, "draw", G_CALLBACK(on_draw), card);

    card_count_ticks(card);
    card_show_armed(card, FALSE);
    card_select_first(card);
    gtk_window_set_default(window, NULL);
    /* Over another program the card waits to be looked at: it must not take the
     * keys that are being typed there. */
    card->away = !card_app_in_front(parent);
    gtk_window_set_focus_on_map(window, !card->away);
    gtk_widget_show_all(card->window);
    gtk_widget_grab_focus(card->reject);
    gtk_window_set_focus_visible(window, TRUE);
    if (card->away) card_call_person(card);
    else gtk_window_present(window);
    return G_SOURCE_REMOVE;
}

static gboolean close_card(gpointer data) {
    Card *card = open_cards ? g_hash_table_lookup(open_cards, data) : NULL;
    g_free(data);
    if (card) card_finish(card, CARD_CLOSED);
    return G_SOURCE_REMOVE;
}

/* Idle sources and not g_main_context_invoke: that one would run GTK on the
 * calling thread whenever no main loop happens to own the context. */
void card_post_show(CardSheet *sheet) { g_idle_add_full(G_PRIORITY_DEFAULT, show, sheet, NULL); }

void card_post_close(guint64 id) { g_idle_add_full(G_PRIORITY_DEFAULT, close_card, g_memdup2(&id, sizeof id), NULL); }
