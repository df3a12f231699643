/* The list of calls, under a heading for each function when there are several. */
#include "parts_linux.h"
#include "_cgo_export.h"

/* Check boxes in a GtkTreeView have no names of their own for a screen reader,
 * so they are named one by one, whenever rows have come into sight. */
static gboolean name_cells(gpointer data) {
    Card *card = data;
    card->name_source = 0;
    AtkObject *list = gtk_widget_get_accessible(card->list);
    gboolean marks = card->sheet->warning[0] != 0;
    GtkTreeIter at;
    int index = 0;
    if (ATK_IS_TABLE(list) && gtk_tree_model_get_iter_first(card->shown, &at)) {
        do {
            int row, group;
            gtk_tree_model_get(card->shown, &at, COL_ROW, &row, COL_GROUP, &group, -1);
            AtkObject *tick = atk_table_ref_at(ATK_TABLE(list), index, 0);
            if (tick) {
                atk_object_set_name(tick, row >= 0 ? card->sheet->rows[row].label : card->sheet->groups[group].title);
                atk_object_set_description(tick, row >= 0 ? card->sheet->rows[row].summary : "all calls of this function that are in sight");
                g_object_unref(tick);
            }
            AtkObject *mark = marks ? atk_table_ref_at(ATK_TABLE(list), index, 4) : NULL;
            if (mark) {
                if (row >= 0) atk_object_set_name(mark, card->sheet->rows[row].warning);
                g_object_unref(mark);
            }
            index++;
        } while (gtk_tree_model_iter_next(card->shown, &at));
    }
    return G_SOURCE_REMOVE;
}

static void name_later(Card *card) {
    if (!card->done && !card->name_source) card->name_source = g_idle_add(name_cells, card);
}

static void on_inserted(GtkTreeModel *model, GtkTreePath *path, GtkTreeIter *at, gpointer card) {
    (void)model, (void)path, (void)at;
    name_later(card);
}

static void set_tick(Card *card, int row, gboolean tick) {
    if (card->ticks[row] == tick) return;
    card->ticks[row] = tick;
    gtk_list_store_set(card->store, &card->rows[row], COL_TICK, tick, -1);
}

/* card_tick_seen ticks the calls in sight of a group, or of all with -1: all of them,
 * or none when all were ticked. What is out of sight stays as it is. */
void card_tick_seen(Card *card, int group) {
    gboolean all = TRUE;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < card->sheet->count; i++) {
            if (!card->seen[i] || (group >= 0 && card->sheet->rows[i].group != group)) continue;
            if (pass == 0) all = all && card->ticks[i];
            else set_tick(card, i, !all);
        }
    }
    card_count_ticks(card);
}

static void count_heads(Card *card) {
    for (int g = 0; card->heads && g < card->sheet->group_count; g++) {
        int seen = 0, ticked = 0;
        for (int i = 0; i < card->sheet->count; i++) {
            if (card->sheet->rows[i].group != g || !card->seen[i]) continue;
            seen++;
            ticked += card->ticks[i] ? 1 : 0;
        }
        gtk_list_store_set(card->store, &card->heads[g], COL_TICK, seen > 0 && ticked == seen, COL_MIXED, ticked > 0 && ticked < seen, -1);
    }
}

void card_count_ticks(Card *card) {
    int total = card->sheet->count, ticked = 0, seen = 0, seen_ticked = 0;
    for (int i = 0; i < total; i++) {
        ticked += card->ticks[i] ? 1 : 0;
        seen += card->seen[i] ? 1 : 0;
        seen_ticked += card->ticks[i] && card->seen[i] ? 1 : 0;
    }
    int hidden = ticked - seen_ticked;
    card->ticked = ticked;
    char text[80];
    if (hidden > 0) g_snprintf(text, sizeof text, "Run %d selected, %d of them hidden", ticked, hidden);
    else g_snprintf(text, sizeof text, "Run %d selected", ticked);
    gtk_button_set_label(GTK_BUTTON(card->run), text);
    countersignCardLabel(card->sheet->id, text);
    gtk_widget_set_sensitive(card->run, ticked > 0);
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(card->all), seen > 0 && seen_ticked == seen);
    gtk_toggle_button_set_inconsistent(GTK_TOGGLE_BUTTON(card->all), seen_ticked > 0 && seen_ticked < seen);
    count_heads(card);
    card_note_hidden(card, hidden);
    if (ticked == total) text[0] = 0;
    else if (ticked == 0) g_snprintf(text, sizeof text, "Nothing is selected.");
    else if (total - ticked == 1) g_snprintf(text, sizeof text, "One call will be rejected.");
    else g_snprintf(text, sizeof text, "%d calls will be rejected.", total - ticked);
    card_note(card, text);
}

