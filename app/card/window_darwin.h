/* The card's panel on macOS. Every text is plain UTF-8 that has gone through
 * Plain in Go; nothing here formats text from outside. */
#ifndef COUNTERSIGN_CARD_DARWIN_H
#define COUNTERSIGN_CARD_DARWIN_H

#include <stdint.h>

/* How a card ended, as in Go. Only CARD_RUN approves, and only the ticked rows. */
enum { CARD_RUN = 1, CARD_REJECT = 2, CARD_CLOSED = 3 };

/* What Go is asked for: the card's own texts, those of a line of the list, and
 * those of the call that is looked at. */
enum { TEXT_WINDOW, TEXT_TITLE, TEXT_REQUEST, TEXT_WARNING, TEXT_RUN, TEXT_NOTE, TEXT_FILTER_NOTE, TEXT_ENTER };
enum { CELL_CALL, CELL_FUNCTION, CELL_SUMMARY, CELL_WARNING, CELL_LABEL, LINE_TOP, LINE_META, LINE_WARNING, LINE_DETAIL };

/* From any thread; both keep their order. */
void card_post_show(uint64_t id, int filter, int binaries, int width, int height);
void card_post_close(uint64_t id);

#endif
