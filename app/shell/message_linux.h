#ifndef COUNTERSIGN_MESSAGE_H
#define COUNTERSIGN_MESSAGE_H

#include <stddef.h>
#include <webkit2/webkit2.h>

/* On the GTK thread: gives the page window.webkit.messageHandlers.countersign. FALSE: this WebKitGTK has no such. */
gboolean message_open(WebKitWebView *view);
/* From any thread, once for each message: text becomes the answer's own. */
void message_answer(void *message, char *text, size_t length);

#endif
