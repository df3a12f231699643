"""Prints the parts of the program's windows, as JSON: what a screen reader is
told of each."""

import json
import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

Atspi.set_timeout(30_000, 30_000)  # of a machine that has much else to do


def parts(widget, found):
    text = widget.get_text_iface()
    found.append({
        "role": widget.get_role_name(),
        "name": widget.get_name() or "",
        "text": Atspi.Text.get_text(text, 0, -1) if text else "",
    })
    for i in range(widget.get_child_count()):
        child = widget.get_child_at_index(i)
        if child:
            parts(child, found)
    return found


desktop = Atspi.get_desktop(0)
found = []
for i in range(desktop.get_child_count()):
    program = desktop.get_child_at_index(i)
    if program and program.get_name() == "countersign":
        parts(program, found)
print(json.dumps(found))
