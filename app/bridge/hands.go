package bridge

import "sync"

// hands carry out requests, each in a goroutine of its own. One that is free again
// is kept for the next: its stack has grown to what a call needs, and growing it
// anew is a fifth of what a call costs.
type hands struct {
	mu   sync.Mutex
	free []chan func() // of the goroutines that wait for work
}

// mostFree is how many are kept: the calls that one run may have in flight.
const mostFree = 32

// do carries work out beside the caller, at once, however much is under way.
func (h *hands) do(work func()) {
	h.mu.Lock()
	last := len(h.free) - 1
	if last < 0 {
		h.mu.Unlock()
		go h.serve(work)
		return
	}
	next := h.free[last]
	h.free = h.free[:last]
	h.mu.Unlock()
	next <- work
}

func (h *hands) serve(work func()) {
	more := make(chan func(), 1)
	for {
		work() // one that ends its goroutine takes this one with it, and no other
		h.mu.Lock()
		if len(h.free) == mostFree {
			h.mu.Unlock()
			return
		}
		h.free = append(h.free, more)
		h.mu.Unlock()
		work = <-more
	}
}
