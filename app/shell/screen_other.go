//go:build !linux

package shell

// Ready has nothing to report: these systems have a display.
func Ready() error { return nil }

func workArea() (width, height int, known bool) { return 0, 0, false }
