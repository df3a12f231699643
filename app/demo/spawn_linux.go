package demo

import (
	"math"
	"os/exec"

	"golang.org/x/sys/unix"
)

// start starts a program that inherits none of this one's open files. Wails
// answers the webview over pipes that children would inherit, and an answer is
// over for the page only when nobody holds its pipe any more.
func start(cmd *exec.Cmd) error {
	// Marked, not closed; where the kernel cannot, a demo still plays.
	_ = unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
	return cmd.Start()
}
