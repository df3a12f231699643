//go:build desktoptest

package desktop

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
)

func TestTheCardShowsWhatWillRun(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	boxes, inputs := d.Rows()
	if len(boxes) != 3 || slices.ContainsFunc(boxes, func(b desk.Widget) bool { return !b.Checked }) {
		t.Errorf("expected three ticked rows, got %+v", boxes)
	}
	for i, box := range boxes {
		if !strings.HasSuffix(box.Name, ", Cancel an order") || i >= len(inputs) || box.Description != inputs[i] {
			t.Errorf("a screen reader is told “%s”, “%s” of row %d", box.Name, box.Description, i+1)
		}
	}
	for i, id := range desk.Matching {
		if i >= len(inputs) || !strings.Contains(inputs[i], strconv.FormatInt(id, 10)) {
			t.Errorf("row %d: %v, expected order %d", i+1, inputs, id)
		}
	}
	if reject := d.Button("Reject all"); !reject.Focused {
		t.Error("the focus does not start on “Reject all”")
	}
	if _, ok := d.Find("dialog", "Cancel 3 orders?"); !ok {
		t.Error("the card is not named “Cancel 3 orders?”")
	}
	if got := d.Orders(); !slices.Equal(got, d.Before) {
		t.Error("orders changed before anybody decided")
	}
}

func TestTheCardStaysWhereItIsWhileRowsAreTicked(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	place := func() string {
		return d.Xdotool("search", "--onlyvisible", "--name", "^Cancel 3 orders", "getwindowgeometry", "--shell")
	}
	before := place()
	boxes, _ := d.Rows()
	// What a hand was about to click must not move from under it.
	for i, left := range []string{"Run 2 selected", "Run 1 selected"} {
		d.Click(boxes[i])
		d.Button(left)
		if after := place(); after != before {
			t.Errorf("the card moved when row %d was unticked: from %q to %q", i+1, before, after)
		}
	}
}
