/* The card's window. Every text is plain UTF-8 that has gone through Plain in
 * Go; nothing here parses markup or formats text from outside. */
#ifndef COUNTERSIGN_CARD_WINDOW_H
#define COUNTERSIGN_CARD_WINDOW_H

#include <glib.h>

typedef struct {
    char *call;  /* “4” */
    char *label; /* “Call 4, Cancel an order” */
    int group;
    int binaries; /* that can be saved */
    int worded;   /* the summary is words, not an input */
    char *function;
    char *summary;
    char *heading;
    char *meta;
    char *warning; /* "" when there is nothing to warn of */
} CardRow;

typedef struct {
    char *function;
    char *title; /* “Cancel an order · 3 calls” */
    char *heading;
} CardGroup;

typedef struct {
    guint64 id;
    char *window;
    char *title;
    char *request; /* "" when there is none */
    char *warning;
    int count;
    CardRow *rows;
    int group_count;
    CardGroup *groups;
    int width, height; /* that the person gave the last card; 0: none */
} CardSheet;

/* How a card ended. Only CARD_RUN approves, and only the ticked rows. */
enum { CARD_RUN = 1, CARD_REJECT = 2, CARD_CLOSED = 3 };

CardSheet *card_sheet_new(guint64 id, int count, int group_count);
void card_sheet_text(char **field, const char *text, gsize length);
CardRow *card_sheet_row(CardSheet *sheet, int index);
CardGroup *card_sheet_group(CardSheet *sheet, int index);

/* From any thread: the window opens or closes on the GTK main loop. show takes
 * the sheet. Both keep their order. */
void card_post_show(CardSheet *sheet);
void card_post_close(guint64 id);

#endif
