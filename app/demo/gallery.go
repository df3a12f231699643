package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
)

// Shown is a demo as the gallery shows it.
type Shown struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Request string `json:"request"`
	Notice  string `json:"notice"`
	Playing bool   `json:"playing"`
}

// Gallery plays demos for the page. Each is a process of its own, with its own
// window, data and log: what a demo does can then touch neither the person's log
// nor a run that waits, and it goes the very way that it goes from a terminal.
type Gallery struct {
	program string // the path of this program
	demos   []Shown

	mu      sync.Mutex
	playing map[string]*exec.Cmd
	closed  bool
	all     sync.WaitGroup
}

// quitTime is how long a demo may take to end when the app ends.
const quitTime = 3 * time.Second

// NewGallery makes a gallery of these demos. program is what plays them:
// “PROGRAM demo NAME”.
func NewGallery(program string, demos []Shown) *Gallery {
	return &Gallery{program: program, demos: demos, playing: map[string]*exec.Cmd{}}
}

// Operations are what the page may ask for:
//
//	demos     {}      → [Shown…]
//	demo.play {name}  → Played, when the demo's window has been closed
func (g *Gallery) Operations() []app.Operation {
	return []app.Operation{
		{Name: "demos", Do: func(_ context.Context, raw json.RawMessage) (any, error) {
			_, err := operation.Args[operation.None]("demos", raw)
			return g.list(), err
		}},
		{Name: "demo.play", Do: func(ctx context.Context, raw json.RawMessage) (any, error) {
			args, err := operation.Args[struct {
				Name string `json:"name"`
			}]("demo.play", raw)
			if err != nil {
				return nil, err
			}
			return g.play(ctx, args.Name)
		}},
	}
}

func (g *Gallery) list() []Shown {
	g.mu.Lock()
	defer g.mu.Unlock()
	list := make([]Shown, len(g.demos))
	copy(list, g.demos)
	for i := range list {
		list[i].Playing = g.playing[list[i].Name] != nil
	}
	return list
}

// Played is how a demo ended: as it should, or why not.
type Played struct {
	Good    bool   `json:"good"`
	Message string `json:"message,omitempty"`
}

// play starts a demo and waits until its window has gone. A page that is loaded
// again in the meantime learns from demos that it still plays.
func (g *Gallery) play(ctx context.Context, name string) (Played, error) {
	said := &tail{}
	cmd, err := g.start(name, said)
	if err != nil {
		return Played{}, err
	}
	ended := make(chan error, 1)
	go func() {
		defer g.all.Done()
		err := cmd.Wait()
		g.mu.Lock()
		delete(g.playing, name)
		g.mu.Unlock()
		ended <- err
	}()
	select {
	case <-ctx.Done():
		return Played{}, app.Errorf(app.Cancelled, "nobody waits for the demo %s any more; its window is still open", name)
	case err := <-ended:
		if err == nil {
			return Played{Good: true}, nil
		}
		if text := said.text(); text != "" {
			return Played{Message: text}, nil
		}
		return Played{Message: err.Error()}, nil
	}
}

func (g *Gallery) start(name string, said *tail) (*exec.Cmd, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := false
	for _, d := range g.demos {
		known = known || d.Name == name
	}
	switch {
	case !known: // the name becomes an argument of a program: only one of ours may
		return nil, app.Errorf(app.BadRequest, "there is no demo %q", name)
	case g.closed:
		return nil, app.Errorf(app.Cancelled, "the app is closing")
	case g.playing[name] != nil:
		return nil, app.Errorf(app.BadRequest, "the demo %s plays already, in a window of its own", name)
	}
	cmd := exec.Command(g.program, "demo", name)
	cmd.Stderr = said
	if err := start(cmd); err != nil {
		return nil, app.Errorf(app.FunctionFailed, "the demo %s could not be started: %s", name, err)
	}
	g.playing[name] = cmd
	g.all.Add(1)
	return cmd, nil
}

// Close ends the demos that still play, and waits for them.
func (g *Gallery) Close() error {
	g.mu.Lock()
	g.closed = true
	var failed []error
	for name, cmd := range g.playing {
		if err := cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
			failed = append(failed, fmt.Errorf("end the demo %s: %w", name, errors.Join(err, cmd.Process.Kill())))
		}
	}
	g.mu.Unlock()
	gone := make(chan struct{})
	go func() { g.all.Wait(); close(gone) }()
	select {
	case <-gone:
	case <-time.After(quitTime):
		g.mu.Lock()
		for _, cmd := range g.playing {
			failed = append(failed, cmd.Process.Kill())
		}
		g.mu.Unlock()
	}
	return errors.Join(failed...)
}

// tail keeps the end of what a program says, to show when it failed.
type tail struct {
	mu   sync.Mutex
	said []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const most = 4 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.said = append(t.said, p...)
	t.said = t.said[max(0, len(t.said)-most):]
	return len(p), nil
}

// text is what stands after the program's name in its last words.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	const own = "countersign: "
	text := strings.ToValidUTF8(string(t.said), "�")
	if at := strings.LastIndex(text, own); at >= 0 {
		text = text[at+len(own):]
	}
	return strings.TrimSpace(text)
}
