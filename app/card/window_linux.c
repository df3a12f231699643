/*
 * The card as a GTK3 window on the main loop that Wails runs.
 *
 * What must hold here, and where:
 *  1. Nothing but a press that began while the buttons were armed answers: press
 *     (mouse, key) and click are both checked (on_press, on_key, on_click).
 *  2. Buttons are armed 700 ms after the card is shown or gets the focus back.
 *  3. Enter never approves: it is swallowed everywhere but on the reject button.
 *  4. A key that is held down since before the card came does nothing.
 *  5. Every way in which the window can go without an answer is CARD_CLOSED.
 */
#include "window_linux.h"
#include "_cgo_export.h"

#include <gdk/gdkkeysyms.h>
#include <gtk/gtk.h>
#include <string.h>

#define ARM_MS 700
#define REASON_MAX 2000

enum { COL_TICK, COL_FUNCTION, COL_SUMMARY, COL_MARK, COL_ROW, COLUMNS };

typedef struct {
    CardSheet *sheet;
    GtkWidget *window, *list, *all, *detail, *heading, *meta, *row_warning, *reason, *note, *reject, *run;
    GtkListStore *store;
    GtkTextTag *continuation;
    int selected;  /* index of the row in the detail, -1 before the first */
    int columns;   /* that the detail is wrapped to */
    int ticked;
    gboolean armed, was_active, key_down, done;
    guint arm_source, wrap_source;
} Card;

static GHashTable *open_cards; /* guint64 id → Card; GTK thread only */

/* ── sheets ─────────────────────────────────────────────────────────── */

CardSheet *card_sheet_new(guint64 id, int count) {
    CardSheet *sheet = g_new0(CardSheet, 1);
    sheet->id = id;
    sheet->count = count;
    sheet->rows = g_new0(CardRow, count);
    return sheet;
}

void card_sheet_text(char **field, const char *text, gsize length) { *field = length ? g_strndup(text, length) : g_strdup(""); }

CardRow *card_sheet_row(CardSheet *sheet, int index) { return &sheet->rows[index]; }

static void sheet_free(CardSheet *sheet) {
    for (int i = 0; i < sheet->count; i++) {
        CardRow *row = &sheet->rows[i];
        g_free(row->function);
        g_free(row->summary);
        g_free(row->heading);
        g_free(row->meta);
        g_free(row->warning);
    }
    g_free(sheet->rows);
    g_free(sheet->window);
    g_free(sheet->title);
    g_free(sheet->request);
    g_free(sheet->warning);
    g_free(sheet);
}

/* ── answering ──────────────────────────────────────────────────────── */

/* finish answers once and takes the window away. */
static void finish(Card *card, int how) {
    if (card->done) return;
    card->done = TRUE;
    guint64 id = card->sheet->id;
    int count = card->sheet->count;
    char *ticks = g_malloc0(count);
    GtkTreeModel *model = GTK_TREE_MODEL(card->store);
    GtkTreeIter at;
    if (how == CARD_RUN && gtk_tree_model_get_iter_first(model, &at)) {
        do {
            gboolean tick;
            int row;
            gtk_tree_model_get(model, &at, COL_TICK, &tick, COL_ROW, &row, -1);
            ticks[row] = tick ? 1 : 0;
        } while (gtk_tree_model_iter_next(model, &at));
    }
    char *reason = g_strdup(gtk_entry_get_text(GTK_ENTRY(card->reason)));
    gtk_widget_destroy(card->window);
    countersignCardAnswered(id, how, ticks, count, reason);
    g_free(ticks);
    g_free(reason);
}

static gboolean on_delete(GtkWidget *window, GdkEvent *event, gpointer data) {
    (void)window, (void)event;
    finish(data, CARD_CLOSED);
    return TRUE;
}

