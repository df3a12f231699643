package shell

import "testing"

func TestThePageMayUseAThirdOfTheMachineAndTwoGiBAtMost(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct{ total, want int64 }{{0, 2 * gib}, {3 * gib, gib}, {6 * gib, 2 * gib}, {64 * gib, 2 * gib}} {
		if got := memoryLimit(c.total); got != c.want {
			t.Errorf("of %d bytes: %d, want %d", c.total, got, c.want)
		}
	}
}