void card_toggle(Card *card, GtkTreePath *path) {
    GtkTreeIter at;
    if (!gtk_tree_model_get_iter(card->shown, &at, path)) return;
    int row, group;
    gtk_tree_model_get(card->shown, &at, COL_ROW, &row, COL_GROUP, &group, -1);
    if (row < 0) {
        card_tick_seen(card, group);
        return;
    }
    set_tick(card, row, !card->ticks[row]);
    card_count_ticks(card);
}

static void on_toggled(GtkCellRendererToggle *cell, char *text, gpointer data) {
    (void)cell;
    GtkTreePath *path = gtk_tree_path_new_from_string(text);
    card_toggle(data, path);
    gtk_tree_path_free(path);
}

static void on_all(GtkTreeViewColumn *column, gpointer data) {
    (void)column;
    card_tick_seen(data, -1);
}

static void on_selected(GtkTreeSelection *selection, gpointer data) {
    Card *card = data;
    GtkTreeIter at;
    GtkTreeModel *model;
    if (card->done || !gtk_tree_selection_get_selected(selection, &model, &at)) return;
    int row, group;
    gtk_tree_model_get(model, &at, COL_ROW, &row, COL_GROUP, &group, -1);
    if (row < 0) card_show_group(card, group);
    else card_show_row(card, row);
}

/* card_select_first puts the cursor on the first call in sight. */
void card_select_first(Card *card) {
    GtkTreeIter at;
    if (!gtk_tree_model_get_iter_first(card->shown, &at)) return;
    do {
        int row;
        gtk_tree_model_get(card->shown, &at, COL_ROW, &row, -1);
        if (row < 0) continue;
        GtkTreePath *path = gtk_tree_model_get_path(card->shown, &at);
        gtk_tree_view_set_cursor(GTK_TREE_VIEW(card->list), path, NULL, FALSE);
        gtk_tree_path_free(path);
        return;
    } while (gtk_tree_model_iter_next(card->shown, &at));
}

static void fill(Card *card) {
    CardSheet *sheet = card->sheet;
    card->rows = g_new0(GtkTreeIter, sheet->count);
    card->ticks = g_new0(gboolean, sheet->count);
    card->seen = g_new0(gboolean, sheet->count);
    if (sheet->group_count > 1) card->heads = g_new0(GtkTreeIter, sheet->group_count);
    for (int g = 0; g < sheet->group_count; g++) {
        if (card->heads)
            gtk_list_store_insert_with_values(card->store, &card->heads[g], -1, COL_TICK, TRUE, COL_FUNCTION, sheet->groups[g].function,
                                              COL_SUMMARY, sheet->groups[g].title, COL_WEIGHT, PANGO_WEIGHT_BOLD, COL_MONO, FALSE, COL_ROW, -1, COL_GROUP, g,
                                              COL_SHOWN, TRUE, -1);
        for (int i = 0; i < sheet->count; i++) {
            CardRow *row = &sheet->rows[i];
            if (row->group != g) continue;
            card->ticks[i] = card->seen[i] = TRUE;
            gtk_list_store_insert_with_values(card->store, &card->rows[i], -1, COL_TICK, TRUE, COL_CALL, row->call, COL_FUNCTION, row->function,
                                              COL_SUMMARY, row->summary, COL_MARK, row->warning[0] ? "dialog-warning-symbolic" : NULL,
                                              COL_WEIGHT, PANGO_WEIGHT_NORMAL, COL_MONO, !row->worded, COL_ROW, i, COL_GROUP, g, COL_SHOWN, TRUE, -1);
        }
    }
}

/* Headers stand as what is below them, also where windows are read from the right. */
static void read_from_left(GtkWidget *widget, gpointer data) {
    gtk_widget_set_direction(widget, GTK_TEXT_DIR_LTR);
    if (GTK_IS_CONTAINER(widget)) gtk_container_forall(GTK_CONTAINER(widget), read_from_left, data);
}

/* An input is cut at its end only, never in the middle: $109.00 would read as 09.00. Of
 * a function's name both ends are kept: its family, and what it does. */
static PangoEllipsizeMode cut_of(int source) {
    switch (source) {
    case COL_SUMMARY: return PANGO_ELLIPSIZE_END;
    case COL_FUNCTION: return PANGO_ELLIPSIZE_MIDDLE;
    }
    return PANGO_ELLIPSIZE_NONE;
}

/* card_fit_functions shares the list of a card that is so wide, before it is shown. Where
 * there is little room, functions are cut before inputs: a third of the list is theirs. The
 * detail has them whole, and the person can widen the column. */
