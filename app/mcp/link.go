package mcp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/faustine-ai/countersign/app"
)

// state is how a server is.
type state string

const (
	starting state = "starting"
	ready    state = "ready"
	waiting  state = "waiting" // it failed, and is started again later
	stopped  state = "stopped"
)

// link is the connection to one server: it starts it, lists its tools, and starts
// it again when it ends.
type link struct {
	server Server
	tell   func() // something has changed
	ctx    context.Context
	cancel context.CancelFunc
	over   chan struct{} // closed when run has returned
	again  chan struct{} // holds a token: start anew now
	stderr tail

	mu        sync.Mutex
	name      string // as functions call it
	state     state
	problem   string    // why it is not ready
	retryAt   time.Time // when it is waiting
	about     mcp.Implementation
	session   *mcp.ClientSession // nil: none
	became    chan struct{}      // closed when the state changes
	confirmed map[string]string
	tools     []tool
	problems  []string // of its tools
	leave     func()   // ends what serve does, to start anew
}

func newLink(server Server, tell func()) *link {
	l := &link{server: server, tell: tell, name: server.Name, state: starting, confirmed: maps.Clone(server.ReadOnlyConfirmed),
		over: make(chan struct{}), again: make(chan struct{}, 1), became: make(chan struct{})}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l
}

// confirm takes what the person has confirmed by now.
func (l *link) confirm(confirmed map[string]string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.confirmed = maps.Clone(confirmed)
}

func (l *link) rename(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.name = name
}

// run keeps the server there until stop.
func (l *link) run() {
	defer close(l.over)
	legacy := false
	for failures := 0; ; {
		if l.ctx.Err() != nil {
			l.become(stopped, "", time.Time{})
			return
		}
		began := time.Now()
		l.become(starting, "", time.Time{})
		ctx, cancel := context.WithCancelCause(l.ctx)
		l.mu.Lock()
		l.leave = func() { cancel(errAsked) }
		l.mu.Unlock()
		err := l.serve(ctx, legacy)
		if errors.Is(context.Cause(ctx), errAsked) {
			err = errAsked
		}
		cancel(nil)
		if l.ctx.Err() != nil {
			continue
		}
		if !errors.Is(err, errAsked) {
			logEnd(l.server.Name, err)
		}
		// One that does not answer the newest way of beginning may know an older.
		legacy = !legacy && errors.Is(err, context.DeadlineExceeded)
		if time.Since(began) > quietTime {
			failures = 0
		}
		if errors.Is(err, errAsked) {
			failures = 0
			continue
		}
		pause := min(firstPause<<min(failures, 10), longPause)
		failures++
		l.become(waiting, err.Error(), time.Now().Add(pause))
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-l.again:
			failures = 0
		case <-l.ctx.Done():
		}
		timer.Stop()
	}
}

// stop ends the server and returns when its process is gone.
func (l *link) stop() {
	l.cancel()
	<-l.over
}

// restart starts the server anew, at once: it ends what goes on, or the pause.
func (l *link) restart() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state != waiting {
		if l.leave != nil {
			l.leave()
		}
		return
	}
	select {
	case l.again <- struct{}{}:
	default: // it is asked for already
	}
}

func (l *link) become(now state, problem string, retryAt time.Time) {
	l.mu.Lock()
	l.state, l.problem, l.retryAt = now, tame(problem, 500), retryAt
	if now != ready {
		l.session = nil
	}
	close(l.became)
	l.became = make(chan struct{})
	l.mu.Unlock()
	l.tell()
}

var errAsked = errors.New("it was asked to start again")

// serve connects, lists the tools and stays until the connection ends, or the
// server is to be started anew. Its error says why it ended.
func (l *link) serve(ctx context.Context, legacy bool) error {
	listing := make(chan struct{}, 1) // holds a token: the list has changed
	client := mcp.NewClient(&mcp.Implementation{Name: "countersign", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{}, // no roots, no sampling, no questions to the person
		KeepAlive:    keepAlive, KeepAliveFailureThreshold: 3,
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			select {
			case listing <- struct{}{}:
			default:
			}
		},
	})
	transport, process, err := l.transport()
	if err != nil {
		return err
	}
	if process != nil {
		defer process.stop()
	}
	options := &mcp.ClientSessionOptions{}
	if legacy {
		options.ProtocolVersion = "2025-11-25"
	}
	within, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	session, err := client.Connect(within, transport, options)
	if err != nil {
		return l.why(within, process, fmt.Errorf("it did not begin as it should: %w", orTime(within, err)))
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	defer l.close(session)
	if err := l.list(within, session); err != nil {
		return l.why(within, process, fmt.Errorf("it does not list its tools: %w", orTime(within, err)))
	}
	l.mu.Lock()
	l.session = session
	if result := session.InitializeResult(); result != nil && result.ServerInfo != nil {
		l.about = *result.ServerInfo
	}
	l.mu.Unlock()
	l.become(ready, "", time.Time{})
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ended:
			return l.why(ctx, process, errors.Join(errors.New("the connection ended"), err))
		case <-listing:
			l.relist(ctx, session)
		}
	}
}

// relist reads a list that has changed. A server that changes it all the time is
// heard once a second.
func (l *link) relist(ctx context.Context, session *mcp.ClientSession) {
	within, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if err := l.list(within, session); err != nil {
		l.mu.Lock()
		l.problems = append(l.problems, tame("its list has changed and cannot be read: "+err.Error(), 300))
		l.mu.Unlock()
	}
	l.tell()
	select {
	case <-ctx.Done():
	case <-time.After(time.Second):
	}
}

// close ends a session, without waiting for a server that does not answer.
func (l *link) close(session *mcp.ClientSession) {
	done := make(chan struct{})
	go func() {
		_ = session.Close() // it is over either way
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(endTime):
	}
}

func (l *link) transport() (mcp.Transport, *process, error) {
	if l.server.URL != "" {
		return overHTTP(l.server), nil, nil
	}
	p, err := start(l.server, &l.stderr)
	if err != nil {
		return nil, nil, err
	}
	return &mcp.IOTransport{Reader: linesOf(p.out), Writer: p.in, MaxLineLength: maxMoved}, p, nil
}

// why adds how the process has ended, when it has. Its end follows that of its
// output, on a busy machine not at once; one that did not answer in time, or is not
// wanted any more, is not waited for.
func (l *link) why(ctx context.Context, p *process, err error) error {
	if p == nil || ctx.Err() != nil {
		return err
	}
	select {
	case <-p.over:
		return fmt.Errorf("%s (%w)", p.how(), err)
	case <-ctx.Done():
		return err
	case <-time.After(2 * endTime):
		return err
	}
}

func orTime(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("it did not answer within %v: %w", startTime, ctx.Err())
	}
	return err
}

// connected gives the session, and waits for one that is being made.
func (l *link) connected(ctx context.Context) (*mcp.ClientSession, error) {
	for {
		l.mu.Lock()
		session, now, problem, retryAt, became := l.session, l.state, l.problem, l.retryAt, l.became
		l.mu.Unlock()
		switch {
		case session != nil:
			return session, nil
		case now == stopped || l.ctx.Err() != nil:
			return nil, app.Errorf(app.FunctionFailed, "the server %s is not in the settings any more; nothing was run", l.server.Name)
		case now == waiting:
			return nil, app.Errorf(app.FunctionFailed, "the server %s is not there, so nothing was run: %s. It is started again in %v", l.server.Name, problem, time.Until(retryAt).Round(time.Second))
		}
		select {
		case <-became:
		case <-l.ctx.Done():
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