/* The last thing that happens to a card, however it went. */
static void on_destroy(GtkWidget *window, gpointer data) {
    (void)window;
    Card *card = data;
    guint64 id = card->sheet->id;
    if (card->arm_source) g_source_remove(card->arm_source);
    if (card->wrap_source) g_source_remove(card->wrap_source);
    g_hash_table_remove(open_cards, &id);
    if (!card->done) { /* destroyed by somebody else, such as the parent's end */
        card->done = TRUE;
        countersignCardAnswered(id, CARD_CLOSED, NULL, 0, "");
    }
    g_object_unref(card->store);
    sheet_free(card->sheet);
    g_free(card);
}

/* ── arming ─────────────────────────────────────────────────────────── */

static void show_armed(Card *card, gboolean armed) {
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
    show_armed(card, TRUE);
    return G_SOURCE_REMOVE;
}

static void disarm(Card *card) {
    if (card->arm_source) g_source_remove(card->arm_source);
    card->arm_source = 0;
    card->key_down = FALSE; /* its release may go to another window */
    show_armed(card, FALSE);
}

static void arm_later(Card *card) {
    disarm(card);
    card->arm_source = g_timeout_add(ARM_MS, arm, card);
}

static void on_active(GObject *window, GParamSpec *spec, gpointer data) {
    (void)spec;
    Card *card = data;
    if (card->done) return;
    if (gtk_window_is_active(GTK_WINDOW(window))) {
        card->was_active = TRUE;
        gtk_window_set_urgency_hint(GTK_WINDOW(window), FALSE);
        arm_later(card);
    } else if (card->was_active) {
        disarm(card);
    }
}

static void on_map(GtkWidget *window, gpointer data) {
    (void)window;
    Card *card = data;
    arm_later(card);
    countersignCardShown(card->sheet->id);
}

/* A press that begins before the buttons are armed must not become a click. */
static gboolean on_press(GtkWidget *button, GdkEvent *event, gpointer data) {
    (void)button, (void)event;
    return !((Card *)data)->armed;
}

static void on_click(GtkButton *button, gpointer data) {
    Card *card = data;
    if (!card->armed) return;
    if (GTK_WIDGET(button) == card->reject) finish(card, CARD_REJECT);
    else if (card->ticked > 0) finish(card, CARD_RUN);
}

/* ── rows ───────────────────────────────────────────────────────────── */

static void count_ticks(Card *card) {
    int total = card->sheet->count, ticked = 0;
    GtkTreeModel *model = GTK_TREE_MODEL(card->store);
    GtkTreeIter at;
    if (gtk_tree_model_get_iter_first(model, &at)) {
        do {
            gboolean tick;
            gtk_tree_model_get(model, &at, COL_TICK, &tick, -1);
            ticked += tick ? 1 : 0;
        } while (gtk_tree_model_iter_next(model, &at));
    }
    card->ticked = ticked;
    char text[80];
    g_snprintf(text, sizeof text, "Run %d selected", ticked);
    gtk_button_set_label(GTK_BUTTON(card->run), text);
    gtk_widget_set_sensitive(card->run, ticked > 0);
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(card->all), ticked == total);
    gtk_toggle_button_set_inconsistent(GTK_TOGGLE_BUTTON(card->all), ticked > 0 && ticked < total);
    if (ticked == total) text[0] = 0;
    else if (ticked == 0) g_snprintf(text, sizeof text, "Nothing is selected.");
    else if (total - ticked == 1) g_snprintf(text, sizeof text, "One call will be rejected.");
    else g_snprintf(text, sizeof text, "%d calls will be rejected.", total - ticked);
    gtk_label_set_text(GTK_LABEL(card->note), text);
}

static void toggle(Card *card, GtkTreePath *path) {
    GtkTreeIter at;
    if (!gtk_tree_model_get_iter(GTK_TREE_MODEL(card->store), &at, path)) return;
    gboolean tick;
    gtk_tree_model_get(GTK_TREE_MODEL(card->store), &at, COL_TICK, &tick, -1);
    gtk_list_store_set(card->store, &at, COL_TICK, !tick, -1);
    count_ticks(card);
}

