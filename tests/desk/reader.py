"""Reads the open card as a screen reader does, every part in every way that it
offers: once, and once more after a line on the input, when the card has gone. What
it prints is how many parts it has read."""

import sys
import warnings
import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

Atspi.set_timeout(30_000, 30_000)  # of a machine that has much else to do

warnings.simplefilter("ignore")

questions = {
    "Accessible": [Atspi.Accessible.get_name, Atspi.Accessible.get_description, Atspi.Accessible.get_state_set,
                   Atspi.Accessible.get_relation_set, Atspi.Accessible.get_attributes, Atspi.Accessible.get_parent],
    "Component": [lambda w: Atspi.Component.get_extents(w, Atspi.CoordType.SCREEN)],
    "Text": [lambda w: Atspi.Text.get_text(w, 0, 50), Atspi.Text.get_caret_offset],
    "Action": [lambda w: Atspi.Action.get_action_name(w, 0)],
    "Selection": [lambda w: Atspi.Selection.get_selected_child(w, 0)],
    "Table": [Atspi.Table.get_n_rows, lambda w: Atspi.Table.get_accessible_at(w, 0, 1)],
    "TableCell": [Atspi.TableCell.get_position, Atspi.TableCell.get_table,
                  Atspi.TableCell.get_column_header_cells, Atspi.TableCell.get_row_header_cells],
    "Value": [Atspi.Value.get_current_value, Atspi.Value.get_minimum_value, Atspi.Value.get_maximum_value,
              Atspi.Value.get_minimum_increment],
}


def parts(widget):
    yield widget, [q for kind in widget.get_interfaces() for q in questions.get(kind, [])]
    for i in range(widget.get_child_count()):
        child = widget.get_child_at_index(i)
        if child:
            yield from parts(child)


def cards():
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        program = desktop.get_child_at_index(i)
        if program and program.get_name() == "countersign":
            for j in range(program.get_child_count()):
                window = program.get_child_at_index(j)
                if window and window.get_role_name() == "dialog":
                    yield window


def ask(known):
    for widget, asked in known:
        for question in asked:
            try:
                question(widget)
            except GLib.Error:
                pass  # it has gone, and says so
    print(len(known), flush=True)


known = [part for card in cards() for part in parts(card)]
ask(known)
sys.stdin.readline()
ask(known)
