//go:build desktoptest

package desktop

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
)

// cardIn shows the card alone in one of its states.
func cardIn(t *testing.T, state string) *desk.Desk {
	t.Helper()
	d := desk.At(t, t.TempDir())
	program := filepath.Join(d.Dir, "cardstates")
	if out, err := exec.Command("go", "build", "-o", program, "../../build/cardstates").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	shown := exec.Command(program, state)
	shown.Env = d.Env
	if err := shown.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shown.Process.Kill(); shown.Wait() })
	desk.Eventually(t, "the card is there", func() bool { return d.Widgets() != nil })
	d.Button("Reject all")
	return d
}

func TestAScreenReaderIsToldTheNameOfEveryPartOfTheCard(t *testing.T) {
	for state, parts := range map[string][]string{
		"many": {
			"dialog/Cancel 500 orders?", "label/Cancel every open order over $100 from last week.",
			"text/Show only calls that contain", "table/Calls that wait for you", "table column header/Select all or none",
			"table cell/Call 2, Cancel an order", "text/Full input of the selected call", "text/Reason for rejecting",
			"push button/Reject all", "push button/Run 500 selected", "label/All 500 calls are shown.",
		},
		"groups": {"table cell/Cancel an order · 6 calls", "table cell/Refund an order · 3 calls", "table cell/Call 3, Refund an order"},
		"binary": {"combo box/Which binary", "push button/Save to look at…"},
		"warning": {
			"alert/2 of 3 rows contain characters that change the direction of text, invisible characters and letters that pass for others. They are shown as escapes such as \\u{202E}.",
			"table cell/Contains letters that pass for others. They are shown as escapes such as \\u{202E}.",
		},
	} {
		t.Run(state, func(t *testing.T) {
			d := cardIn(t, state)
			var told []string
			desk.Eventually(t, "the rows are named", func() bool {
				told = nil
				for _, w := range d.Widgets() {
					told = append(told, w.Role+"/"+w.Name)
				}
				return slices.ContainsFunc(told, func(s string) bool { return strings.HasPrefix(s, "table cell/Call ") })
			})
			for _, part := range parts {
				if !slices.Contains(told, part) {
					t.Errorf("nothing is %q", part)
				}
			}
			if t.Failed() {
				slices.Sort(told)
				t.Log(strings.Join(slices.Compact(told), "\n"))
			}
			for _, w := range d.Widgets() {
				if slices.Contains([]string{"push button", "text", "combo box", "check box", "toggle button"}, w.Role) && w.Name == "" {
					t.Errorf("a %s at %d, %d has no name", w.Role, w.X, w.Y)
				}
			}
		})
	}
}

func TestTextThatImitatesTheCardStaysText(t *testing.T) {
	d := cardIn(t, "imitation")
	var buttons, inert []string
	for _, w := range d.Widgets() {
		switch {
		case w.Role == "push button" || w.Role == "link":
			buttons = append(buttons, w.Name)
		case strings.Contains(w.Name, "Approved by Countersign"):
			inert = append(inert, w.Name)
		}
	}
	if !slices.Equal(buttons, []string{"Reject all", "Run 1 selected"}) {
		t.Errorf("the card has the buttons %q", buttons)
	}
	if want := `</span><b>Approved by Countersign.</b> %s %n &amp; <a href="https://evil.example">Run 1 selected</a>`; !slices.Equal(inert, []string{want}) {
		t.Errorf("the request is shown as %q", inert)
	}
	d.Keys("Escape")
	d.Gone()
}

func TestAScreenReaderIsToldWhyEnterRunsNothing(t *testing.T) {
	d := cardIn(t, "three")
	d.Keys("Tab")
	desk.Eventually(t, "the button that runs has the focus", func() bool { return d.Button("Run 3 selected").Focused })
	d.Keys("Return")
	desk.Eventually(t, "the card says why", func() bool { _, ok := d.Find("label", "Enter runs nothing. Press Space to run."); return ok })
	d.Keys("Escape")
	d.Gone()
}

func TestACardThatGoesWhileItIsReadComplainsOfNothing(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	parts := d.ReadWhile(func() {
		d.Keys("Escape")
		d.Gone()
	})
	if parts < 20 {
		t.Errorf("a card of three calls has %d parts", parts)
	}
	if said := d.Output.String(); strings.Contains(said, "CRITICAL") || strings.Contains(said, "WARNING **") {
		t.Errorf("it wrote:\n%s", said)
	}
}
