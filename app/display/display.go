// Package display starts a virtual screen for work without one: headless demos,
// tests and screenshots.
package display

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// startTimeout is how long the X server may take to say its number.
const startTimeout = 20 * time.Second

// Virtual is an X server without a screen (Xvfb) that belongs to this process.
type Virtual struct {
	Name string // “:93”, for DISPLAY
	cmd  *exec.Cmd
	done chan struct{} // closed when the server has ended
}

// Start starts a virtual screen of width × height pixels. The server picks a
// free number by itself, and ends with this process, however that ends.
func Start(width, height int) (*Virtual, error) {
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		return nil, errors.New("there is no display and Xvfb is not installed: set DISPLAY or install the package xvfb")
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start Xvfb: %w", err)
	}
	defer read.Close()
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height), "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{write}
	dieWithParent(cmd)

	v := &Virtual{cmd: cmd, done: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		// The kernel ties “die with the parent” to the thread that started the
		// child, so that thread must live as long as the child does.
		runtime.LockOSThread()
		err := cmd.Start()
		write.Close()
		started <- err
		if err == nil {
			_ = cmd.Wait() // how it ended shows at the pipe below, or is our own Close
		}
		close(v.done)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start Xvfb: %w", err)
	}
	if err := read.SetReadDeadline(time.Now().Add(startTimeout)); err != nil {
		v.Close()
		return nil, fmt.Errorf("start Xvfb: %w", err)
	}
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		v.Close()
		return nil, fmt.Errorf("no display number came from Xvfb within %v: %w", startTimeout, err)
	}
	v.Name = ":" + strings.TrimSpace(number)
	return v, nil
}

// Close ends the server and waits until it is gone.
func (v *Virtual) Close() {
	_ = v.cmd.Process.Signal(os.Interrupt) // it removes its socket and lock file
	select {
	case <-v.done:
	case <-time.After(2 * time.Second):
		_ = v.cmd.Process.Kill()
		<-v.done
	}
}
