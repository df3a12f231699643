package shell

import "fmt"

// mostMemory is how much memory the process of the page may use, in bytes, and
// mostShare which part of this machine's at most. A program's worker shares that
// process: it can grow without an end, and would take the machine along. The page
// itself needs a tenth of it.
const (
	mostMemory = 2 << 30
	mostShare  = 3
)

// memoryLimit is that limit on a machine with so much memory.
func memoryLimit(total int64) int64 {
	if total > 0 {
		return min(mostMemory, total/mostShare)
	}
	return mostMemory
}

func tooMuchMemory() string {
	return fmt.Sprintf("the program used too much memory: the page's process had more than %d MiB and was ended", memoryLimit(totalMemory())>>20)
}
