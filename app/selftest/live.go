package selftest

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
)

// Canary is a server that hears whatever gets out of the sandbox.
type Canary interface {
	Address() string
	Heard() int64
	// Knock connects to it as an escaped program would, to prove that it hears.
	Knock(ctx context.Context) error
	Close() error
}

// Live is Go's part of the checks that a person runs in the app's own window. It
// listens only while they run.
type Live struct {
	open func() (Canary, error)

	mu     sync.Mutex
	canary Canary // nil: nobody checks
}

// NewLive makes it; open starts a canary.
func NewLive(open func() (Canary, error)) *Live { return &Live{open: open} }

// Operations are what the page may ask for:
//
//	isolation.begin {}  → {canary: address}
//	isolation.heard {}  → {connections: number}   since the beginning
//	isolation.knock {}  → {}
//	isolation.end   {}  → {}
func (l *Live) Operations() []app.Operation {
	do := func(name string, do func(ctx context.Context) (any, error)) app.Operation {
		return app.Operation{Name: name, Do: func(ctx context.Context, raw json.RawMessage) (any, error) {
			if _, err := operation.Args[operation.None](name, raw); err != nil {
				return nil, err
			}
			return do(ctx)
		}}
	}
	return []app.Operation{
		do("isolation.begin", func(context.Context) (any, error) {
			if err := l.Close(); err != nil { // of a page that was loaded again
				return nil, err
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			canary, err := l.open()
			if err != nil {
				return nil, app.Errorf(app.FunctionFailed, "the checks cannot begin: %s", err)
			}
			l.canary = canary
			return struct {
				Canary string `json:"canary"`
			}{canary.Address()}, nil
		}),
		do("isolation.heard", func(context.Context) (any, error) {
			canary, err := l.running()
			if err != nil {
				return nil, err
			}
			return struct {
				Connections int64 `json:"connections"`
			}{canary.Heard()}, nil
		}),
		do("isolation.knock", func(ctx context.Context) (any, error) {
			canary, err := l.running()
			if err != nil {
				return nil, err
			}
			return operation.None{}, canary.Knock(ctx)
		}),
		do("isolation.end", func(context.Context) (any, error) { return operation.None{}, l.Close() }),
	}
}

func (l *Live) running() (Canary, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.canary == nil {
		return nil, app.Errorf(app.BadRequest, "no checks are running; isolation.begin begins them")
	}
	return l.canary, nil
}

// Close stops listening.
func (l *Live) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.canary == nil {
		return nil
	}
	canary := l.canary
	l.canary = nil
	return errors.Join(canary.Close())
}
