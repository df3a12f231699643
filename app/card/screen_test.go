//go:build linux || windows

package card

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
)

var onScreen error // why there is no screen

type given struct {
	answer app.Answer
	err    error
	at     time.Time
}

// present shows a card with the given rows and returns where its answer comes.
func present(t *testing.T, ctx context.Context, p *Presenter, title string, ids ...string) <-chan given {
	t.Helper()
	c := app.Card{ID: title, RunID: "r", Title: title, Request: "Do it."}
	for i, id := range ids {
		c.Rows = append(c.Rows, app.Row{CallID: id, Seq: i + 1, Fn: "orders.cancel", Title: "Cancel an order", Input: app.Value(`{"id":` + strconv.Itoa(i) + `}`)})
	}
	return putUntil(t, ctx, p, c)
}

// put shows a card and returns where its answer comes.
func put(t *testing.T, p *Presenter, c app.Card) <-chan given {
	t.Helper()
	return putUntil(t, context.Background(), p, c)
}

func putUntil(t *testing.T, ctx context.Context, p *Presenter, c app.Card) <-chan given {
	t.Helper()
	if onScreen != nil {
		t.Skip(onScreen)
	}
	out, over := make(chan given, 1), make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
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

// patience is how long a machine that has much else to do may take for anything.
const patience = time.Minute

// eventually polls, because neither X nor a window manager says when it is done.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(patience); !holds(); {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("timed out waiting until %s", what)
		}
	}
}

// waitArmed waits until a press on the card counts. On a busy machine the card can
// be armed before it gets the focus, with which it is armed anew.
func waitArmed(t *testing.T) {
	t.Helper()
	eventually(t, "the card is armed and has the keys", func() bool {
		w := onlyWindow()
		return w != nil && w.armed.Load() && hasTheKeys() && w.armed.Load()
	})
}

func wait(t *testing.T, out <-chan given) given {
	t.Helper()
	select {
	case g := <-out:
		return g
	case <-time.After(patience):
		t.Fatal("no answer")
		panic("unreachable")
	}
}

func noAnswer(t *testing.T, out <-chan given, after string) {
	t.Helper()
	select {
	case g := <-out:
		t.Fatalf("after %s: answered %+v", after, g.answer)
	default:
	}
}

// label is what the run button says, as the person sees it.
func label(t *testing.T) string {
	t.Helper()
	w := onlyWindow()
	if w == nil {
		return ""
	}
	return labelOf(w)
}

func waitLabel(t *testing.T, want string) {
	t.Helper()
	var last string
	eventually(t, fmt.Sprintf("the button says %q", want), func() bool { last = label(t); return last == want })
}

// untilShown waits until the one card is on screen and says how long that took.
func untilShown(t *testing.T) time.Duration {
	t.Helper()
	began := time.Now()
	eventually(t, "the card is shown", func() bool {
		w := onlyWindow()
		if w == nil {
			return false
		}
		select {
		case <-w.shown:
			return true
		default:
			return false
		}
	})
	return time.Since(began)
}

// onlyWindow is the one card that is wanted or on screen, nil when there is none.
func onlyWindow() *window {
	for _, w := range openCards() {
		return w
	}
	return nil
}

// toList and toRun move the focus from the reject button.
var (
	toList = []string{"shift+Tab", "shift+Tab", "shift+Tab"}
	toRun  = []string{"Tab"}
)
