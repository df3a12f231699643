package card

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// showTimeout is how long a card may take to come on screen. One that does not
// come is an error, so that a run cannot hang on a dead screen.
const showTimeout = 15 * time.Second

// closeTimeout is how long a window that was told to close may take to say how it
// ended. A main loop that has ended never answers.
const closeTimeout = time.Second

// showing is one card on screen as its caller sees it: what the windows of all
// systems have in common. The first report of an end is the one that counts.
type showing struct {
	shown chan struct{}
	ended chan outcome // buffered
	fails chan error   // buffered
	armed atomic.Bool  // its buttons act

	onceShown sync.Once
}

func newShowing() showing {
	return showing{shown: make(chan struct{}), ended: make(chan outcome, 1), fails: make(chan error, 1)}
}

func (s *showing) isShown() { s.onceShown.Do(func() { close(s.shown) }) }

func (s *showing) end(out outcome) {
	select {
	case s.ended <- out:
	default:
	}
}

func (s *showing) fail(err error) {
	select {
	case s.fails <- err:
	default:
	}
}

// broke is told of a panic on a window's thread: it fails the card instead of the
// process, and a failed card approves nothing.
func (s *showing) broke(panicked any) {
	fmt.Fprintf(os.Stderr, "card: %v\n%s", panicked, debug.Stack())
	s.fail(fmt.Errorf("the card broke: %v", panicked))
}

// wait waits for the end of a card that was posted. A window that is closed
// because ctx ended has gone from the screen when wait returns; a press that came
// first still counts. closeIt asks the window's thread to take it away.
func (s *showing) wait(ctx context.Context, closeIt func()) (outcome, error) {
	late := time.NewTimer(showTimeout)
	defer late.Stop()
	shown := s.shown
	for {
		select {
		case <-shown:
			shown = nil
			late.Stop()
		case out := <-s.ended:
			select {
			case err := <-s.fails: // what broke before it ended
				return outcome{}, err
			default:
				return out, nil
			}
		case err := <-s.fails:
			closeIt()
			return outcome{}, err
		case <-late.C:
			closeIt()
			return outcome{}, fmt.Errorf("the card was not shown within %v; nothing is approved", showTimeout)
		case <-ctx.Done():
			closeIt()
			select {
			case out := <-s.ended:
				return out, nil
			case <-time.After(closeTimeout):
				return outcome{how: closed}, nil
			}
		}
	}
}
