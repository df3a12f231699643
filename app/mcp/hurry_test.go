//go:build unix

package mcp

import "time"

// Hurry gives servers less time; undo gives it back.
func Hurry(start, call time.Duration) (undo func()) {
	before, beforeCall := startTime, callTime
	startTime, callTime = start, call
	return func() { startTime, callTime = before, beforeCall }
}
