//go:build linux || windows

package card

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
)

func TestNothingActsBeforeTheButtonsAreArmed(t *testing.T) {
	for _, key := range []string{"space", "Return", "Escape"} {
		t.Run(key, func(t *testing.T) {
			began := time.Now()
			out := present(t, context.Background(), New(Config{}), "Cancel an order?", "a")
			eventually(t, "the hammering is heard", func() bool {
				keys(t, key)
				return len(out) > 0
			})
			if g := wait(t, out); g.at.Sub(began) < 700*time.Millisecond || len(g.answer.Approve) > 0 {
				t.Errorf("answered %+v after %v", g.answer, g.at.Sub(began))
			}
		})
	}
}

// held is that a key that is held down decides nothing, however long.
func held(t *testing.T, key string, before ...string) {
	t.Helper()
	if onScreen != nil {
		t.Skip(onScreen)
	}
	release := hold(t, key)
	released := false
	defer func() {
		if !released {
			release()
		}
	}()
	out := present(t, context.Background(), New(Config{}), "Cancel an order?", "a")
	waitArmed(t)
	quiet(t, time.Second) // a key repeats about 25 times a second
	noAnswer(t, out, key+" was held down")
	release()
	released = true
	keys(t, append(before, "space")...)
	if g := wait(t, out); g.answer.By != app.ByUser {
		t.Errorf("a fresh press did not answer: %+v", g.answer)
	}
}

func TestAKeyHeldDownSinceBeforeTheCardDoesNothing(t *testing.T) {
	for _, key := range []string{"space", "Return", "Escape"} {
		t.Run(key, func(t *testing.T) { held(t, key) })
	}
}

// quiet lets time go by in which something could happen that must not.
func quiet(t *testing.T, d time.Duration) {
	t.Helper()
	until := time.Now().Add(d)
	eventually(t, "some time has gone by", func() bool { return time.Now().After(until) })
}

func TestAKeyHeldDownOnTheRunButtonWhileTheFocusComesBackDoesNothing(t *testing.T) {
	out := present(t, context.Background(), New(Config{}), "Cancel an order?", "a")
	waitArmed(t)
	keys(t, toRun...)
	w := onlyWindow()
	lookAway(t)
	eventually(t, "the card without focus is disarmed", func() bool { return !w.armed.Load() })
	release := hold(t, "space")
	lookBack(t)
	eventually(t, "it is armed again", w.armed.Load)
	quiet(t, 500*time.Millisecond)
	release()
	quiet(t, 200*time.Millisecond) // a release is no press
	noAnswer(t, out, "Space was held down since before the focus came back")
	keys(t, "space")
	if g := wait(t, out); len(g.answer.Approve) != 1 {
		t.Errorf("a fresh press did not approve: %+v", g.answer)
	}
}

// A person who types a request when a card comes goes on for a while: each
// letter puts off the moment in which Space and Enter count.
func TestAPersonWhoTypesWhenTheCardComesDecidesNothing(t *testing.T) {
	if onScreen != nil {
		t.Skip(onScreen)
	}
	lookAway(t) // the app's own window has the keys
	out := present(t, context.Background(), New(Config{}), "Cancel an order?", "a")
	var typed []string
	for _, word := range strings.Fields("please look at what the others have done since last week and tell me what is new") {
		typed = append(append(typed, strings.Split(word, "")...), "space")
	}
	keys(t, append(typed, "Return")...) // by one program, so that no letter is late
	noAnswer(t, out, "typing")
	waitArmed(t)
	keys(t, "Escape")
	if g := wait(t, out); g.answer.By != app.ByClosed {
		t.Errorf("got %+v", g.answer)
	}
}

func TestASecondRunThatAsksWhileACardIsOpenWaitsItsTurn(t *testing.T) {
	p := New(Config{})
	first := present(t, context.Background(), p, "First card?", "a", "b")
	waitArmed(t)
	card := onlyWindow()
	keys(t, toRun...)
	second := present(t, context.Background(), p, "Second card?", "c")
	quiet(t, 300*time.Millisecond)
	if open := openCards(); len(open) != 1 || open[0] != card || !card.armed.Load() {
		t.Fatalf("the first card does not stay as it was: %d are open", len(open))
	}
	keys(t, "space") // on what is shown
	if g := wait(t, first); !slices.Equal(g.answer.Approve, []string{"a", "b"}) {
		t.Errorf("the first card: %+v", g.answer)
	}
	noAnswer(t, second, "an answer to the first")
	waitArmed(t)
	keys(t, "space")
	if g := wait(t, second); g.answer.By != app.ByUser || len(g.answer.Approve) > 0 {
		t.Errorf("the second card, whose first focus is on reject: %+v", g.answer)
	}
}

func TestASecondClickDoesNotFallOnTheNextCard(t *testing.T) {
	p := New(Config{})
	first := present(t, context.Background(), p, "First card?", "a")
	waitArmed(t)
	second := present(t, context.Background(), p, "Second card?", "b")
	clickRun(t, 6)
	if g := wait(t, first); len(g.answer.Approve) != 1 {
		t.Errorf("the first card: %+v", g.answer)
	}
	noAnswer(t, second, "clicking on the first card")
	waitArmed(t)
	keys(t, "Escape")
	if g := wait(t, second); g.answer.By != app.ByClosed {
		t.Errorf("the second card: %+v", g.answer)
	}
}

func TestButtonsArmAgainWhenTheFocusComesBack(t *testing.T) {
	out := present(t, context.Background(), New(Config{}), "Cancel an order?", "a")
	waitArmed(t)
	w := onlyWindow()
	lookAway(t)
	eventually(t, "the card without focus is disarmed", func() bool { return !w.armed.Load() })
	lookBack(t)
	back := time.Now()
	eventually(t, "it is armed again", w.armed.Load)
	if took := time.Since(back); took < 500*time.Millisecond {
		t.Errorf("armed %v after the focus came back", took)
	}
	keys(t, "Escape")
	wait(t, out)
}

func TestCardsComeOneAtATimeInOrder(t *testing.T) {
	p := New(Config{})
	first := present(t, context.Background(), p, "First card?", "a")
	waitArmed(t)
	ctx, cancel := context.WithCancel(context.Background())
	second := present(t, ctx, p, "Second card?", "b")
	if open := openCards(); len(open) != 1 {
		t.Errorf("%d cards are open", len(open))
	}
	cancel()
	if g := wait(t, second); g.answer.By != app.ByAborted || g.err != nil {
		t.Errorf("a card cancelled while it waited for its turn: %+v, %v", g.answer, g.err)
	}
	keys(t, "space")
	if g := wait(t, first); g.answer.By != app.ByUser {
		t.Errorf("the first card: %+v", g.answer)
	}
}