static void on_toggled(GtkCellRendererToggle *cell, char *text, gpointer data) {
    (void)cell;
    GtkTreePath *path = gtk_tree_path_new_from_string(text);
    toggle(data, path);
    gtk_tree_path_free(path);
}

static void on_all(GtkTreeViewColumn *column, gpointer data) {
    (void)column;
    Card *card = data;
    gboolean tick = card->ticked < card->sheet->count;
    GtkTreeModel *model = GTK_TREE_MODEL(card->store);
    GtkTreeIter at;
    if (gtk_tree_model_get_iter_first(model, &at)) {
        do gtk_list_store_set(card->store, &at, COL_TICK, tick, -1);
        while (gtk_tree_model_iter_next(model, &at));
    }
    count_ticks(card);
}

/* ── the full input ─────────────────────────────────────────────────── */

static int detail_columns(Card *card) {
    PangoContext *context = gtk_widget_get_pango_context(card->detail);
    PangoFontDescription *font = NULL;
    GtkStyleContext *style = gtk_widget_get_style_context(card->detail);
    gtk_style_context_get(style, gtk_style_context_get_state(style), GTK_STYLE_PROPERTY_FONT, &font, NULL);
    PangoFontMetrics *metrics = pango_context_get_metrics(context, font, NULL);
    int digit = pango_font_metrics_get_approximate_digit_width(metrics);
    pango_font_metrics_unref(metrics);
    pango_font_description_free(font);
    int width = gtk_widget_get_allocated_width(card->detail) - 24; /* margins, and the cursor */
    return digit > 0 ? MAX(16, width * PANGO_SCALE / digit) : 80;
}

static void fill_detail(Card *card) {
    char *text = countersignCardDetail(card->sheet->id, card->selected, card->columns);
    GtkTextBuffer *buffer = gtk_text_view_get_buffer(GTK_TEXT_VIEW(card->detail));
    gtk_text_buffer_set_text(buffer, text ? text : "", -1);
    /* Go prefixes each line that wrapping made; grey tells it from the data. */
    int line = 0;
    for (char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL, line++) {
        if (!g_str_has_prefix(at, "\xE2\x86\xAA ")) continue;
        GtkTextIter from, to;
        gtk_text_buffer_get_iter_at_line(buffer, &from, line);
        to = from;
        gtk_text_iter_forward_chars(&to, 2);
        gtk_text_buffer_apply_tag(buffer, card->continuation, &from, &to);
    }
    GtkTextIter start;
    gtk_text_buffer_get_start_iter(buffer, &start);
    gtk_text_buffer_place_cursor(buffer, &start);
    free(text);
}

static gboolean wrap_again(gpointer data) {
    Card *card = data;
    card->wrap_source = 0;
    int columns = detail_columns(card);
    if (columns != card->columns) {
        card->columns = columns;
        if (card->selected >= 0) fill_detail(card);
    }
    return G_SOURCE_REMOVE;
}

static void on_detail_size(GtkWidget *detail, GdkRectangle *size, gpointer data) {
    (void)detail, (void)size;
    Card *card = data;
    if (!card->wrap_source) card->wrap_source = g_idle_add(wrap_again, card); /* not from within the layout */
}

static void on_selected(GtkTreeSelection *selection, gpointer data) {
    Card *card = data;
    GtkTreeIter at;
    GtkTreeModel *model;
    if (card->done || !gtk_tree_selection_get_selected(selection, &model, &at)) return;
    int row;
    gtk_tree_model_get(model, &at, COL_ROW, &row, -1);
    if (row == card->selected) return;
    card->selected = row;
    CardRow *shown = &card->sheet->rows[row];
    gtk_label_set_text(GTK_LABEL(card->heading), shown->heading);
    gtk_label_set_text(GTK_LABEL(card->meta), shown->meta);
    gtk_label_set_text(GTK_LABEL(card->row_warning), shown->warning);
    gtk_widget_set_visible(card->row_warning, shown->warning[0] != 0 && card->sheet->count > 1);
    fill_detail(card);
}

