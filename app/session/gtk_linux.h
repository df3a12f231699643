#ifndef COUNTERSIGN_SESSION_H
#define COUNTERSIGN_SESSION_H

#include <glib.h>

/* Each on the GTK thread; texts are copied. The answer comes through
 * countersignSession with this id: a text, or an error in words. */
void session_read(guint64 id);
void session_write(guint64 id, const char *text, int length);
void session_open(guint64 id, const char *uri);

#endif
