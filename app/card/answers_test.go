//go:build linux || windows

package card

import (
	"context"
	"reflect"
	"testing"

	"github.com/faustine-ai/countersign/app"
)

func TestAnswersOfKeys(t *testing.T) {
	for _, c := range []struct {
		name string
		keys []string
		want app.Answer
	}{
		{"Space on the first focus rejects", []string{"space"}, app.Answer{By: app.ByUser}},
		{"Enter on the first focus rejects", []string{"Return"}, app.Answer{By: app.ByUser}},
		{"Escape closes", []string{"Escape"}, app.Answer{By: app.ByClosed}},
		{"Alt-F4 closes", []string{"alt+F4"}, app.Answer{By: app.ByClosed}},
		{"Space on run approves what is ticked", append(toRun, "space"), app.Answer{Approve: []string{"a", "b", "c"}, By: app.ByUser}},
		{"an unticked row is not approved", append(toList, "Down", "space", "Tab", "Tab", "Tab", "Tab", "space"), app.Answer{Approve: []string{"a", "c"}, By: app.ByUser}},
		{"a row ticked again is approved", append(toList, "space", "space", "Tab", "Tab", "Tab", "Tab", "space"), app.Answer{Approve: []string{"a", "b", "c"}, By: app.ByUser}},
		{"with nothing ticked there is nothing to run", append(toList, "space", "Down", "space", "Down", "space", "Tab", "Tab", "Tab", "Tab", "space", "Escape"), app.Answer{By: app.ByClosed}},
		{"a reason travels with the rejection", []string{"shift+Tab", "n", "o", "space", "x", "Tab", "space"}, app.Answer{Reason: "no x", By: app.ByUser}},
		{"Enter in the reason, the list and the input does nothing", append(append([]string{"shift+Tab", "Return", "shift+Tab", "Return", "shift+Tab", "Return", "Tab", "Tab", "Tab"}, toRun...), "space"), app.Answer{Approve: []string{"a", "b", "c"}, By: app.ByUser}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := present(t, context.Background(), New(Config{}), "Cancel 3 orders?", "a", "b", "c")
			waitArmed(t)
			keys(t, c.keys...)
			if g := wait(t, out); g.err != nil || !reflect.DeepEqual(g.answer, c.want) {
				t.Errorf("got %+v, %v; want %+v", g.answer, g.err, c.want)
			}
		})
	}
}

func TestEnterNeverApproves(t *testing.T) {
	out := present(t, context.Background(), New(Config{}), "Cancel an order?", "a")
	waitArmed(t)
	keys(t, toRun...)
	for range 20 {
		keys(t, "Return", "KP_Enter", "ctrl+Return", "shift+Return", "alt+Return")
	}
	noAnswer(t, out, "Enter on the run button")
	eventually(t, "the card says why", func() bool { return said(onlyWindow()) == enterNote })
	keys(t, "space")
	if g := wait(t, out); len(g.answer.Approve) != 1 {
		t.Errorf("Space did not approve: %+v", g.answer)
	}
}

func TestAClickOnRunApproves(t *testing.T) {
	out := present(t, context.Background(), New(Config{}), "Cancel 2 orders?", "a", "b")
	waitArmed(t)
	clickRun(t, 1)
	if g := wait(t, out); len(g.answer.Approve) != 2 || g.answer.By != app.ByUser {
		t.Errorf("got %+v", g.answer)
	}
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