/* ── keys ───────────────────────────────────────────────────────────── */

static gboolean is_enter(guint key) { return key == GDK_KEY_Return || key == GDK_KEY_KP_Enter || key == GDK_KEY_ISO_Enter; }

static gboolean is_space(guint key) { return key == GDK_KEY_space || key == GDK_KEY_KP_Space; }

static gboolean on_key(GtkWidget *window, GdkEventKey *event, gpointer data) {
    Card *card = data;
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(window));
    gboolean acts = is_enter(event->keyval) || event->keyval == GDK_KEY_Escape ||
                    (is_space(event->keyval) && focus != card->reason);
    if (!acts) return FALSE;
    gboolean held = card->key_down;
    card->key_down = TRUE;
    if (held || !card->armed) return TRUE;
    if (event->keyval == GDK_KEY_Escape) {
        finish(card, CARD_CLOSED);
        return TRUE;
    }
    if (is_enter(event->keyval)) return focus != card->reject;
    if (focus == card->list) {
        GtkTreePath *path = NULL;
        gtk_tree_view_get_cursor(GTK_TREE_VIEW(card->list), &path, NULL);
        if (path) toggle(card, path);
        gtk_tree_path_free(path);
        return TRUE;
    }
    return FALSE;
}

static gboolean on_key_up(GtkWidget *window, GdkEventKey *event, gpointer data) {
    (void)window;
    if (is_enter(event->keyval) || is_space(event->keyval) || event->keyval == GDK_KEY_Escape) ((Card *)data)->key_down = FALSE;
    return FALSE;
}

/* ── building ───────────────────────────────────────────────────────── */

static const char style_sheet[] =
    ".card-title { font-size: 135%; font-weight: 700; }"
    ".card-request { border-left: 3px solid alpha(currentColor, 0.25); padding: 1px 0 1px 11px; }"
    ".card-heading { font-weight: 700; }"
    ".card-small { font-size: 90%; }"
    ".card-warning { background-color: alpha(@warning_color, 0.16); border: 1px solid alpha(@warning_color, 0.5);"
    "  border-radius: 6px; padding: 8px 12px; }"
    ".card-actions { border-top: 1px solid @borders; background-color: alpha(currentColor, 0.03); }"
    ".card-actions button { padding: 6px 16px; min-width: 110px; }"
    ".card-actions button:focus { outline: 1px solid alpha(currentColor, 0.65); outline-offset: -5px; -gtk-outline-radius: 3px; }"
    ".card-actions button.unarmed { opacity: 0.55; }"
    ".card-detail { font-size: 95%; }"
    ".card-panes > separator { background: none; min-width: 12px; }";

static void load_style(void) {
    static gboolean loaded;
    if (loaded) return;
    loaded = TRUE;
    GtkCssProvider *css = gtk_css_provider_new();
    gtk_css_provider_load_from_data(css, style_sheet, -1, NULL);
    gtk_style_context_add_provider_for_screen(gdk_screen_get_default(), GTK_STYLE_PROVIDER(css), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    g_object_unref(css);
}

static void add_class(GtkWidget *widget, const char *class) { gtk_style_context_add_class(gtk_widget_get_style_context(widget), class); }

static void set_name(GtkWidget *widget, const char *name) { atk_object_set_name(gtk_widget_get_accessible(widget), name); }

/* A label that shows text as it is: no markup, no hyphens, read left to right. */
static GtkWidget *plain_label(const char *text) {
    GtkWidget *label = gtk_label_new(text);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_line_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_line_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    PangoAttrList *attributes = pango_attr_list_new();
    pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(FALSE));
    gtk_label_set_attributes(GTK_LABEL(label), attributes);
    pango_attr_list_unref(attributes);
    return label;
}

