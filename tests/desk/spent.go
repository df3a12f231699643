//go:build desktoptest

package desk

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of times in /proc, whatever the kernel counts by.
const tick = 10 * time.Millisecond

// Spent is the processor time that the program's processes have used so far. How
// much else the machine has to do does not matter to it, as it does to a clock.
func (d *Desk) Spent() (all time.Duration) {
	d.t.Helper()
	for _, process := range d.processes() {
		pid, _, _ := strings.Cut(process, " ")
		status, err := os.ReadFile(fmt.Sprintf("/proc/%s/stat", pid))
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(status), ") ")
		fields := strings.Fields(rest)
		for _, field := range fields[11:13] { // utime and stime
			ticks, err := strconv.Atoi(field)
			if err != nil {
				d.t.Fatal(err)
			}
			all += time.Duration(ticks) * tick
		}
	}
	return all
}
