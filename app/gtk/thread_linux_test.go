package gtk_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/faustine-ai/countersign/app/gtk"
	"github.com/faustine-ai/countersign/app/gtk/gtktest"
)

var loopThread uintptr

func TestMain(m *testing.M) {
	loopThread = gtktest.Thread()
	os.Exit(gtktest.Run(m.Run))
}

// turn waits until all that was posted before has run.
func turn() {
	done := make(chan struct{})
	gtk.Post(func() { close(done) })
	<-done
}

func TestWhatIsPostedRunsOnTheLoopsThreadInItsOrder(t *testing.T) {
	var order []int
	for n := range 100 {
		gtk.Post(func() {
			if got := gtktest.Thread(); got != loopThread {
				t.Errorf("it runs on thread %x, and the loop on %x", got, loopThread)
			}
			order = append(order, n)
		})
	}
	turn()
	if len(order) != 100 || !slices.IsSorted(order) {
		t.Errorf("they ran as %v", order)
	}
}

func TestWhoeverAsksGetsTheFirstAnswer(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		text string
		err  error
	}{{"read", nil}, {"", nil}, {"", broken}} {
		text, err := gtk.Ask(t.Context(), gtk.Wish{Begin: func(id uint64) {
			gtk.Answer(id, c.text, c.err)
			gtk.Answer(id, "too late", nil)
		}})
		if text != c.text || err != c.err {
			t.Errorf("%q, %v came back as %q, %v", c.text, c.err, text, err)
		}
	}
}

func TestAWishWhoseAskerHasGoneIsNotBegun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	hold, held := make(chan struct{}), make(chan struct{})
	gtk.Post(func() { close(held); <-hold }) // the loop is busy while the asker comes and goes
	<-held
	begun := false
	if _, err := gtk.Ask(ctx, gtk.Wish{Begin: func(uint64) { begun = true }}); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	close(hold)
	turn()
	if begun {
		t.Error("it was begun")
	}
}

func TestAWishIsWithdrawnWhenItsAskerGoes(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var begun, withdrawn uint64
	_, err := gtk.Ask(ctx, gtk.Wish{
		Begin:    func(id uint64) { begun = id; cancel() },
		Withdraw: func(id uint64) { withdrawn = id },
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	turn()
	if begun == 0 || withdrawn != begun {
		t.Errorf("wish %d was begun, and %d withdrawn", begun, withdrawn)
	}
	gtk.Answer(begun, "thrown away", nil)
}