static GtkWidget *scrolled(GtkWidget *child) {
    GtkWidget *scroll = gtk_scrolled_window_new(NULL, NULL);
    gtk_scrolled_window_set_shadow_type(GTK_SCROLLED_WINDOW(scroll), GTK_SHADOW_IN);
    gtk_scrolled_window_set_overlay_scrolling(GTK_SCROLLED_WINDOW(scroll), FALSE); /* that there is more must be seen */
    gtk_container_add(GTK_CONTAINER(scroll), child);
    return scroll;
}

static GtkWidget *build_request(Card *card) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
    GtkWidget *label = plain_label("You asked:");
    add_class(label, GTK_STYLE_CLASS_DIM_LABEL);
    add_class(label, "card-small");
    gtk_box_pack_start(GTK_BOX(box), label, FALSE, FALSE, 0);
    GtkWidget *text = plain_label(card->sheet->request);
    GtkWidget *shown = text;
    if (g_utf8_strlen(card->sheet->request, -1) > 220 || strchr(card->sheet->request, '\n')) {
        shown = gtk_scrolled_window_new(NULL, NULL);
        gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(shown), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
        gtk_scrolled_window_set_overlay_scrolling(GTK_SCROLLED_WINDOW(shown), FALSE);
        gtk_scrolled_window_set_min_content_height(GTK_SCROLLED_WINDOW(shown), 58);
        gtk_scrolled_window_set_max_content_height(GTK_SCROLLED_WINDOW(shown), 78);
        gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(shown), TRUE);
        gtk_container_add(GTK_CONTAINER(shown), text);
    }
    gtk_box_pack_start(GTK_BOX(box), shown, FALSE, FALSE, 0);
    add_class(box, "card-request");
    return box;
}

static GtkWidget *build_warning(Card *card) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 10);
    gtk_box_pack_start(GTK_BOX(box), gtk_image_new_from_icon_name("dialog-warning-symbolic", GTK_ICON_SIZE_BUTTON), FALSE, FALSE, 0);
    GtkWidget *text = plain_label(card->sheet->warning);
    gtk_box_pack_start(GTK_BOX(box), text, TRUE, TRUE, 0);
    add_class(box, "card-warning");
    atk_object_set_role(gtk_widget_get_accessible(box), ATK_ROLE_ALERT);
    set_name(box, card->sheet->warning);
    return box;
}

static GtkTreeViewColumn *text_column(Card *card, const char *title, int source, gboolean expand) {
    GtkCellRenderer *cell = gtk_cell_renderer_text_new();
    g_object_set(cell, "family", "monospace", "ellipsize", expand ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE,
                 "single-paragraph-mode", TRUE, "ypad", 5, NULL);
    GtkTreeViewColumn *column = gtk_tree_view_column_new_with_attributes(title, cell, "text", source, NULL);
    gtk_tree_view_column_set_expand(column, expand);
    gtk_tree_view_column_set_resizable(column, TRUE);
    gtk_tree_view_append_column(GTK_TREE_VIEW(card->list), column);
    return column;
}

