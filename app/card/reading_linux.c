/*
 * What GTK 3 answers a screen reader wrongly, answered rightly for the widgets of a
 * card. Each wrong answer is a “CRITICAL” on the error output, for every question:
 *
 * - The bridge to the reader keeps what it has told of for some seconds. A scroll
 *   bar that it asks for its value after the card has gone looks into its widget,
 *   which is no more.
 * - A cell has no list of the headers of its row, where an empty one is expected.
 */
#include "parts_linux.h"

#include <gtk/gtk-a11y.h>

/* ── scroll bars ────────────────────────────────────────────────────── */

typedef GtkRangeAccessible CardBar;
typedef GtkRangeAccessibleClass CardBarClass;

static AtkValueIface *of_ranges;

static gboolean has_gone(AtkValue *bar) { return gtk_accessible_get_widget(GTK_ACCESSIBLE(bar)) == NULL; }

static void bar_value(AtkValue *bar, double *value, char **text) {
    if (!has_gone(bar)) {
        of_ranges->get_value_and_text(bar, value, text);
        return;
    }
    *value = 0;
    if (text) *text = NULL;
}

static AtkRange *bar_range(AtkValue *bar) { return has_gone(bar) ? atk_range_new(0, 0, NULL) : of_ranges->get_range(bar); } /* the bridge takes no NULL */

static double bar_increment(AtkValue *bar) { return has_gone(bar) ? 0 : of_ranges->get_increment(bar); }

static void bar_set(AtkValue *bar, double to) {
    if (!has_gone(bar)) of_ranges->set_value(bar, to);
}

static void value_init(AtkValueIface *iface) {
    of_ranges = g_type_interface_peek_parent(iface);
    if (of_ranges->get_value_and_text) iface->get_value_and_text = bar_value;
    if (of_ranges->get_range) iface->get_range = bar_range;
    if (of_ranges->get_increment) iface->get_increment = bar_increment;
    if (of_ranges->set_value) iface->set_value = bar_set;
}

G_DEFINE_TYPE_WITH_CODE(CardBar, card_bar, GTK_TYPE_RANGE_ACCESSIBLE, G_IMPLEMENT_INTERFACE(ATK_TYPE_VALUE, value_init))

static void card_bar_class_init(CardBarClass *class) { (void)class; }
static void card_bar_init(CardBar *bar) { (void)bar; }

/* ── cells ──────────────────────────────────────────────────────────── */

static GPtrArray *no_headers(AtkTableCell *cell) {
    (void)cell;
    return g_ptr_array_new();
}

static void table_cell_init(AtkTableCellIface *iface) { iface->get_row_header_cells = no_headers; }

#define CELL(Name, name, Parent, PARENT)                                                                         \
    typedef Parent Name;                                                                                         \
    typedef Parent##Class Name##Class;                                                                           \
    G_DEFINE_TYPE_WITH_CODE(Name, name, PARENT, G_IMPLEMENT_INTERFACE(ATK_TYPE_TABLE_CELL, table_cell_init))     \
    static void name##_class_init(Name##Class *class) { (void)class; }                                           \
    static void name##_init(Name *cell) { (void)cell; }

CELL(CardTick, card_tick_cell, GtkBooleanCellAccessible, GTK_TYPE_BOOLEAN_CELL_ACCESSIBLE)
CELL(CardText, card_text_cell, GtkTextCellAccessible, GTK_TYPE_TEXT_CELL_ACCESSIBLE)
CELL(CardImage, card_image_cell, GtkImageCellAccessible, GTK_TYPE_IMAGE_CELL_ACCESSIBLE)

/* ── where they are used ────────────────────────────────────────────── */

/* A class goes on existing, once it exists. */
static void cells(GType renderer, GType accessible) { gtk_cell_renderer_class_set_accessible_type(GTK_CELL_RENDERER_CLASS(g_type_class_ref(renderer)), accessible); }

/* Before the first widget of the first card: a class asks for its accessibles' type
 * when it makes one. The scroll bars of a scrolled window are its own, so their
 * class is what can be told. */
void card_answer_readers(void) {
    static gboolean told;
    if (told) return;
    told = TRUE;
    GtkWidgetClass *bars = GTK_WIDGET_CLASS(g_type_class_ref(GTK_TYPE_SCROLLBAR));
    gtk_widget_class_set_accessible_type(bars, card_bar_get_type());
    gtk_widget_class_set_accessible_role(bars, ATK_ROLE_SCROLL_BAR); /* the type has reset it */
    cells(GTK_TYPE_CELL_RENDERER_TOGGLE, card_tick_cell_get_type());
    cells(GTK_TYPE_CELL_RENDERER_TEXT, card_text_cell_get_type());
    cells(GTK_TYPE_CELL_RENDERER_PIXBUF, card_image_cell_get_type());
}
