/* The full input of one call, beside the list. */
#include "parts_linux.h"
#include "_cgo_export.h"

#include <string.h>

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
    if (!card->done && !card->wrap_source) card->wrap_source = g_idle_add(wrap_again, card); /* not from within the layout */
}

static void head(Card *card, const char *heading, const char *meta, const char *warning) {
    gtk_label_set_text(GTK_LABEL(card->heading), heading);
    gtk_label_set_text(GTK_LABEL(card->meta), meta);
    gtk_label_set_text(GTK_LABEL(card->row_warning), warning);
    gtk_widget_set_visible(card->row_warning, warning[0] != 0);
}

void card_show_row(Card *card, int row) {
    if (row == card->selected) return;
    card->selected = row;
    CardRow *shown = &card->sheet->rows[row];
    head(card, shown->heading, shown->meta, card->sheet->count > 1 ? shown->warning : "");
    card_offer_save(card, row);
    fill_detail(card);
}

void card_show_group(Card *card, int group) {
    card->selected = -1;
    CardGroup *shown = &card->sheet->groups[group];
    head(card, shown->title, shown->function, "");
    card_offer_save(card, -1);
    gtk_text_buffer_set_text(gtk_text_view_get_buffer(GTK_TEXT_VIEW(card->detail)), "", -1);
}

GtkWidget *card_build_detail(Card *card) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    card->heading = card_plain_label("");
    card_add_class(card->heading, "card-heading");
    card->meta = card_plain_label("");
    card_add_class(card->meta, GTK_STYLE_CLASS_DIM_LABEL);
    card_add_class(card->meta, "card-small");
    card->row_warning = card_plain_label("");
    card_add_class(card->row_warning, "card-small");
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
    card_add_class(card->detail, "card-detail");
    card_set_name(card->detail, "Full input of the selected call");
    card->continuation = gtk_text_buffer_create_tag(gtk_text_view_get_buffer(GTK_TEXT_VIEW(card->detail)), NULL, "foreground", "#888888", NULL);
    g_signal_connect(card->detail, "size-allocate", G_CALLBACK(on_detail_size), card);
    GtkWidget *scroll = card_scrolled(card->detail);
    gtk_widget_set_margin_top(scroll, 8);
    gtk_box_pack_start(GTK_BOX(box), card->heading, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), card->meta, FALSE, FALSE, 2);
    gtk_box_pack_start(GTK_BOX(box), card->row_warning, FALSE, FALSE, 2);
    gtk_box_pack_start(GTK_BOX(box), scroll, TRUE, TRUE, 0);
    for (int i = 0; i < card->sheet->count; i++) {
        if (card->sheet->rows[i].binaries == 0) continue;
        gtk_box_pack_start(GTK_BOX(box), card_build_save(card), FALSE, FALSE, 8);
        break;
    }
    return box;
}