static GtkWidget *build_list(Card *card) {
    card->store = gtk_list_store_new(COLUMNS, G_TYPE_BOOLEAN, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_INT);
    for (int i = 0; i < card->sheet->count; i++) {
        CardRow *row = &card->sheet->rows[i];
        GtkTreeIter at;
        gtk_list_store_insert_with_values(card->store, &at, -1, COL_TICK, TRUE, COL_FUNCTION, row->function, COL_SUMMARY, row->summary,
                                          COL_MARK, row->warning[0] ? "dialog-warning-symbolic" : NULL, COL_ROW, i, -1);
    }
    card->list = gtk_tree_view_new_with_model(GTK_TREE_MODEL(card->store));
    gtk_widget_set_direction(card->list, GTK_TEXT_DIR_LTR);
    gtk_tree_view_set_enable_search(GTK_TREE_VIEW(card->list), FALSE); /* its pop-up would take Space */
    set_name(card->list, "Calls that wait for you");

    GtkCellRenderer *tick = gtk_cell_renderer_toggle_new();
    g_object_set(tick, "xpad", 4, NULL);
    g_signal_connect(tick, "toggled", G_CALLBACK(on_toggled), card);
    GtkTreeViewColumn *column = gtk_tree_view_column_new_with_attributes("", tick, "active", COL_TICK, NULL);
    card->all = gtk_check_button_new();
    gtk_widget_set_can_focus(card->all, FALSE); /* the header's own button has the focus */
    gtk_widget_show(card->all);
    gtk_tree_view_column_set_widget(column, card->all);
    gtk_tree_view_column_set_clickable(column, TRUE);
    g_signal_connect(column, "clicked", G_CALLBACK(on_all), card);
    gtk_tree_view_append_column(GTK_TREE_VIEW(card->list), column);
    GtkWidget *header = gtk_tree_view_column_get_button(column);
    set_name(header, "Select all or none");
    gtk_widget_set_tooltip_text(header, "Select all or none");

    text_column(card, "Function", COL_FUNCTION, FALSE);
    text_column(card, "Input", COL_SUMMARY, TRUE);
    if (card->sheet->warning[0]) {
        GtkCellRenderer *icon = gtk_cell_renderer_pixbuf_new();
        GtkTreeViewColumn *marks = gtk_tree_view_column_new_with_attributes("", icon, "icon-name", COL_MARK, NULL);
        gtk_tree_view_append_column(GTK_TREE_VIEW(card->list), marks);
    }
    g_signal_connect(gtk_tree_view_get_selection(GTK_TREE_VIEW(card->list)), "changed", G_CALLBACK(on_selected), card);
    return scrolled(card->list);
}

static GtkWidget *build_detail(Card *card) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    card->heading = plain_label("");
    add_class(card->heading, "card-heading");
    card->meta = plain_label("");
    add_class(card->meta, GTK_STYLE_CLASS_DIM_LABEL);
    add_class(card->meta, "card-small");
    card->row_warning = plain_label("");
    add_class(card->row_warning, "card-small");
    gtk_widget_set_no_show_all(card->row_warning, TRUE);
    card->detail = gtk_text_view_new();
    gtk_text_view_set_editable(GTK_TEXT_VIEW(card->detail), FALSE);
    gtk_text_view_set_monospace(GTK_TEXT_VIEW(card->detail), TRUE);
    gtk_text_view_set_wrap_mode(GTK_TEXT_VIEW(card->detail), GTK_WRAP_NONE); /* Go wraps: GtkTextView would add hyphens */
    gtk_text_view_set_accepts_tab(GTK_TEXT_VIEW(card->detail), FALSE);
    gtk_text_view_set_left_margin(GTK_TEXT_VIEW(card->detail), 10);
    gtk_text_view_set_right_margin(GTK_TEXT_VIEW(card->detail), 10);
    gtk_text_view_set_top_margin(GTK_TEXT_VIEW(card->detail), 8);
    gtk_text_view_set_bottom_margin(GTK_TEXT_VIEW(card->detail), 8);
    gtk_widget_set_direction(card->detail, GTK_TEXT_DIR_LTR);
    add_class(card->detail, "card-detail");
    set_name(card->detail, "Full input of the selected call");
    card->continuation = gtk_text_buffer_create_tag(gtk_text_view_get_buffer(GTK_TEXT_VIEW(card->detail)), NULL, "foreground", "#888888", NULL);
    g_signal_connect(card->detail, "size-allocate", G_CALLBACK(on_detail_size), card);
    GtkWidget *scroll = scrolled(card->detail);
    gtk_widget_set_margin_top(scroll, 8);
    gtk_box_pack_start(GTK_BOX(box), card->heading, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), card->meta, FALSE, FALSE, 2);
    gtk_box_pack_start(GTK_BOX(box), card->row_warning, FALSE, FALSE, 2);
    gtk_box_pack_start(GTK_BOX(box), scroll, TRUE, TRUE, 0);
    return box;
}

