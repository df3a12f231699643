/* What the parts of the card's window share. One struct a card; all of it is
 * touched on the GTK thread only. */
#ifndef COUNTERSIGN_CARD_PARTS_H
#define COUNTERSIGN_CARD_PARTS_H

#include "window_linux.h"

#include <gtk/gtk.h>

/* COL_ROW is the index of the call, or -1 on the heading of a group. */
enum { COL_TICK, COL_MIXED, COL_CALL, COL_FUNCTION, COL_SUMMARY, COL_MARK, COL_WEIGHT, COL_MONO, COL_ROW, COL_GROUP, COL_SHOWN, COLUMNS };

/* From how many calls on the list has a filter. */
#define FILTER_FROM 10

typedef struct Notice Notice;

typedef struct {
    CardSheet *sheet;
    GtkWidget *window, *scroll, *panes, *list, *all, *filter, *filter_note, *detail, *heading, *meta, *row_warning, *save, *save_choice, *save_note,
        *reason, *note, *reject, *run;
    GtkListStore *store;
    GtkTreeModel *shown;    /* the store through the filter */
    GtkTreeIter *rows;      /* in the store, by index of the call */
    GtkTreeIter *heads;     /* in the store, by group; NULL when there is one group */
    gboolean *ticks, *seen; /* by index of the call; seen: the filter lets it through */
    GtkTreeViewColumn *function;
    int function_width; /* that it takes where there is room, in pixels */
    GtkTextTag *continuation;
    GtkFileChooserNative *chooser;
    Notice *notice;
    int selected;  /* index of the row in the detail, -1 for none */
    int columns;   /* that the detail is wrapped to */
    int ticked;
    int width, height; /* once it stands on the screen */
    gboolean armed, away, was_active, key_down, done; /* away: the app was not in front when it came */
    guint arm_source, wrap_source, name_source;
} Card;

/* window_linux.c */
void card_finish(Card *card, int how);
Card *card_find(guint64 id);

/* arming_linux.c: when a press counts */
void card_arm_later(Card *card);
void card_show_armed(Card *card, gboolean armed);
void card_on_active(GObject *window, GParamSpec *spec, gpointer card);
gboolean card_on_press(GtkWidget *button, GdkEvent *event, gpointer card);
void card_note(Card *card, const char *text);
void card_on_click(GtkButton *button, gpointer card);
gboolean card_on_key(GtkWidget *window, GdkEventKey *event, gpointer card);
gboolean card_on_key_up(GtkWidget *window, GdkEventKey *event, gpointer card);

/* rows_linux.c: the list of calls */
GtkWidget *card_build_list(Card *card);
void card_fit_functions(Card *card, int width);
void card_count_ticks(Card *card);
void card_tick_seen(Card *card, int group);
void card_toggle(Card *card, GtkTreePath *path);
void card_select_first(Card *card);

/* filter_linux.c: what of a long list is in sight */
GtkWidget *card_build_filter(Card *card);
void card_note_hidden(Card *card, int hidden);

/* detail_linux.c: the full input beside the list */
GtkWidget *card_build_detail(Card *card);
void card_show_row(Card *card, int row);
void card_show_group(Card *card, int group);

/* save_linux.c: bytes of an input, to look at */
GtkWidget *card_build_save(Card *card);
void card_offer_save(Card *card, int row);
void card_close_chooser(Card *card);

/* notice_linux.c: calling a person who is elsewhere */
gboolean card_app_in_front(GtkWindow *parent);
void card_call_person(Card *card);
void card_person_came(Card *card);
void card_bring_up(Card *card);

/* reading_linux.c: what a screen reader is answered */
void card_answer_readers(void);

/* build_linux.c: the widgets */
void card_build(Card *card);
void card_add_class(GtkWidget *widget, const char *class);
void card_set_name(GtkWidget *widget, const char *name);
GtkWidget *card_plain_label(const char *text);
GtkWidget *card_scrolled(GtkWidget *child);

#endif
