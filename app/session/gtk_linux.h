#ifndef COUNTERSIGN_SESSION_H
#define COUNTERSIGN_SESSION_H

#include <glib.h>

/* Each from any thread; texts are copied, and the answer comes through
 * countersignSession with this id: a text, or an error in words. */
void session_post_read(guint64 id);
void session_post_write(guint64 id, const char *text, int length);
void session_post_open(guint64 id, const char *uri);

#endif