static GtkWidget *build_reason(Card *card) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *label = gtk_label_new("Reason for rejecting");
    card->reason = gtk_entry_new();
    gtk_entry_set_max_length(GTK_ENTRY(card->reason), REASON_MAX);
    gtk_entry_set_placeholder_text(GTK_ENTRY(card->reason), "Optional; the program is told");
    gtk_entry_set_activates_default(GTK_ENTRY(card->reason), FALSE);
    gtk_label_set_mnemonic_widget(GTK_LABEL(label), card->reason);
    set_name(card->reason, "Reason for rejecting");
    gtk_box_pack_start(GTK_BOX(box), label, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), card->reason, TRUE, TRUE, 0);
    return box;
}

static GtkWidget *build_button(Card *card, const char *label) {
    GtkWidget *button = gtk_button_new_with_label(label);
    gtk_widget_add_events(button, GDK_TOUCH_MASK);
    g_signal_connect(button, "button-press-event", G_CALLBACK(on_press), card);
    g_signal_connect(button, "touch-event", G_CALLBACK(on_press), card);
    g_signal_connect(button, "clicked", G_CALLBACK(on_click), card);
    return button;
}

static GtkWidget *build_actions(Card *card) {
    GtkWidget *bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *inner = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    g_object_set(inner, "margin", 14, NULL);
    gtk_widget_set_margin_start(inner, 22);
    gtk_widget_set_margin_end(inner, 22);
    card->note = gtk_label_new("");
    gtk_label_set_xalign(GTK_LABEL(card->note), 0);
    gtk_label_set_ellipsize(GTK_LABEL(card->note), PANGO_ELLIPSIZE_END);
    add_class(card->note, GTK_STYLE_CLASS_DIM_LABEL);
    card->reject = build_button(card, "Reject all");
    card->run = build_button(card, "");
    add_class(card->run, GTK_STYLE_CLASS_SUGGESTED_ACTION);
    gtk_box_pack_start(GTK_BOX(inner), card->note, TRUE, TRUE, 0);
    gtk_box_pack_start(GTK_BOX(inner), card->reject, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(inner), card->run, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(bar), inner, TRUE, TRUE, 0);
    add_class(bar, "card-actions");
    return bar;
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
    int height = 460 + MIN(card->sheet->count, 8) * 16 + (card->sheet->warning[0] ? 50 : 0);
    height = MIN(height, area.height - title_bar - border);
    int width = MIN(860, area.width - 2 * border);
    gtk_window_set_default_size(GTK_WINDOW(card->window), width, height);

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
    load_style();
    if (!open_cards) open_cards = g_hash_table_new(g_int64_hash, g_int64_equal);

    Card *card = g_new0(Card, 1);
    card->sheet = sheet;
    card->selected = -1;
    card->columns = 48;
    card->window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
    g_hash_table_insert(open_cards, &sheet->id, card);
    GtkWindow *window = GTK_WINDOW(card->window);
    gtk_window_set_title(window, sheet->window);
    gtk_window_set_role(window, "card");
    gtk_window_set_type_hint(window, GDK_WINDOW_TYPE_HINT_DIALOG);
    gtk_window_set_transient_for(window, parent);
    gtk_window_set_destroy_with_parent(window, TRUE);
    gtk_window_set_keep_above(window, TRUE);
    set_name(card->window, sheet->title);
    atk_object_set_role(gtk_widget_get_accessible(card->window), ATK_ROLE_DIALOG);
    place(card, parent);

    GtkWidget *content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 14);
    g_object_set(content, "margin", 22, NULL);
    GtkWidget *title = plain_label(sheet->title);
    add_class(title, "card-title");
    gtk_box_pack_start(GTK_BOX(content), title, FALSE, FALSE, 0);
    if (sheet->request[0]) gtk_box_pack_start(GTK_BOX(content), build_request(card), FALSE, FALSE, 0);
    if (sheet->warning[0]) gtk_box_pack_start(GTK_BOX(content), build_warning(card), FALSE, FALSE, 0);
    GtkWidget *paned = gtk_paned_new(GTK_ORIENTATION_HORIZONTAL);
    add_class(paned, "card-panes");
    GtkWidget *list = build_list(card), *detail = build_detail(card);
    gtk_paned_pack1(GTK_PANED(paned), list, TRUE, FALSE);
    gtk_paned_pack2(GTK_PANED(paned), detail, TRUE, FALSE);
    /* A pane's own chain skips the text beside the list. */
    GList *chain = g_list_append(g_list_append(NULL, list), detail);
    gtk_container_set_focus_chain(GTK_CONTAINER(paned), chain);
    g_list_free(chain);
    int width;
    gtk_window_get_default_size(window, &width, NULL);
    gtk_paned_set_position(GTK_PANED(paned), (width - 44) * 52 / 100);
    gtk_box_pack_start(GTK_BOX(content), paned, TRUE, TRUE, 0);
    gtk_box_pack_start(GTK_BOX(content), build_reason(card), FALSE, FALSE, 0);

    /* A window is at least as high as its content would be at its least width, and
     * labels that wrap are very high when very narrow: without a floor the card
     * would grow, and move under the pointer, whenever a text on it changes. */
    GtkWidget *outer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_set_size_request(outer, 620, -1);
    gtk_widget_set_size_request(detail, 220, -1);
    gtk_box_pack_start(GTK_BOX(outer), content, TRUE, TRUE, 0);
    gtk_box_pack_start(GTK_BOX(outer), build_actions(card), FALSE, FALSE, 0);
    gtk_container_add(GTK_CONTAINER(window), outer);

    g_signal_connect(window, "delete-event", G_CALLBACK(on_delete), card);
    g_signal_connect(window, "destroy", G_CALLBACK(on_destroy), card);
    g_signal_connect(window, "key-press-event", G_CALLBACK(on_key), card);
    g_signal_connect(window, "key-release-event", G_CALLBACK(on_key_up), card);
    g_signal_connect(window, "notify::is-active", G_CALLBACK(on_active), card);
    g_signal_connect_after(window, "map", G_CALLBACK(on_map), card);

    count_ticks(card);
    show_armed(card, FALSE);
    GtkTreePath *first = gtk_tree_path_new_first();
    gtk_tree_view_set_cursor(GTK_TREE_VIEW(card->list), first, NULL, FALSE);
    gtk_tree_path_free(first);
    gtk_window_set_default(window, NULL);
    gtk_window_set_urgency_hint(window, TRUE);
    gtk_widget_show_all(card->window);
    gtk_widget_grab_focus(card->reject);
    gtk_window_set_focus_visible(window, TRUE);
    gtk_window_present(window);
    return G_SOURCE_REMOVE;
}

static gboolean close_card(gpointer data) {
    Card *card = open_cards ? g_hash_table_lookup(open_cards, data) : NULL;
    g_free(data);
    if (card) finish(card, CARD_CLOSED);
    return G_SOURCE_REMOVE;
}

/* Idle sources and not g_main_context_invoke: that one would run GTK on the
 * calling thread whenever no main loop happens to own the context. */
void card_post_show(CardSheet *sheet) { g_idle_add_full(G_PRIORITY_DEFAULT, show, sheet, NULL); }

void card_post_close(guint64 id) { g_idle_add_full(G_PRIORITY_DEFAULT, close_card, g_memdup2(&id, sizeof id), NULL); }
