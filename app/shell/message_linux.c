/*
 * Envelopes by WebKit's own message with a reply: the promise that the page's
 * postMessage returned settles with the answer. Wails' bound call goes the same way
 * there, but comes back as a script that the page's process must compile, and its
 * text is quoted twice on each way.
 */
#include "message_linux.h"
#include "webview_linux.h"
#include "_cgo_export.h"

#if WEBKIT_CHECK_VERSION(2, 40, 0)

#define HANDLER "countersign"

struct message {
    WebKitScriptMessageReply *reply;
    char *text;
    size_t length;
};

/*
 * The context in which answers are made. The one that a message came in is WebKit's, which drops it when it is
 * idle: an answer that held it would be the last to do so, and ending its engine there ended the app.
 */
static JSCContext *answers(void) {
    static JSCContext *context;
    if (!context) context = jsc_context_new();
    return context;
}

static gboolean answer(gpointer data) {
    struct message *message = data;
    GBytes *bytes = g_bytes_new_take(message->text, message->length);
    JSCValue *value = jsc_value_new_string_from_bytes(answers(), bytes);
    webkit_script_message_reply_return_value(message->reply, value); /* nothing, where the page's process is gone */
    g_object_unref(value);
    g_bytes_unref(bytes);
    webkit_script_message_reply_unref(message->reply);
    g_free(message);
    return G_SOURCE_REMOVE;
}

void message_answer(void *data, char *text, size_t length) {
    struct message *message = data;
    message->text = text;
    message->length = length;
    g_idle_add_full(G_PRIORITY_DEFAULT, answer, message, NULL); /* as gtk.Post, without a way through Go */
}

static gboolean on_message(WebKitUserContentManager *manager, JSCValue *value, WebKitScriptMessageReply *reply, gpointer view) {
    (void)manager;
    /* As Wails asks of its own channel; who in the page may call, the envelope's secret tells. */
    if (!webview_shows_app(WEBKIT_WEB_VIEW(view))) {
        webkit_script_message_reply_return_error_message(reply, "this page may not call");
        return TRUE;
    }
    struct message *message = g_new0(struct message, 1);
    message->reply = webkit_script_message_reply_ref(reply);
    GBytes *bytes = jsc_value_to_string_as_bytes(value);
    gsize length = 0;
    const char *text = g_bytes_get_data(bytes, &length);
    countersignMessage((char *)text, length, message);
    g_bytes_unref(bytes);
    return TRUE;
}

gboolean message_open(WebKitWebView *view) {
    WebKitUserContentManager *manager = webkit_web_view_get_user_content_manager(view);
    g_signal_connect_object(manager, "script-message-with-reply-received::" HANDLER, G_CALLBACK(on_message), view, 0);
    return webkit_user_content_manager_register_script_message_handler_with_reply(manager, HANDLER, NULL);
}

#else

gboolean message_open(WebKitWebView *view) {
    (void)view;
    return FALSE;
}

void message_answer(void *message, char *text, size_t length) { (void)message, (void)text, (void)length; } /* there is none */

#endif
