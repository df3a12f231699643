//go:build linux || windows

package card

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/card/cardtest"
)

func TestTheEndOfTheRunClosesTheCard(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	out := present(t, ctx, New(Config{}), "Cancel an order?", "a")
	waitArmed(t)
	cancel()
	if g := wait(t, out); g.err != nil || g.answer.By != app.ByAborted || len(g.answer.Approve) > 0 {
		t.Errorf("got %+v, %v", g.answer, g.err)
	}
	eventually(t, "the window has gone", func() bool { return !onTheScreen("Cancel an order?") })
}

func TestWithoutAWindowOfTheAppNothingIsApproved(t *testing.T) {
	if onScreen != nil {
		t.Skip(onScreen)
	}
	cardtest.Hide(true)
	defer cardtest.Hide(false)
	g := wait(t, present(t, context.Background(), New(Config{}), "Cancel an order?", "a"))
	if g.err == nil || len(g.answer.Approve) > 0 {
		t.Errorf("got %+v, %v", g.answer, g.err)
	}
}

func TestAPanicInACallbackApprovesNothing(t *testing.T) {
	if onScreen != nil {
		t.Skip(onScreen)
	}
	broken := &sheet{Title: "x", Window: "Broken card", Rows: make([]sheetRow, 1), Groups: make([]sheetGroup, 1), wrap: func(string, int) string { panic("a bug") }}
	done := make(chan error, 1)
	go func() {
		_, err := show(context.Background(), broken)
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "a bug") {
			t.Errorf("got %v", err)
		}
	case <-time.After(patience):
		t.Fatal("a broken card hangs")
	}
}

func TestACardWithManyRowsIsOnScreenSoon(t *testing.T) {
	ids := make([]string, 500)
	for i := range ids {
		ids[i] = strconv.Itoa(i)
	}
	out := present(t, context.Background(), New(Config{}), "Cancel 500 orders?", ids...)
	took := untilShown(t)
	t.Logf("500 rows on screen after %v", took)
	if took > 3*time.Second { // about 40 ms when nothing else runs
		t.Errorf("took %v", took)
	}
	waitArmed(t)
	keys(t, "Escape")
	wait(t, out)
}

func TestAMegabyteCanBeReadAndDecided(t *testing.T) {
	if onScreen != nil {
		t.Skip(onScreen)
	}
	c := app.Card{ID: "big", Title: "Send a mail?", Rows: []app.Row{{CallID: "a", Seq: 1, Fn: "mail.send", Input: app.Value(`"` + strings.Repeat("é \u202E", 1<<17) + strings.Repeat("x", 1<<19) + `"`)}}}
	out := make(chan given, 1)
	go func() {
		answer, err := New(Config{}).Present(context.Background(), c)
		out <- given{answer, err, time.Now()}
	}()
	took := untilShown(t)
	t.Logf("1 MiB on screen after %v", took)
	// Half a second with GTK, four with Wine, whose edit control looks at every
	// character, on a quiet machine; minutes if it took the square of the length.
	if took > 30*time.Second {
		t.Errorf("took %v", took)
	}
	waitArmed(t)
	began := time.Now()
	keys(t, "Tab", "space")
	if g := wait(t, out); len(g.answer.Approve) != 1 {
		t.Errorf("got %+v, %v", g.answer, g.err)
	}
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("the answer took %v", took)
	}
}
