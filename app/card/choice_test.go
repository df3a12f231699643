package card

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/faustine-ai/countersign/app"
)

func mixed(t *testing.T, n int) *choice {
	t.Helper()
	c := app.Card{ID: "c", Title: "Do many things?"}
	for i := range n {
		row := app.Row{CallID: fmt.Sprint(i), Seq: i + 1, Fn: "orders.cancel", Title: "Cancel an order", Input: app.Value(fmt.Sprintf(`{"id":%d}`, 1000+i))}
		if i%3 == 1 {
			row.Fn, row.Title = "mail.send", "Send a mail"
		}
		c.Rows = append(c.Rows, row)
	}
	s, err := draw(c, New(Config{}).config.Pretty)
	if err != nil {
		t.Fatal(err)
	}
	return newChoice(s)
}

func TestAChoiceTicksWhatIsInSight(t *testing.T) {
	c := mixed(t, 5) // orders 0 2 3, mails 1 4
	say := func(what, label, note string) {
		t.Helper()
		if c.runLabel() != label || c.note() != note {
			t.Errorf("%s: %q, %q; want %q, %q", what, c.runLabel(), c.note(), label, note)
		}
	}
	if want := []line{{-1, 0}, {0, 0}, {2, 0}, {3, 0}, {-1, 1}, {1, 1}, {4, 1}}; !reflect.DeepEqual(c.lines(), want) {
		t.Errorf("lines %v, want %v", c.lines(), want)
	}
	say("at first", "Run 5 selected", "")
	c.toggle(line{2, 0})
	say("one off", "Run 4 selected", "One call will be rejected.")
	if c.ticked(line{-1, 0}) || !c.ticked(line{-1, 1}) {
		t.Error("a heading is ticked when all its calls are")
	}
	c.toggle(line{-1, 0})
	say("a heading turns the rest on", "Run 5 selected", "")
	c.toggle(line{-1, 0})
	say("and then all off", "Run 2 selected", "3 calls will be rejected.")
	c.filter("1001")
	if want := []line{{-1, 1}, {1, 1}}; !reflect.DeepEqual(c.lines(), want) {
		t.Errorf("lines %v, want %v", c.lines(), want)
	}
	say("one hidden", "Run 2 selected, 1 of them hidden", "3 calls will be rejected.")
	if got, want := c.filterNote(), "1 of 5 calls are shown. One hidden call is selected too."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	c.toggleAll(-1)
	say("all in sight off", "Run 1 selected, 1 of them hidden", "4 calls will be rejected.")
	c.filter("")
	say("no filter", "Run 1 selected", "4 calls will be rejected.")
	c.toggleAll(-1)
	c.toggleAll(-1)
	say("none", "Run 0 selected", "Nothing is selected.")
	c.filter("nothing has this")
	c.toggleAll(-1)
	say("nothing in sight", "Run 0 selected", "Nothing is selected.")
}
