/*
 * Bytes that the detail describes can be saved, to look at before deciding. The
 * dialog takes the focus from the card, so the card is armed anew afterwards.
 */
#include "parts_linux.h"
#include "_cgo_export.h"

#include <stdlib.h>

void card_close_chooser(Card *card) {
    if (!card->chooser) return;
    gtk_native_dialog_destroy(GTK_NATIVE_DIALOG(card->chooser));
    g_clear_object(&card->chooser);
}

static int chosen(Card *card) { return MAX(0, gtk_combo_box_get_active(GTK_COMBO_BOX(card->save_choice))); }

static void on_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
    Card *card = data;
    if (response == GTK_RESPONSE_ACCEPT) {
        char *path = gtk_file_chooser_get_filename(GTK_FILE_CHOOSER(dialog));
        int row = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(dialog), "row")), index = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(dialog), "index"));
        char *said = countersignCardSave(card->sheet->id, row, index, path);
        gtk_label_set_text(GTK_LABEL(card->save_note), said ? said : "");
        free(said);
        g_free(path);
    }
    card_close_chooser(card);
}

static void on_save(GtkButton *button, gpointer data) {
    (void)button;
    Card *card = data;
    if (card->done || card->chooser || card->selected < 0 || card->sheet->rows[card->selected].binaries == 0) return;
    card->chooser = gtk_file_chooser_native_new("Save to look at", GTK_WINDOW(card->window), GTK_FILE_CHOOSER_ACTION_SAVE, "Save", "Cancel");
    GtkFileChooser *chooser = GTK_FILE_CHOOSER(card->chooser);
    gtk_file_chooser_set_do_overwrite_confirmation(chooser, TRUE);
    char *name = countersignCardSaveName(card->sheet->id, card->selected, chosen(card));
    gtk_file_chooser_set_current_name(chooser, name ? name : "binary.bin");
    free(name);
    g_object_set_data(G_OBJECT(chooser), "row", GINT_TO_POINTER(card->selected));
    g_object_set_data(G_OBJECT(chooser), "index", GINT_TO_POINTER(chosen(card)));
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(chooser), TRUE);
    g_signal_connect(chooser, "response", G_CALLBACK(on_chosen), card);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(chooser));
}

/* card_offer_save fits the offer to the row in the detail; -1: none. */
void card_offer_save(Card *card, int row) {
    if (!card->save) return;
    int binaries = row >= 0 ? card->sheet->rows[row].binaries : 0;
    GtkComboBoxText *choice = GTK_COMBO_BOX_TEXT(card->save_choice);
    gtk_combo_box_text_remove_all(choice);
    for (int i = 0; i < binaries; i++) {
        char text[32];
        g_snprintf(text, sizeof text, "binary %d", i + 1);
        gtk_combo_box_text_append_text(choice, text);
    }
    gtk_combo_box_set_active(GTK_COMBO_BOX(choice), binaries > 0 ? 0 : -1);
    gtk_widget_set_sensitive(card->save_choice, binaries > 1);
    gtk_widget_set_sensitive(card->save, binaries > 0);
    gtk_label_set_text(GTK_LABEL(card->save_note), "");
}

GtkWidget *card_build_save(Card *card) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4), *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    card->save_choice = gtk_combo_box_text_new();
    card_set_name(card->save_choice, "Which binary");
    card->save = gtk_button_new_with_label("Save to look at…");
    g_signal_connect(card->save, "button-press-event", G_CALLBACK(card_on_press), card);
    g_signal_connect(card->save, "clicked", G_CALLBACK(on_save), card);
    card->save_note = card_plain_label("");
    gtk_label_set_selectable(GTK_LABEL(card->save_note), FALSE);
    card_add_class(card->save_note, "card-small");
    gtk_box_pack_start(GTK_BOX(line), card->save_choice, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(line), card->save, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), line, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), card->save_note, FALSE, FALSE, 0);
    return box;
}
