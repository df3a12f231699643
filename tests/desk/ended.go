//go:build desktoptest

package desk

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The program's web view has processes of its own, which write into the desk's
// folder, and end a moment after the program.

// Ended waits until no process of this desk is left.
func (d *Desk) Ended() {
	d.t.Helper()
	var left []string
	Eventually(d.t, "every process of the program has ended", func() bool {
		left = d.processes()
		return len(left) == 0
	}, func() string { return strings.Join(left, ", ") })
}

// processes are the running ones with this desk's folder in their environment, as
// “number name”. One that has ended, and that nobody has asked about, has none.
func (d *Desk) processes() (found []string) {
	mark := []byte("XDG_DATA_HOME=" + filepath.Join(d.Dir, "data") + "\x00")
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		d.t.Fatal(err)
	}
	for _, path := range all {
		environment, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(environment, mark) { // it has ended, or is the system's
			continue
		}
		name, err := os.ReadFile(filepath.Join(filepath.Dir(path), "comm"))
		if err != nil {
			continue
		}
		found = append(found, fmt.Sprintf("%s %s", filepath.Base(filepath.Dir(path)), strings.TrimSpace(string(name))))
	}
	return found
}

// Alive reports whether a process with this id runs. One that has ended and that
// its new parent has not asked about does not.
func Alive(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(status), ") ")
	return !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}
