package spawn

import (
	"math"

	"golang.org/x/sys/unix"
)

// keepDescriptors marks and closes nothing. On a kernel before 5.11 it does
// nothing, and a child may hold what it should not.
func keepDescriptors() { _ = unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) }
