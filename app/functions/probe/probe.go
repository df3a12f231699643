// Package probe defines the functions of the self-test: what its programs call,
// and a loopback server that hears whatever gets out of the sandbox.
package probe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/registry"
	"github.com/faustine-ai/countersign/app/value"
)

// Probe is a canary and a counter that only approved calls may move.
type Probe struct {
	heard, touched atomic.Int64
	listener       net.Listener
}

// Open starts the canary on a free port of the loopback interface.
func Open() (*Probe, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("the canary cannot listen: %w", err)
	}
	p := &Probe{listener: listener}
	// Connections count, not requests: what does not speak HTTP has got out too.
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return // closed
			}
			p.heard.Add(1)
			go answer(connection)
		}
	}()
	return p, nil
}

func answer(connection net.Conn) {
	defer connection.Close()
	if connection.SetDeadline(time.Now().Add(2*time.Second)) != nil {
		return
	}
	// As open as a server can be, so that only the sandbox stands in the way.
	_, _ = io.WriteString(connection, "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Type: text/javascript\r\nContent-Length: 16\r\nConnection: close\r\n\r\nexport default 1")
	_, _ = io.Copy(io.Discard, connection)
}

// Address is where the canary listens: “http://127.0.0.1:40123/”.
func (p *Probe) Address() string { return "http://" + p.listener.Addr().String() + "/" }

// Close stops the canary.
func (p *Probe) Close() error { return p.listener.Close() }

// Heard is how many connections the canary has met.
func (p *Probe) Heard() int64 { return p.heard.Load() }

// Touched is how often a marked call has executed.
func (p *Probe) Touched() int64 { return p.touched.Load() }

// Touch is the input of probe.touch. Answer is what the self-test's presenter
// does in place of a person; see package selftest.
type Touch struct {
	Answer string `json:"answer"`
	N      int    `json:"n,omitempty"`
}

type none struct{}

// Functions returns the family's functions.
func (p *Probe) Functions() []*app.Function {
	return []*app.Function{
		registry.Define("probe.echo", func(_ context.Context, in app.Value) (app.Value, error) { return in, nil },
			registry.Title("Echo")),
		registry.Define("probe.size", func(_ context.Context, in app.Value) (int, error) { return len(in), nil },
			registry.Title("Size of a value")),
		registry.Define("probe.touch", func(_ context.Context, in Touch) (int64, error) { return p.touched.Add(1), nil },
			registry.Title("Touch"), registry.Plural("Touch {n} times"), registry.Marked()),
		registry.Define("probe.touched", func(context.Context, none) (int64, error) { return p.touched.Load(), nil },
			registry.Title("How often touched")),
		registry.Define("probe.heard", func(context.Context, none) (int64, error) { return p.heard.Load(), nil },
			registry.Title("What the canary heard")),
		registry.Define("probe.knock", p.knock, registry.Title("Knock at the canary")),
		registry.Define("probe.panic", func(context.Context, none) (int, error) { panic("a bug in a function") },
			registry.Title("Panic")),
		registry.Define("probe.fail", func(context.Context, none) (int, error) { return 0, errors.New("the function says no") },
			registry.Title("Fail")),
		registry.Define("probe.wait", func(ctx context.Context, _ none) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}, registry.Title("Wait for the end of the run")),
		registry.Define("probe.date", func(context.Context, none) (app.Value, error) {
			return value.Date(time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)), nil
		}, registry.Title("A date")),
	}
}

// Knock connects to the canary as an escaped program would, to prove that it hears.
func (p *Probe) Knock(ctx context.Context) error {
	connection, err := new(net.Dialer).DialContext(ctx, "tcp", p.listener.Addr().String())
	if err != nil {
		return err
	}
	// It has been heard before it answers.
	_, err = io.ReadFull(connection, make([]byte, 1))
	return errors.Join(err, connection.Close())
}

func (p *Probe) knock(ctx context.Context, _ none) (int64, error) {
	err := p.Knock(ctx)
	return p.heard.Load(), err
}
