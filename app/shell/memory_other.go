//go:build !linux

package shell

// watchMemory has nothing to watch: elsewhere each web view bounds itself.
func (s *Shell) watchMemory() {}

func totalMemory() int64 { return 0 }
