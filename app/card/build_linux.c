/* The widgets of the card. Text is set by plain-text setters only. */
#include "parts_linux.h"

#define REASON_MAX 2000

static const char style_sheet[] =
    ".card-title { font-size: 135%; font-weight: 700; }"
    ".card-request { border-left: 3px solid alpha(currentColor, 0.25); padding: 1px 0 1px 11px; }"
    ".card-request:dir(rtl) { border-left: none; border-right: 3px solid alpha(currentColor, 0.25); padding: 1px 11px 1px 0; }"
    ".card-heading { font-weight: 700; }"
    ".card-small { font-size: 90%; }"
    ".card-warning { background-color: alpha(@warning_color, 0.16); border: 1px solid alpha(@warning_color, 0.5);"
    "  border-radius: 6px; padding: 8px 12px; }"
    ".card-actions { border-top: 1px solid @borders; background-color: alpha(currentColor, 0.03); }"
    ".card-actions button { padding: 6px 16px; min-width: 110px; }"
    ".card-actions button:focus { outline: 1px solid alpha(currentColor, 0.65); outline-offset: -5px; -gtk-outline-radius: 3px; }"
    ".card-actions button.unarmed { opacity: 0.55; }"
    ".card-detail { font-size: 95%; }"
    ".card-hidden { font-weight: 700; }"
    ".card-frame { padding: 1px; }"
    ".card-focus { box-shadow: inset 0 0 0 1px @theme_selected_bg_color; border-color: @theme_selected_bg_color; }"
    ".card-panes > separator { background: none; min-width: 12px; }";

static void load_style(void) {
    static gboolean loaded;
    if (loaded) return;
    loaded = TRUE;
    GtkCssProvider *css = gtk_css_provider_new();
    gtk_css_provider_load_from_data(css, style_sheet, -1, NULL);
    gtk_style_context_add_provider_for_screen(gdk_screen_get_default(), GTK_STYLE_PROVIDER(css), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    g_object_unref(css);
}

void card_add_class(GtkWidget *widget, const char *class) { gtk_style_context_add_class(gtk_widget_get_style_context(widget), class); }

void card_set_name(GtkWidget *widget, const char *name) { atk_object_set_name(gtk_widget_get_accessible(widget), name); }

/* A label that shows text as it is: no markup, no hyphens, read left to right. */
GtkWidget *card_plain_label(const char *text) {
    GtkWidget *label = gtk_label_new(text);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_line_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_line_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    PangoAttrList *attributes = pango_attr_list_new();
    pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(FALSE));
    gtk_label_set_attributes(GTK_LABEL(label), attributes);
    pango_attr_list_unref(attributes);
    return label;
}

/* The list and the input fill their frames, so the frame shows who has the keys. */
static gboolean on_focus(GtkWidget *child, GdkEventFocus *event, gpointer frame) {
    (void)child;
    GtkStyleContext *style = gtk_widget_get_style_context(frame);
    if (event->in) gtk_style_context_add_class(style, "card-focus");
    else gtk_style_context_remove_class(style, "card-focus");
    return FALSE;
}

GtkWidget *card_scrolled(GtkWidget *child) {
    GtkWidget *scroll = gtk_scrolled_window_new(NULL, NULL);
    gtk_scrolled_window_set_shadow_type(GTK_SCROLLED_WINDOW(scroll), GTK_SHADOW_IN);
    gtk_scrolled_window_set_overlay_scrolling(GTK_SCROLLED_WINDOW(scroll), FALSE); /* that there is more must be seen */
    gtk_container_add(GTK_CONTAINER(scroll), child);
    card_add_class(scroll, "card-frame");
    g_signal_connect(child, "focus-in-event", G_CALLBACK(on_focus), scroll);
    g_signal_connect(child, "focus-out-event", G_CALLBACK(on_focus), scroll);
    return scroll;
}

static GtkWidget *build_request(Card *card) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
    GtkWidget *label = card_plain_label("You asked:");
    card_add_class(label, GTK_STYLE_CLASS_DIM_LABEL);
    card_add_class(label, "card-small");
    gtk_box_pack_start(GTK_BOX(box), label, FALSE, FALSE, 0);
    GtkWidget *text = card_plain_label(card->sheet->request);
    GtkWidget *shown = text;
    if (g_utf8_strlen(card->sheet->request, -1) > 220 || strchr(card->sheet->request, '\n')) {
        shown = gtk_scrolled_window_new(NULL, NULL);
        gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(shown), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
        gtk_scrolled_window_set_overlay_scrolling(GTK_SCROLLED_WINDOW(shown), FALSE);
        gtk_scrolled_window_set_min_content_height(GTK_SCROLLED_WINDOW(shown), 58);
        gtk_scrolled_window_set_max_content_height(GTK_SCROLLED_WINDOW(shown), 78);
        gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(shown), TRUE);
        gtk_container_add(GTK_CONTAINER(shown), text);
    }
    gtk_box_pack_start(GTK_BOX(box), shown, FALSE, FALSE, 0);
    card_add_class(box, "card-request");
    return box;
}

static GtkWidget *build_warning(Card *card) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 10);
    gtk_box_pack_start(GTK_BOX(box), gtk_image_new_from_icon_name("dialog-warning-symbolic", GTK_ICON_SIZE_BUTTON), FALSE, FALSE, 0);
    GtkWidget *text = card_plain_label(card->sheet->warning);
    gtk_box_pack_start(GTK_BOX(box), text, TRUE, TRUE, 0);
    card_add_class(box, "card-warning");
    atk_object_set_role(gtk_widget_get_accessible(box), ATK_ROLE_ALERT);
    card_set_name(box, card->sheet->warning);
    return box;
}

