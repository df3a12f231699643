#ifndef COUNTERSIGN_DIALOGS_H
#define COUNTERSIGN_DIALOGS_H

#include <glib.h>

/* What a dialog asks for, as in Go. */
enum { DIALOG_FOLDER, DIALOG_FILE, DIALOG_NEW_FILE };

/* Both on the GTK thread. name is proposed for a new file. The answer comes
 * through countersignChosen; a dialog that is open already is closed. */
void dialog_open(guint64 id, int what, const char *title, const char *name);
/* Closes the dialog if it is still the one that is open. */
void dialog_close(guint64 id);

#endif
