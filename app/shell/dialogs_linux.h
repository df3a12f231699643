#ifndef COUNTERSIGN_DIALOGS_H
#define COUNTERSIGN_DIALOGS_H

#include <glib.h>

/* What a dialog asks for, as in Go. */
enum { DIALOG_FOLDER, DIALOG_FILE, DIALOG_NEW_FILE };

/* From any thread. name is proposed for a new file. Both texts are copied. The
 * answer comes through countersignChosen. */
void dialog_post_open(guint64 id, int what, const char *title, const char *name);
/* From any thread: closes the dialog if it is still the one that is open. */
void dialog_post_close(guint64 id);

#endif
