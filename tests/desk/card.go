//go:build desktoptest

package desk

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

//go:embed widgets.py
var widgets string

//go:embed reader.py
var reader string

// ReadWhile reads the open card as a screen reader does, every part in every way,
// before what is done and after it. It returns how many parts there were.
func (d *Desk) ReadWhile(done func()) int {
	d.t.Helper()
	cmd := exec.Command("/usr/bin/python3", "-c", reader)
	cmd.Env = d.Env
	in, err := cmd.StdinPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	var before, after int
	if _, err := fmt.Fscanln(out, &before); err != nil {
		d.t.Fatalf("the card was not read: %v", err)
	}
	done()
	if _, err := fmt.Fprintln(in); err != nil {
		d.t.Fatal(err)
	}
	if _, err := fmt.Fscanln(out, &after); err != nil || after != before {
		d.t.Fatalf("%d parts were read, then %d: %v", before, after, err)
	}
	if err := cmd.Wait(); err != nil {
		d.t.Fatal(err)
	}
	return before
}

// Widget is one part of the card as a screen reader knows it; X and Y are its
// middle on the screen.
type Widget struct {
	Role, Name, Description     string
	X, Y                        int
	Checked, Focused, Sensitive bool
}

// Widgets are those of the open card, or nil when none is open.
func (d *Desk) Widgets() []Widget {
	d.t.Helper()
	found, _ := d.widgets()
	return found
}

// widgets are those of the open card; whole is false for a window that changed
// while it was read, as a card does that is closing.
func (d *Desk) widgets() (found []Widget, whole bool) {
	d.t.Helper()
	cmd := exec.Command("/usr/bin/python3", "-")
	cmd.Env, cmd.Stdin = d.Env, strings.NewReader(widgets)
	out, err := cmd.Output()
	if err != nil {
		return nil, false
	}
	if err := json.Unmarshal(out, &found); err != nil {
		d.t.Fatalf("%v in %q", err, out)
	}
	return found, true
}

//go:embed window.py
var window string

// Part is a part of any window as a screen reader knows it.
type Part struct{ Role, Name, Text string }

// Parts are those of all windows of the program, also of one without a page.
func (d *Desk) Parts() []Part {
	d.t.Helper()
	cmd := exec.Command("/usr/bin/python3", "-")
	cmd.Env, cmd.Stdin = d.Env, strings.NewReader(window)
	out, err := cmd.Output()
	if err != nil { // it goes while it is read
		return nil
	}
	var found []Part
	if err := json.Unmarshal(out, &found); err != nil {
		d.t.Fatalf("%v in %q", err, out)
	}
	return found
}

// Find finds a part of the open card.
func (d *Desk) Find(role, name string) (Widget, bool) {
	d.t.Helper()
	for _, w := range d.Widgets() {
		if w.Role == role && w.Name == name {
			return w, true
		}
	}
	return Widget{}, false
}

// Button waits until the button is armed and its card has the keys, and returns it.
// On a busy machine a card can be armed before it gets the focus, with which it is
// armed anew: so it is asked for its widgets after the window manager was.
func (d *Desk) Button(name string) Widget {
	d.t.Helper()
	var found Widget
	front := ""
	Eventually(d.t, "the button “"+name+"” is ready", func() bool {
		front = d.Front()
		widgets := d.Widgets()
		i := slices.IndexFunc(widgets, func(w Widget) bool { return w.Role == "push button" && w.Name == name })
		if i < 0 || !strings.HasPrefix(front, widgets[0].Name) {
			return false
		}
		found = widgets[i]
		return found.Description == "ready"
	}, func() string { return fmt.Sprintf("%q in front, and %+v", front, d.Widgets()) })
	return found
}

// Xdotool runs xdotool.
func (d *Desk) Xdotool(args ...string) string {
	d.t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = d.Env
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("xdotool %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Front is the title of the window that has the keys, "" for none.
func (d *Desk) Front() string {
	d.t.Helper()
	cmd := exec.Command("xdotool", "getactivewindow", "getwindowname")
	cmd.Env = d.Env
	out, err := cmd.Output()
	if err != nil {
		return "" // the focus is on its way from one window to the next
	}
	return strings.TrimSpace(string(out))
}

// Click clicks in the middle of a widget.
func (d *Desk) Click(w Widget) {
	d.t.Helper()
	d.Xdotool("mousemove", strconv.Itoa(w.X), strconv.Itoa(w.Y), "click", "1")
}

// Keys presses keys.
func (d *Desk) Keys(names ...string) {
	d.t.Helper()
	d.Xdotool(append([]string{"key", "--delay", "30"}, names...)...)
}

// Request is what the person asks in the demo.
const Request = "Cancel every open order over $100 from last week."

// Asks types the request into the page and waits for the card to be ready.
func (d *Desk) Asks() {
	d.t.Helper()
	d.Types(Request)
	d.Button("Run 3 selected")
}

// Types types a request into the page and sends it.
func (d *Desk) Types(request string) {
	d.t.Helper()
	d.Focuses()
	d.Xdotool("type", "--delay", "4", request)
	d.Keys("Return")
}

// Focuses gives the keys to the app's window, and waits until they go into a box
// for text.
func (d *Desk) Focuses() {
	d.t.Helper()
	d.Xdotool("search", "--sync", "--onlyvisible", "--name", "^Countersign$", "windowfocus", "--sync")
	Eventually(d.t, "the request box has the focus", func() bool {
		return string(d.Do("eval", "return document.hasFocus() && document.activeElement?.matches('textarea, input')")) == "true"
	})
}

// Rows are the card's rows, when it has named them: their check boxes, and their
// inputs or the words of their functions.
func (d *Desk) Rows() (boxes []Widget, inputs []string) {
	d.t.Helper()
	Eventually(d.t, "the card names its rows", func() bool {
		boxes, inputs = nil, nil
		for _, w := range d.Widgets() {
			if w.Role != "table cell" {
				continue
			}
			if strings.HasPrefix(w.Name, "Call ") {
				boxes = append(boxes, w)
			} else if strings.HasPrefix(w.Name, "{") || strings.HasPrefix(w.Name, "Order ") {
				inputs = append(inputs, w.Name)
			}
		}
		return len(boxes) > 0
	})
	return boxes, inputs
}

// Gone waits until no card is open.
func (d *Desk) Gone() {
	d.t.Helper()
	Eventually(d.t, "the card has gone", func() bool {
		open, whole := d.widgets()
		return whole && open == nil
	})
}
