package desk

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// A call leaves some eight kilobytes behind, and what the app holds is a few
// megabytes. At Go's own pace, a collection whenever as much was left as is held, a
// program that makes calls by the hundred pays for one every few hundred of them:
// five milliseconds of a processor that the page, the program and the log want too.
const (
	// room is how much may be left between two collections while functions are
	// called, in bytes. Where more is held than that, Go's own pace leaves more.
	room = 32 << 20
	// slowest is the pace at which little is held, as a percentage of it.
	slowest = 500
	// calm is how long no function was called until Go has its own pace again. What
	// was left is collected then.
	calm = time.Second
)

// collecting paces Go's collector by whether functions are called.
type collecting struct {
	calls atomic.Int64
	busy  atomic.Bool

	mu       sync.Mutex
	own      int  // the pace that the app was started with
	now      int  // what it is set to
	known    bool // both are
	followed bool // the next collection is followed by a look at the pace
}

// called notes that a function is called.
func (c *collecting) called() {
	calls := c.calls.Add(1)
	if c.busy.Load() || !c.busy.CompareAndSwap(false, true) {
		return
	}
	c.mu.Lock()
	if !c.known { // the first time only: later what is set may be ours
		c.own, c.now, c.known = debug.SetGCPercent(slowest), slowest, true
	}
	followed := c.followed
	c.followed = true
	c.mu.Unlock()
	c.pace()
	if !followed {
		c.afterNext()
	}
	c.whenCalm(calls)
}

// pace sets how much may be left by how much is held.
func (c *collecting) pace() {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := c.own
	if c.busy.Load() && next >= 0 { // below 0 nothing is collected, since whoever started the app wants it so
		next = max(next, min(slowest, int(room*100/max(held(), 1))))
	}
	if next != c.now {
		debug.SetGCPercent(next)
		c.now = next
	}
}

// afterNext sets the pace after the next collection, and after each that follows
// while functions are called: how much is held may have become another.
func (c *collecting) afterNext() {
	type sentinel struct{ _ *int } // with a pointer, or it would share its memory with others
	runtime.AddCleanup(new(sentinel), func(c *collecting) {
		c.mu.Lock()
		c.followed = c.busy.Load()
		goesOn := c.followed
		c.mu.Unlock()
		if goesOn {
			c.pace()
			c.afterNext()
		}
	}, c)
}

// whenCalm gives Go its own pace back once nothing was called for a while.
func (c *collecting) whenCalm(calls int64) {
	time.AfterFunc(calm, func() {
		if now := c.calls.Load(); now != calls {
			c.whenCalm(now)
			return
		}
		c.busy.Store(false)
		c.pace()
	})
}

// held is how much the last collection found in use, in bytes.
func held() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return room // not known: Go's own pace
	}
	return sample[0].Value.Uint64()
}