void card_fit_functions(Card *card, int width) {
    gtk_tree_view_column_set_min_width(card->function, MIN(card->function_width, width / 2 / 3));
}

/* The width of the longest name in the heading of a group. */
static void measure_function(Card *card, GtkCellRenderer *cell) {
    for (int g = 0; g < card->sheet->group_count; g++) {
        int least, natural;
        g_object_set(cell, "text", card->sheet->groups[g].function, "weight", PANGO_WEIGHT_BOLD, NULL);
        gtk_cell_renderer_get_preferred_width(cell, card->list, &least, &natural);
        card->function_width = MAX(card->function_width, natural + 8); /* what the view puts around a cell */
    }
}

static GtkTreeViewColumn *text_column(Card *card, const char *title, int source, gboolean expand) {
    GtkCellRenderer *cell = gtk_cell_renderer_text_new();
    g_object_set(cell, "family", "monospace", "ellipsize", cut_of(source), "single-paragraph-mode", TRUE, "ypad", 5, NULL);
    if (source == COL_FUNCTION) measure_function(card, cell);
    if (source == COL_CALL) g_object_set(cell, "xalign", 1.0, NULL);
    GtkTreeViewColumn *column = gtk_tree_view_column_new_with_attributes(title, cell, "text", source, "weight", COL_WEIGHT, NULL);
    if (source == COL_SUMMARY) gtk_tree_view_column_add_attribute(column, cell, "family-set", COL_MONO);
    gtk_tree_view_column_set_expand(column, expand);
    gtk_tree_view_column_set_resizable(column, source != COL_CALL);
    gtk_tree_view_append_column(GTK_TREE_VIEW(card->list), column);
    read_from_left(gtk_tree_view_column_get_button(column), NULL);
    return column;
}

static void tick_column(Card *card) {
    GtkCellRenderer *tick = gtk_cell_renderer_toggle_new();
    g_object_set(tick, "xpad", 4, NULL);
    g_signal_connect(tick, "toggled", G_CALLBACK(on_toggled), card);
    GtkTreeViewColumn *column = gtk_tree_view_column_new_with_attributes("", tick, "active", COL_TICK, "inconsistent", COL_MIXED, NULL);
    card->all = gtk_check_button_new();
    gtk_widget_set_can_focus(card->all, FALSE); /* the header's own button has the focus */
    gtk_widget_show(card->all);
    gtk_tree_view_column_set_widget(column, card->all);
    gtk_tree_view_column_set_clickable(column, TRUE);
    g_signal_connect(column, "clicked", G_CALLBACK(on_all), card);
    gtk_tree_view_append_column(GTK_TREE_VIEW(card->list), column);
    GtkWidget *header = gtk_tree_view_column_get_button(column);
    card_set_name(header, "Select all or none");
    gtk_widget_set_tooltip_text(header, "Select all or none (Ctrl+A in the list)");
}

GtkWidget *card_build_list(Card *card) {
    card->store = gtk_list_store_new(COLUMNS, G_TYPE_BOOLEAN, G_TYPE_BOOLEAN, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING,
                                     G_TYPE_INT, G_TYPE_BOOLEAN, G_TYPE_INT, G_TYPE_INT, G_TYPE_BOOLEAN);
    fill(card);
    card->shown = gtk_tree_model_filter_new(GTK_TREE_MODEL(card->store), NULL);
    gtk_tree_model_filter_set_visible_column(GTK_TREE_MODEL_FILTER(card->shown), COL_SHOWN);
    card->list = gtk_tree_view_new_with_model(card->shown);
    gtk_widget_set_direction(card->list, GTK_TEXT_DIR_LTR);
    gtk_tree_view_set_enable_search(GTK_TREE_VIEW(card->list), FALSE); /* its pop-up would take Space */
    card_set_name(card->list, "Calls that wait for you");

    tick_column(card);
    text_column(card, "Call", COL_CALL, FALSE);
    card->function = text_column(card, "Function", COL_FUNCTION, FALSE);
    text_column(card, "Input", COL_SUMMARY, TRUE);
    if (card->sheet->warning[0]) {
        GtkCellRenderer *icon = gtk_cell_renderer_pixbuf_new();
        GtkTreeViewColumn *marks = gtk_tree_view_column_new_with_attributes("", icon, "icon-name", COL_MARK, NULL);
        gtk_tree_view_append_column(GTK_TREE_VIEW(card->list), marks);
    }
    g_signal_connect(gtk_tree_view_get_selection(GTK_TREE_VIEW(card->list)), "changed", G_CALLBACK(on_selected), card);
    g_signal_connect_after(card->shown, "row-inserted", G_CALLBACK(on_inserted), card);
    name_later(card);
    return card_scrolled(card->list);
}
