/*
 * The filter of a long list. It changes what is in sight and nothing else: what
 * is selected stays selected, and how many selected calls are out of sight is
 * said here and on the button that would run them.
 */
#include "parts_linux.h"
#include "_cgo_export.h"

void card_note_hidden(Card *card, int hidden) {
    if (!card->filter_note) return;
    int total = card->sheet->count, seen = 0;
    for (int i = 0; i < total; i++) seen += card->seen[i] ? 1 : 0;
    char text[160];
    if (seen == total) g_snprintf(text, sizeof text, "All %d calls are shown.", total);
    else if (hidden == 0) g_snprintf(text, sizeof text, "%d of %d calls are shown. No hidden call is selected.", seen, total);
    else if (hidden == 1) g_snprintf(text, sizeof text, "%d of %d calls are shown. One hidden call is selected too.", seen, total);
    else g_snprintf(text, sizeof text, "%d of %d calls are shown. %d hidden calls are selected too.", seen, total, hidden);
    gtk_label_set_text(GTK_LABEL(card->filter_note), text);
    GtkStyleContext *style = gtk_widget_get_style_context(card->filter_note);
    if (hidden > 0) gtk_style_context_add_class(style, "card-hidden");
    else gtk_style_context_remove_class(style, "card-hidden");
}

static void on_filter(GtkEditable *entry, gpointer data) {
    (void)entry;
    Card *card = data;
    if (card->done) return;
    CardSheet *sheet = card->sheet;
    char *seen = g_malloc0(sheet->count);
    countersignCardMatches(sheet->id, (char *)gtk_entry_get_text(GTK_ENTRY(card->filter)), seen, sheet->count);
    gboolean *heads = g_new0(gboolean, sheet->group_count);
    for (int i = 0; i < sheet->count; i++) {
        if (seen[i]) heads[sheet->rows[i].group] = TRUE;
        if (card->seen[i] == (seen[i] != 0)) continue;
        card->seen[i] = seen[i] != 0;
        gtk_list_store_set(card->store, &card->rows[i], COL_SHOWN, card->seen[i], -1);
    }
    for (int g = 0; card->heads && g < sheet->group_count; g++) gtk_list_store_set(card->store, &card->heads[g], COL_SHOWN, heads[g], -1);
    g_free(heads);
    g_free(seen);
    card_count_ticks(card);
    if (card->selected < 0 || !card->seen[card->selected]) card_select_first(card);
}

GtkWidget *card_build_filter(Card *card) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3);
    card->filter = gtk_search_entry_new();
    gtk_entry_set_placeholder_text(GTK_ENTRY(card->filter), "Show only calls that contain…");
    gtk_entry_set_max_length(GTK_ENTRY(card->filter), 200);
    card_set_name(card->filter, "Show only calls that contain");
    g_signal_connect(card->filter, "changed", G_CALLBACK(on_filter), card);
    card->filter_note = card_plain_label("");
    card_add_class(card->filter_note, "card-small");
    gtk_box_pack_start(GTK_BOX(box), card->filter, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), card->filter_note, FALSE, FALSE, 0);
    return box;
}
