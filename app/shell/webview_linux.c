/*
 * What Wails leaves out around its WebKitWebView: the death of the web process,
 * and navigation away from the app.
 */
#include "webview_linux.h"
#include "_cgo_export.h"

#include <gdk/gdkx.h>
#include <gtk/gtk.h>
#include <webkit2/webkit2.h>

#define PAGE "wails://wails/"

static WebKitWebView *view; /* GTK thread only */
static GtkWidget *bar;

static void find_view(GtkWidget *widget, gpointer found) {
    if (*(WebKitWebView **)found) return;
    if (WEBKIT_IS_WEB_VIEW(widget)) *(WebKitWebView **)found = WEBKIT_WEB_VIEW(widget);
    else if (GTK_IS_CONTAINER(widget)) gtk_container_foreach(GTK_CONTAINER(widget), find_view, found);
}

static void on_terminated(WebKitWebView *web, WebKitWebProcessTerminationReason reason, gpointer data) {
    (void)web, (void)data;
    switch (reason) {
    case WEBKIT_WEB_PROCESS_EXCEEDED_MEMORY_LIMIT: countersignPageLost("it used too much memory"); break;
    case WEBKIT_WEB_PROCESS_TERMINATED_BY_API: countersignPageLost("it was stopped"); break;
    default: countersignPageLost("it crashed");
    }
}

/* is_ours tells whether uri is on the app's own origin and, where path is given, there. */
static gboolean is_ours(const char *uri, const char *path) {
    g_autofree char *scheme = NULL, *host = NULL, *found = NULL;
    if (!g_uri_split(uri, G_URI_FLAGS_NONE, &scheme, NULL, &host, NULL, &found, NULL, NULL, NULL)) return FALSE;
    return g_strcmp0(scheme, "wails") == 0 && g_strcmp0(host, "wails") == 0 && (!path || g_strcmp0(found, path) == 0);
}

/*
 * The window shows the app and nothing else, whatever a page asks for; and no
 * frame shows the host page. WebKitGTK 2.50 heeds neither frame-ancestors nor
 * X-Frame-Options on a scheme of one's own (measured), so it is decided here.
 */
static gboolean on_policy(WebKitWebView *web, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type, gpointer data) {
    (void)web, (void)data;
    gboolean allow;
    if (type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE) {
        WebKitResponsePolicyDecision *response = WEBKIT_RESPONSE_POLICY_DECISION(decision);
        const char *uri = webkit_uri_request_get_uri(webkit_response_policy_decision_get_request(response));
        allow = webkit_response_policy_decision_is_main_frame_main_resource(response)
                    ? is_ours(uri, NULL)
                    : is_ours(uri, "/sandbox.html") || is_ours(uri, "/desktoptest/frame.html"); /* a route of test builds only */
    } else {
        WebKitNavigationAction *action = webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
        const char *uri = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
        allow = type == WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION &&
                (is_ours(uri, NULL) || g_strcmp0(uri, "about:blank") == 0 || g_strcmp0(uri, "about:srcdoc") == 0);
    }
    if (allow) return FALSE;
    webkit_policy_decision_ignore(decision);
    return TRUE;
}

/* The context that Wails' view will have. Its child processes start with the first page. */
void webview_prepare(void) { webkit_web_context_get_default(); }

void webview_watch(void) {
    GList *windows = gtk_window_list_toplevels();
    for (GList *at = windows; at && !view; at = at->next) find_view(GTK_WIDGET(at->data), &view);
    g_list_free(windows);
    if (view) {
        g_object_add_weak_pointer(G_OBJECT(view), (gpointer *)&view);
        g_signal_connect(view, "web-process-terminated", G_CALLBACK(on_terminated), NULL);
        g_signal_connect(view, "decide-policy", G_CALLBACK(on_policy), NULL);
    }
    countersignWatching(view != NULL);
}

GtkWindow *webview_window(void) {
    GtkWidget *top = view ? gtk_widget_get_toplevel(GTK_WIDGET(view)) : NULL;
    return top && gtk_widget_is_toplevel(top) ? GTK_WINDOW(top) : NULL;
}

static void bring_up(GtkWindow *window) {
    guint32 now = GDK_CURRENT_TIME;
    GdkWindow *at = gtk_widget_get_window(GTK_WIDGET(window));
    if (at && GDK_IS_X11_WINDOW(at)) now = gdk_x11_get_server_time(at); /* the person asked, in another window */
    gtk_window_present_with_time(window, now);
}

void webview_raise(void) {
    GtkWindow *window = webview_window();
    if (!window) return;
    gtk_window_deiconify(window);
    bring_up(window);
    GList *all = gtk_window_list_toplevels();
    for (GList *each = all; each; each = each->next)
        if (gtk_window_get_transient_for(each->data) == window && gtk_widget_get_visible(each->data)) bring_up(each->data);
    g_list_free(all);
}

static void load_page(void) {
    if (view) webkit_web_view_load_uri(view, PAGE);
}

static void on_bar(GtkInfoBar *info, int response, gpointer data) {
    (void)info, (void)data;
    if (response == GTK_RESPONSE_OK) load_page();
    if (bar) gtk_widget_destroy(bar);
}

/* What the bar says, by what happened; an index into said. */
enum { STOPPED, STOPPED_AGAIN, MEMORY, MEMORY_AGAIN };

static const char *const said[] = {
    [STOPPED] = "The page stopped working and was loaded again. What was running has been ended; what waited for your decision is listed in the page.",
    [STOPPED_AGAIN] = "The page stopped working again and again. What was running has been ended; what waited for your decision is listed in the page.",
    [MEMORY] = "A program used too much memory and was ended, and the page was loaded again. What waited for your decision is listed in the page.",
    [MEMORY_AGAIN] = "Programs used too much memory again and again and were ended. What waited for your decision is listed in the page.",
};

void webview_reload(int offer, int memory) {
    int what = memory ? (offer ? MEMORY_AGAIN : MEMORY) : (offer ? STOPPED_AGAIN : STOPPED);
    if (!view) return;
    if (bar) gtk_widget_destroy(bar);
    bar = gtk_info_bar_new();
    gtk_info_bar_set_message_type(GTK_INFO_BAR(bar), GTK_MESSAGE_WARNING);
    GtkWidget *label = gtk_label_new(said[what]);
    gtk_label_set_line_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_container_add(GTK_CONTAINER(gtk_info_bar_get_content_area(GTK_INFO_BAR(bar))), label);
    if (offer) gtk_info_bar_add_button(GTK_INFO_BAR(bar), "Load again", GTK_RESPONSE_OK);
    else gtk_info_bar_set_show_close_button(GTK_INFO_BAR(bar), TRUE);
    g_signal_connect(bar, "response", G_CALLBACK(on_bar), NULL);
    g_signal_connect(bar, "destroy", G_CALLBACK(gtk_widget_destroyed), &bar);
    GtkWidget *box = gtk_widget_get_parent(GTK_WIDGET(view));
    gtk_box_pack_start(GTK_BOX(box), bar, FALSE, FALSE, 0);
    gtk_box_reorder_child(GTK_BOX(box), bar, 0);
    gtk_widget_show_all(bar);
    if (!offer) load_page();
}

const char *webview_engine(void) {
    static char name[64];
    g_snprintf(name, sizeof name, "WebKitGTK %u.%u.%u", webkit_get_major_version(), webkit_get_minor_version(), webkit_get_micro_version());
    return name;
}
