/* The list of calls, and the full input of the selected one. */
#include "parts_linux.h"
#include "_cgo_export.h"

#include <string.h>

void card_count_ticks(Card *card) {
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

void card_toggle(Card *card, GtkTreePath *path) {
    GtkTreeIter at;
    if (!gtk_tree_model_get_iter(GTK_TREE_MODEL(card->store), &at, path)) return;
    gboolean tick;
    gtk_tree_model_get(GTK_TREE_MODEL(card->store), &at, COL_TICK, &tick, -1);
    gtk_list_store_set(card->store, &at, COL_TICK, !tick, -1);
    card_count_ticks(card);
}

void card_on_toggled(GtkCellRendererToggle *cell, char *text, gpointer data) {
    (void)cell;
    GtkTreePath *path = gtk_tree_path_new_from_string(text);
    card_toggle(data, path);
    gtk_tree_path_free(path);
}

void card_on_all(GtkTreeViewColumn *column, gpointer data) {
    (void)column;
    Card *card = data;
    gboolean tick = card->ticked < card->sheet->count;
    GtkTreeModel *model = GTK_TREE_MODEL(card->store);
    GtkTreeIter at;
    if (gtk_tree_model_get_iter_first(model, &at)) {
        do gtk_list_store_set(card->store, &at, COL_TICK, tick, -1);
        while (gtk_tree_model_iter_next(model, &at));
    }
    card_count_ticks(card);
}

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

void card_on_detail_size(GtkWidget *detail, GdkRectangle *size, gpointer data) {
    (void)detail, (void)size;
    Card *card = data;
    if (!card->done && !card->wrap_source) card->wrap_source = g_idle_add(wrap_again, card); /* not from within the layout */
}

void card_on_selected(GtkTreeSelection *selection, gpointer data) {
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
