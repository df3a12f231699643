package shell

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// memoryTick is how often the page's process is looked at. A program that only
// fills memory fills a quarter of a GiB in that time.
const memoryTick = 100 * time.Millisecond

// watchMemory ends the page's process when it uses more memory than it may, until
// the window has gone. The kernel's own answer would come late, when the machine
// has none left, and might be to end another program.
//
// The signal goes to the process itself: the main loop may be slow to answer on a
// machine that runs out of memory.
func (s *Shell) watchMemory() {
	most := memoryLimit(totalMemory())
	ticks := time.NewTicker(memoryTick)
	defer ticks.Stop()
	var pages []int
	for looked := (time.Time{}); ; {
		select {
		case <-s.ended:
			return
		case <-ticks.C:
		}
		// Looking for processes reads all of /proc, so that is done when one may have
		// come or gone, and no more than once a second.
		if since := time.Since(looked); since > 5*time.Second || since > time.Second && !slices.ContainsFunc(pages, alive) {
			pages, looked = webProcesses(), time.Now()
		}
		for _, pid := range pages {
			if resident(pid) <= most || !s.greedy.CompareAndSwap(false, true) {
				continue
			}
			looked = time.Time{}
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				s.greedy.Store(false)
				fmt.Fprintln(os.Stderr, "countersign: the page's process uses too much memory and cannot be ended:", err)
			}
		}
	}
}

func alive(pid int) bool { return resident(pid) > 0 }

// webProcesses are the processes that run the page: children of this one.
func webProcesses() []int {
	found := []int{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return found
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + entry.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		name, rest, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(rest)
		if strings.Contains(name, "(WebKitWebProc") && len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			found = append(found, pid)
		}
	}
	return found
}

// resident is how much memory a process holds, in bytes; 0 when it has ended.
func resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// totalMemory is this machine's memory in bytes; 0 when it cannot be told.
func totalMemory() int64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}
