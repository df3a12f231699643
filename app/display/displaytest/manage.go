// Package displaytest gives a virtual display what a person's has: a window
// manager.
package displaytest

import (
	"fmt"
	"os/exec"
	"slices"
	"time"
)

// patience is how long openbox may take on a machine that has much else to do.
const patience = 60 * time.Second

// Manage starts openbox in an environment that names a display, and returns when
// it manages the windows there: what opens before has no focus, and GDK looks for
// a manager when it starts, and then not again for a while. change may set how it
// is started; stop ends it and waits for its end.
func Manage(environment []string, change ...func(*exec.Cmd)) (stop func(), err error) {
	manager := exec.Command("openbox", "--sm-disable")
	manager.Env = slices.Clone(environment)
	for _, c := range change {
		c(manager)
	}
	if err := manager.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		_ = manager.Wait() // it is killed
		close(ended)
	}()
	stop = func() {
		_ = manager.Process.Kill()
		<-ended
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(patience); ; {
		// Only a manager that is there says which parts of its protocol it keeps.
		asked := exec.Command("xdotool", "get_num_desktops")
		asked.Env = manager.Env
		out, err := asked.CombinedOutput()
		if err == nil {
			return stop, nil
		}
		select {
		case <-tick.C:
		case <-ended:
			return nil, fmt.Errorf("openbox ended at once: %v", manager.ProcessState)
		case <-late:
			stop()
			return nil, fmt.Errorf("openbox did not begin within %v: %v: %s", patience, err, out)
		}
	}
}
