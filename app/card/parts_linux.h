/* What the parts of the card's window share. One struct a card; all of it is
 * touched on the GTK thread only. */
#ifndef COUNTERSIGN_CARD_PARTS_H
#define COUNTERSIGN_CARD_PARTS_H

#include "window_linux.h"

#include <gtk/gtk.h>

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

/* window_linux.c */
void card_finish(Card *card, int how);

/* arming_linux.c: when a press counts */
void card_arm_later(Card *card);
void card_show_armed(Card *card, gboolean armed);
void card_on_active(GObject *window, GParamSpec *spec, gpointer card);
gboolean card_on_press(GtkWidget *button, GdkEvent *event, gpointer card);
void card_on_click(GtkButton *button, gpointer card);
gboolean card_on_key(GtkWidget *window, GdkEventKey *event, gpointer card);
gboolean card_on_key_up(GtkWidget *window, GdkEventKey *event, gpointer card);

/* rows_linux.c: the list and the full input beside it */
void card_count_ticks(Card *card);
void card_toggle(Card *card, GtkTreePath *path);
void card_on_toggled(GtkCellRendererToggle *cell, char *path, gpointer card);
void card_on_all(GtkTreeViewColumn *column, gpointer card);
void card_on_selected(GtkTreeSelection *selection, gpointer card);
void card_on_detail_size(GtkWidget *detail, GdkRectangle *size, gpointer card);

/* build_linux.c: the widgets */
void card_build(Card *card);

#endif
