//go:build desktoptest

package desktop

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// widget is one part of the card as a screen reader knows it; X and Y are its
// middle on the screen.
type widget struct {
	Role, Name, Description     string
	X, Y                        int
	Checked, Focused, Sensitive bool
}

// widgets are those of the open card, or nil when none is open.
func (d *desk) widgets() []widget {
	d.t.Helper()
	cmd := exec.Command("/usr/bin/python3", "widgets.py")
	cmd.Env = d.env
	out, err := cmd.Output()
	if err != nil {
		// A window that goes while it is read is a card that is closing.
		return nil
	}
	var found []widget
	if err := json.Unmarshal(out, &found); err != nil {
		d.t.Fatalf("%v in %q", err, out)
	}
	return found
}

func (d *desk) find(role, name string) (widget, bool) {
	d.t.Helper()
	for _, w := range d.widgets() {
		if w.Role == role && w.Name == name {
			return w, true
		}
	}
	return widget{}, false
}

// button waits until the button is armed, and returns it.
func (d *desk) button(name string) widget {
	d.t.Helper()
	var found widget
	eventually(d.t, "the button “"+name+"” is ready", func() bool {
		var ok bool
		found, ok = d.find("push button", name)
		return ok && found.Description == "ready"
	})
	return found
}

func (d *desk) xdotool(args ...string) string {
	d.t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = d.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("xdotool %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (d *desk) click(w widget) {
	d.t.Helper()
	d.xdotool("mousemove", strconv.Itoa(w.X), strconv.Itoa(w.Y), "click", "1")
}

func (d *desk) keys(names ...string) {
	d.t.Helper()
	d.xdotool(append([]string{"key", "--delay", "30"}, names...)...)
}

const request = "Cancel every open order over $100 from last week."

// asks types the request into the page and waits for the card to be ready.
func (d *desk) asks() {
	d.t.Helper()
	d.types()
	d.button("Run 3 selected")
}

// types types the request into the page and sends it.
func (d *desk) types() {
	d.t.Helper()
	d.xdotool("search", "--sync", "--onlyvisible", "--name", "^Countersign$", "windowfocus", "--sync")
	eventually(d.t, "the request box has the focus", func() bool {
		return string(d.do("eval", "return document.hasFocus() && document.activeElement?.matches('textarea, input')")) == "true"
	})
	d.xdotool("type", "--delay", "4", request)
	d.keys("Return")
}

// rows are the card's rows: their check boxes and inputs.
func (d *desk) rows() (boxes []widget, inputs []string) {
	d.t.Helper()
	for _, w := range d.widgets() {
		if w.Role != "table cell" {
			continue
		}
		if w.Name == "" {
			boxes = append(boxes, w)
		} else if strings.HasPrefix(w.Name, "{") {
			inputs = append(inputs, w.Name)
		}
	}
	return boxes, inputs
}

// gone waits until no card is open.
func (d *desk) gone() {
	d.t.Helper()
	eventually(d.t, "the card has gone", func() bool { return d.widgets() == nil })
}

func TestTheCardShowsWhatWillRun(t *testing.T) {
	d := openDesk(t)
	d.asks()
	boxes, inputs := d.rows()
	if len(boxes) != 3 || slices.ContainsFunc(boxes, func(b widget) bool { return !b.Checked }) {
		t.Errorf("expected three ticked rows, got %+v", boxes)
	}
	for i, id := range matching {
		if i >= len(inputs) || !strings.Contains(inputs[i], strconv.FormatInt(id, 10)) {
			t.Errorf("row %d: %v, expected order %d", i+1, inputs, id)
		}
	}
	if reject := d.button("Reject all"); !reject.Focused {
		t.Error("the focus does not start on “Reject all”")
	}
	if _, ok := d.find("dialog", "Cancel 3 orders?"); !ok {
		t.Error("the card is not named “Cancel 3 orders?”")
	}
	if got := d.orders(); !slices.Equal(got, d.before) {
		t.Error("orders changed before anybody decided")
	}
}

func TestTheCardStaysWhereItIsWhileRowsAreTicked(t *testing.T) {
	d := openDesk(t)
	d.asks()
	place := func() string {
		return d.xdotool("search", "--onlyvisible", "--name", "^Cancel 3 orders", "getwindowgeometry", "--shell")
	}
	before := place()
	boxes, _ := d.rows()
	// What a hand was about to click must not move from under it.
	for i, left := range []string{"Run 2 selected", "Run 1 selected"} {
		d.click(boxes[i])
		d.button(left)
		if after := place(); after != before {
			t.Errorf("the card moved when row %d was unticked: from %q to %q", i+1, before, after)
		}
	}
}
