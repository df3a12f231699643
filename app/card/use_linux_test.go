package card

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

// label is what the run button says, as the person sees it.
func label(t *testing.T) string {
	t.Helper()
	w := onlyWindow()
	if w == nil {
		return ""
	}
	return runLabel(w)
}

func waitLabel(t *testing.T, want string) {
	t.Helper()
	var last string
	eventually(t, fmt.Sprintf("the button says %q", want), func() bool { last = label(t); return last == want })
}

// put shows a card and returns where its answer comes.
func put(t *testing.T, p *Presenter, c app.Card) <-chan given {
	t.Helper()
	if onScreen != nil {
		t.Skip(onScreen)
	}
	out, over := make(chan given, 1), make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() { cancel(); <-over }) // a card that is left open would be the next test's
	go func() {
		defer close(over)
		answer, err := p.Present(ctx, c)
		out <- given{answer, err, time.Now()}
	}()
	return out
}

func calls(n int) app.Card {
	c := app.Card{ID: "n", RunID: "r", Title: "Cancel many orders?"}
	for i := range n {
		c.Rows = append(c.Rows, app.Row{CallID: fmt.Sprint(i), Seq: i + 1, Fn: "orders.cancel", Title: "Cancel an order", Input: app.Value(fmt.Sprintf(`{"id":%d}`, 1000+i))})
	}
	return c
}

func TestTheFilterChangesWhatIsInSightAndNotWhatIsSelected(t *testing.T) {
	out := put(t, New(Config{}), calls(500))
	waitArmed(t)
	waitLabel(t, "Run 500 selected")
	keys(t, "ctrl+f", "1", "0", "4", "2")
	waitLabel(t, "Run 500 selected, 499 of them hidden")
	keys(t, "Tab", "space") // the list: the one row in sight is unticked
	waitLabel(t, "Run 499 selected, 499 of them hidden")
	keys(t, "ctrl+f", "Return", "Escape") // empties the filter, and nothing more
	waitLabel(t, "Run 499 selected")
	noAnswer(t, out, "Escape in a filter")
	keys(t, "ctrl+f", "space", "space") // a blank in the filter decides nothing
	noAnswer(t, out, "Space in the filter")
	keys(t, "Tab", "Tab", "Tab", "Tab", "Tab", "space")
	g := wait(t, out)
	if len(g.answer.Approve) != 499 || g.answer.By != app.ByUser {
		t.Fatalf("approved %d, %v", len(g.answer.Approve), g.err)
	}
	for _, id := range g.answer.Approve {
		if id == "42" {
			t.Error("the unticked call was approved")
		}
	}
}

func TestAllOrNoneGoesForWhatIsInSight(t *testing.T) {
	out := put(t, New(Config{}), calls(20))
	waitArmed(t)
	keys(t, "ctrl+f", "1", "0", "0") // 1000 to 1009
	waitLabel(t, "Run 20 selected, 10 of them hidden")
	keys(t, "Tab", "ctrl+a")
	waitLabel(t, "Run 10 selected, 10 of them hidden")
	keys(t, "ctrl+a")
	waitLabel(t, "Run 20 selected, 10 of them hidden")
	keys(t, "ctrl+a")
	keys(t, "ctrl+f", "Escape")
	waitLabel(t, "Run 10 selected")
	keys(t, "Escape")
	wait(t, out)
}

func TestTheHeadingOfAGroupTicksItsCalls(t *testing.T) {
	c := calls(4)
	c.Rows[1].Fn, c.Rows[1].Title = "mail.send", "Send a mail"
	c.Rows[3].Fn, c.Rows[3].Title = "mail.send", "Send a mail"
	out := put(t, New(Config{}), c)
	waitArmed(t)
	keys(t, toList...)
	keys(t, "End", "Up", "Up", "space") // the second heading
	waitLabel(t, "Run 2 selected")
	keys(t, "Tab", "Tab", "Tab", "Tab", "space")
	if g := wait(t, out); len(g.answer.Approve) != 2 || g.answer.Approve[0] != "0" || g.answer.Approve[1] != "2" {
		t.Errorf("got %+v, %v", g.answer, g.err)
	}
}

func TestBytesCanBeSavedToLookAt(t *testing.T) {
	data := bytes.Repeat([]byte{1, 2, 3, 4}, 100)
	c := calls(1)
	pretty := func(app.Value) (string, []value.Binary) {
		return "File of 400 bytes", []value.Binary{{Name: "../x/chart.png", Bytes: data}}
	}
	out := put(t, New(Config{Pretty: pretty}), c)
	waitArmed(t)
	folder := t.TempDir()
	keys(t, "shift+Tab", "shift+Tab", "space") // reason, save
	xdotool(t, "search", "--sync", "--onlyvisible", "--name", "^Save to look at$")
	eventually(t, "the dialog has the focus", func() bool {
		return xdotool(t, "getactivewindow", "getwindowname") == "Save to look at"
	})
	keys(t, "ctrl+a")
	xdotool(t, "type", "--delay", "5", filepath.Join(folder, "look.png"))
	keys(t, "Return")
	var got []byte
	eventually(t, "the bytes are saved", func() bool {
		got, _ = os.ReadFile(filepath.Join(folder, "look.png"))
		return len(got) == len(data)
	})
	if !bytes.Equal(got, data) {
		t.Error("other bytes were saved")
	}
	noAnswer(t, out, "saving")
	eventually(t, "the card is armed again", func() bool {
		w := onlyWindow()
		return w != nil && w.armed.Load() && strings.HasPrefix(xdotool(t, "getactivewindow", "getwindowname"), "Cancel")
	})
	keys(t, "Escape")
	wait(t, out)
}

func TestTheCardRemembersItsSize(t *testing.T) {
	p := New(Config{Size: filepath.Join(t.TempDir(), "state", "card.json")})
	out := put(t, p, calls(2))
	waitArmed(t)
	id := xdotool(t, "search", "--onlyvisible", "--name", "^Cancel many")
	xdotool(t, "windowsize", "--sync", id, "1000", "600")
	keys(t, "Escape")
	wait(t, out)
	out = put(t, p, calls(2))
	waitArmed(t)
	if got := geometry(t, "^Cancel many"); !strings.Contains(got, "Geometry: 1000x600") {
		t.Errorf("the next card is at %s", got)
	}
	keys(t, "Escape")
	wait(t, out)
}
