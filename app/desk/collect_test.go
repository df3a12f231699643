package desk

import (
	"runtime"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"
)

// pace is Go's pace of collecting; asking for it changes nothing.
func pace() int {
	now := debug.SetGCPercent(100)
	debug.SetGCPercent(now)
	return now
}

// whileCalled runs a test from Go's own pace on, in time that is not real, and ends
// when its collecting has come to rest.
func whileCalled(t *testing.T, own int, test func(t *testing.T, c *collecting)) {
	t.Helper()
	before := debug.SetGCPercent(own)
	defer debug.SetGCPercent(before)
	runtime.GC()
	synctest.Test(t, func(t *testing.T) {
		test(t, &collecting{})
		time.Sleep(3 * calm)
	})
}

func TestGoCollectsSeldomWhileFunctionsAreCalledAndAtItsOwnPaceOtherwise(t *testing.T) {
	whileCalled(t, 100, func(t *testing.T, c *collecting) {
		for range 3 {
			for range 4 { // a call now and then
				c.called()
				if got := pace(); got <= 100 || got > slowest {
					t.Errorf("while functions are called the pace is %d, want one above 100, up to %d", got, slowest)
				}
				time.Sleep(calm / 2)
			}
			time.Sleep(2 * calm)
			if got := pace(); got != 100 {
				t.Errorf("when nothing is called the pace is %d, want Go's own", got)
			}
		}
	})
}

// Several times as much as is held would be too much where that is hundreds of
// megabytes.
func TestWhereMuchIsHeldGoCollectsAtItsOwnPace(t *testing.T) {
	whileCalled(t, 100, func(t *testing.T, c *collecting) {
		c.called()
		much := make([]byte, 2*room)
		for range 1000 { // what follows a collection follows it soon, and in a goroutine of Go's
			if pace() == 100 {
				break
			}
			runtime.GC()
			runtime.Gosched()
		}
		if got := pace(); got != 100 {
			t.Errorf("%d MB are held and the pace is %d", len(much)>>20, got)
		}
		runtime.KeepAlive(much)
	})
}

func TestAPaceThatIsSlowerStillIsLeftAlone(t *testing.T) {
	for _, own := range []int{-1, 2 * slowest} {
		whileCalled(t, own, func(t *testing.T, c *collecting) {
			c.called()
			if got := pace(); got != own {
				t.Errorf("the pace is %d, was %d", got, own)
			}
		})
	}
}
