package bridge

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

func TestHandsCarryOutAllTheyAreGivenHoweverMuchIsUnderWay(t *testing.T) {
	h := &hands{}
	const many = 10 * mostFree
	for range 3 {
		var all, begun sync.WaitGroup
		var done atomic.Int64
		all.Add(many)
		begun.Add(many)
		for i := range many {
			h.do(func() {
				defer all.Done()
				begun.Done()
				begun.Wait() // ends only if all are under way at once
				done.Add(1)
				if i%7 == 0 {
					runtime.Goexit()
				}
			})
		}
		all.Wait()
		if done.Load() != many {
			t.Fatalf("%d of %d were carried out", done.Load(), many)
		}
	}
}