static GtkWidget *build_reason(Card *card) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *label = gtk_label_new("Reason for rejecting");
    card->reason = gtk_entry_new();
    gtk_entry_set_max_length(GTK_ENTRY(card->reason), REASON_MAX);
    gtk_entry_set_placeholder_text(GTK_ENTRY(card->reason), "Optional; the program is told");
    gtk_entry_set_activates_default(GTK_ENTRY(card->reason), FALSE);
    gtk_label_set_mnemonic_widget(GTK_LABEL(label), card->reason);
    card_set_name(card->reason, "Reason for rejecting");
    gtk_box_pack_start(GTK_BOX(box), label, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), card->reason, TRUE, TRUE, 0);
    return box;
}

static GtkWidget *build_button(Card *card, const char *label) {
    GtkWidget *button = gtk_button_new_with_label(label);
    gtk_widget_add_events(button, GDK_TOUCH_MASK);
    g_signal_connect(button, "button-press-event", G_CALLBACK(card_on_press), card);
    g_signal_connect(button, "touch-event", G_CALLBACK(card_on_press), card);
    g_signal_connect(button, "clicked", G_CALLBACK(card_on_click), card);
    return button;
}

static GtkWidget *build_actions(Card *card) {
    GtkWidget *bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *inner = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    g_object_set(inner, "margin", 14, NULL);
    gtk_widget_set_margin_start(inner, 22);
    gtk_widget_set_margin_end(inner, 22);
    card->note = gtk_label_new("");
    gtk_label_set_xalign(GTK_LABEL(card->note), 0);
    gtk_label_set_line_wrap(GTK_LABEL(card->note), TRUE);
    gtk_label_set_lines(GTK_LABEL(card->note), 2);
    gtk_label_set_ellipsize(GTK_LABEL(card->note), PANGO_ELLIPSIZE_END);
    card_add_class(card->note, GTK_STYLE_CLASS_DIM_LABEL);
    card->reject = build_button(card, "Reject all");
    card->run = build_button(card, "");
    card_add_class(card->run, GTK_STYLE_CLASS_SUGGESTED_ACTION);
    gtk_box_pack_start(GTK_BOX(inner), card->note, TRUE, TRUE, 0);
    gtk_box_pack_start(GTK_BOX(inner), card->reject, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(inner), card->run, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(bar), inner, TRUE, TRUE, 0);
    card_add_class(bar, "card-actions");
    return bar;
}

void card_build(Card *card) {
    CardSheet *sheet = card->sheet;
    GtkWindow *window = GTK_WINDOW(card->window);
    load_style();
    GtkWidget *content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 14);
    g_object_set(content, "margin", 22, NULL);
    GtkWidget *title = card_plain_label(sheet->title);
    card_add_class(title, "card-title");
    gtk_box_pack_start(GTK_BOX(content), title, FALSE, FALSE, 0);
    if (sheet->request[0]) gtk_box_pack_start(GTK_BOX(content), build_request(card), FALSE, FALSE, 0);
    if (sheet->warning[0]) gtk_box_pack_start(GTK_BOX(content), build_warning(card), FALSE, FALSE, 0);
    GtkWidget *paned = gtk_paned_new(GTK_ORIENTATION_HORIZONTAL);
    card_add_class(paned, "card-panes");
    GtkWidget *list = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8), *detail = card_build_detail(card);
    GtkWidget *rows = card_build_list(card);
    if (sheet->count >= FILTER_FROM) gtk_box_pack_start(GTK_BOX(list), card_build_filter(card), FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(list), rows, TRUE, TRUE, 0);
    gtk_widget_set_size_request(paned, -1, 170);
    gtk_paned_pack1(GTK_PANED(paned), list, TRUE, FALSE);
    gtk_paned_pack2(GTK_PANED(paned), detail, TRUE, FALSE);
    /* A pane's own chain skips the text beside the list. */
    GList *chain = g_list_append(g_list_append(NULL, list), detail);
    gtk_container_set_focus_chain(GTK_CONTAINER(paned), chain);
    g_list_free(chain);
    gtk_box_pack_start(GTK_BOX(content), paned, TRUE, TRUE, 0);
    gtk_box_pack_start(GTK_BOX(content), build_reason(card), FALSE, FALSE, 0);

    /* On a small or magnified screen the content scrolls and the buttons stay in
     * sight. It also keeps the window's size from following the texts on it: the
     * card would move under the pointer whenever one of them changes. */
    GtkWidget *outer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *scroll = card->scroll = gtk_scrolled_window_new(NULL, NULL);
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroll), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_overlay_scrolling(GTK_SCROLLED_WINDOW(scroll), FALSE);
    gtk_scrolled_window_set_min_content_height(GTK_SCROLLED_WINDOW(scroll), 200);
    gtk_container_add(GTK_CONTAINER(scroll), content);
    gtk_widget_set_size_request(outer, 600, -1);
    gtk_widget_set_size_request(detail, 220, -1);
    gtk_box_pack_start(GTK_BOX(outer), scroll, TRUE, TRUE, 0);
    gtk_box_pack_start(GTK_BOX(outer), build_actions(card), FALSE, FALSE, 0);
    gtk_container_add(GTK_CONTAINER(window), outer);
    card->panes = paned;
}
