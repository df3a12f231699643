"""Prints the widgets of the card that is open, as JSON: what a screen reader
is told, and where each one is on the screen. Prints null when there is none."""

import json
import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

Atspi.set_timeout(30_000, 30_000)  # of a machine that has much else to do


def widgets(widget, found):
    place = widget.get_component_iface()
    box = place.get_extents(Atspi.CoordType.SCREEN) if place else None
    states = widget.get_state_set()
    found.append({
        "role": widget.get_role_name(),
        "name": widget.get_name() or "",
        "description": widget.get_description() or "",
        "x": box.x + box.width // 2 if box else 0,
        "y": box.y + box.height // 2 if box else 0,
        "checked": states.contains(Atspi.StateType.CHECKED),
        "focused": states.contains(Atspi.StateType.FOCUSED),
        "sensitive": states.contains(Atspi.StateType.SENSITIVE),
    })
    for i in range(widget.get_child_count()):
        child = widget.get_child_at_index(i)
        if child:
            widgets(child, found)
    return found


def card():
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        program = desktop.get_child_at_index(i)
        if not program or program.get_name() != "countersign":
            continue
        for j in range(program.get_child_count()):
            window = program.get_child_at_index(j)
            if window and window.get_role_name() == "dialog":
                return widgets(window, [])
    return None


print(json.dumps(card()))
