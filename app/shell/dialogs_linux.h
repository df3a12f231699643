#ifndef COUNTERSIGN_DIALOGS_H
#define COUNTERSIGN_DIALOGS_H

#include <glib.h>

/* From any thread. name: NULL to pick a folder, else the name that is proposed to
 * save as. Both texts are copied. The answer comes through countersignChosen. */
void dialog_post_open(guint64 id, const char *title, const char *name);
/* From any thread: closes the dialog if it is still the one that is open. */
void dialog_post_close(guint64 id);

#endif
