package mcp

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/faustine-ai/countersign/app/spawn"
)

// process is a server that was started. It has a process group of its own, so that
// what it starts ends with it.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     io.ReadCloser
	over    chan struct{} // closed when it has ended
	err     error         // how; read after over
	end     sync.Once
}

// How long a process may take to end after its input is closed, and again after it
// is asked to.
const endTime = 700 * time.Millisecond

func start(s Server, stderr io.Writer) (*process, error) {
	path, err := exec.LookPath(s.Command)
	if err != nil {
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no program %q; give its full path, or the name of one that is in PATH", s.Command)
		}
		return nil, fmt.Errorf("%q cannot be started: %w", s.Command, err)
	}
	p := &process{command: exec.Command(path, s.Args...), over: make(chan struct{})}
	p.command.Env = environment(s.Env)
	if home, err := os.UserHomeDir(); err == nil {
		p.command.Dir = home // not where the app happened to be started
	}
	p.command.Stderr = stderr
	p.command.WaitDelay = endTime // a child of it may keep its error output open
	ownGroup(p.command)
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	// A pipe of ours, since Wait would close the one that exec makes while the last
	// message is still being read.
	out, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.out, p.command.Stdout = out, write
	err = spawn.Start(p.command)
	_ = write.Close() // it is the process's now
	if err != nil {
		return nil, fmt.Errorf("%q cannot be started: %w", s.Command, closing(err, out))
	}
	go func() {
		p.err = p.command.Wait()
		killGroup(p.command) // what it has left behind
		close(p.over)
	}()
	return p, nil
}

func closing(err error, c io.Closer) error { return errors.Join(err, c.Close()) }

// stop ends the process: by the end of its input, then asked, then without asking.
func (p *process) stop() {
	p.end.Do(func() {
		_ = p.in.Close() // that it is closed already is fine
		for _, ask := range []func(*exec.Cmd){termGroup, killGroup} {
			select {
			case <-p.over:
			case <-time.After(endTime):
				ask(p.command)
			}
		}
		<-p.over
		_ = p.out.Close() // nobody reads it any more
	})
}

// how says how it has ended.
func (p *process) how() string {
	select {
	case <-p.over:
	case <-time.After(endTime):
		return "it closed its output"
	}
	var exit *exec.ExitError
	if errors.As(p.err, &exit) {
		return "it ended: " + exit.ProcessState.String()
	}
	return "it ended"
}
