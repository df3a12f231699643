package sqlite

import (
	"sync"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// maxGroup bounds how many entries one commit takes, so that none waits long.
const maxGroup = 1024

// maxWaiting bounds what waits for the writer: whoever comes when so many do, waits too.
const maxWaiting = 4096

// linger is how long entries that nobody waits for are gathered before they are
// committed. An entry that somebody waits for takes them along at once.
const linger = 10 * time.Millisecond

// mostWaiting bounds the bodies that are gathered, in bytes: one may have 40 MiB.
const mostWaiting = 32 << 20

type request struct {
	entries []app.Entry
	raw     bool // they are still to be prepared
	sync    bool // somebody waits for it
	done    chan error
	task    func() error // instead of entries: something that the writer does alone
}

func (r request) bytes() (n int) {
	for _, e := range r.entries {
		n += len(e.Body)
	}
	return n
}

// queue is what waits for the writer, in order. Entries that nobody waits for do
// not wake the writer: on two cores, waking a thread for each would cost the call
// that made it more than the entry does.
type queue struct {
	mu      sync.Mutex
	waiting []request
	entries int  // in waiting
	bytes   int  // of their bodies
	due     bool // the writer is to take what is there
	closed  bool
	timer   *time.Timer
	wake    chan struct{} // holds one
	room    *sync.Cond
}

func newQueue() *queue {
	q := &queue{wake: make(chan struct{}, 1)}
	q.room = sync.NewCond(&q.mu)
	q.timer = time.AfterFunc(time.Hour, q.hurry)
	q.timer.Stop()
	return q
}

// put reports whether the queue took the request; a closed one takes nothing.
func (q *queue) put(r request) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) >= maxWaiting && !q.closed {
		q.room.Wait()
	}
	if q.closed {
		return false
	}
	q.waiting = append(q.waiting, r)
	q.entries += len(r.entries)
	q.bytes += r.bytes()
	switch {
	case r.sync || r.task != nil || q.entries >= maxGroup || q.bytes >= mostWaiting:
		q.now()
	case len(q.waiting) == 1:
		q.timer.Reset(linger)
	}
	return true
}

// now has the writer take what is there. mu is held.
func (q *queue) now() {
	q.due = true
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *queue) hurry() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.now()
}

// take waits for what goes into one commit: all that is there, up to maxGroup
// entries. A task ends it. There is nothing more when ok is false.
func (q *queue) take() (group []request, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.due || len(q.waiting) == 0 {
		if q.closed && len(q.waiting) == 0 {
			return nil, false
		}
		q.due = q.closed // what a closed queue still holds is taken at once
		if q.due {
			continue
		}
		q.mu.Unlock()
		<-q.wake
		q.mu.Lock()
	}
	n, entries, bytes := 0, 0, 0
	for n < len(q.waiting) && entries < maxGroup {
		entries += len(q.waiting[n].entries)
		bytes += q.waiting[n].bytes()
		n++
		if q.waiting[n-1].task != nil {
			break
		}
	}
	group = q.waiting[:n:n]
	q.waiting, q.entries = append([]request(nil), q.waiting[n:]...), q.entries-entries
	q.bytes -= bytes
	if len(q.waiting) == 0 { // what is left of a long queue follows at once
		q.due = false
		q.timer.Stop()
	}
	q.room.Broadcast()
	return group, true
}

// close has the writer take what is there and end. Only the first close does.
func (q *queue) close() (first bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.closed = true
	q.now()
	q.room.Broadcast()
	return true
}
