// Package gate holds marked calls until a person has decided on them. It is the
// one door: an approval comes into being here, after a card, and dispatch can
// take it once, for the very call that was shown.
//
//	requested (logged) → card → decided (logged) → consumed by dispatch
//
// Everything fails closed. A row that is unknown, invalid or not marked is
// rejected by policy without a card; a card that cannot be shown, panics or is
// closed approves nothing; when the log cannot be written nothing is approved;
// the end of a run voids what was approved and not used. What ended while the log
// could not be written is logged as soon as it can be (owed.go).
//
// A pending run outlives its page and the app (suspend.go, reopen.go): what it
// needs to go on is kept before its card shows and dropped with the decision.
package gate

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

// Gate knows the runs that are on and what was approved in them.
type Gate struct {
	log       app.Log
	functions app.Functions
	presenter app.Presenter
	version   string
	engine    string
	waiting   app.Waiting // nil: no pending run outlives its page
	library   string
	asks      func() bool // whether the person is asked at the moment

	owed owed // entries that could not be written yet

	turn chan struct{} // holds a token while a card is on screen; waiters queue first come, first served

	mu     sync.Mutex
	runs   map[string]*run           // on, or about to be
	ended  map[string]bool           // so that no run begins twice
	asleep map[string]bool           // suspended in this process
	known  map[string]app.WaitingRun // that wait, as far as this process has kept or read them
}

// Option adds to a gate.
type Option func(*Gate)

// Version is the version of the app, logged with every run.
func Version(v string) Option { return func(g *Gate) { g.version = v } }

// Engine is the webview's engine and version, logged with every run.
func Engine(e string) Option { return func(g *Gate) { g.engine = e } }

// Keep lets pending runs outlive their page and the app. library names the build
// of the sandbox, whose continuations no other build goes on with.
func Keep(waiting app.Waiting, library string) Option {
	return func(g *Gate) { g.waiting, g.library = waiting, library }
}

// Asks is whether the person is to be asked at all, as their settings are at that
// moment. While it is false no run that waited goes on: its card is not shown again.
func Asks(asks func() bool) Option { return func(g *Gate) { g.asks = asks } }

// New makes a gate. presenter shows its cards, one at a time.
func New(log app.Log, functions app.Functions, presenter app.Presenter, options ...Option) *Gate {
	g := &Gate{log: log, functions: functions, presenter: presenter, asks: func() bool { return true },
		turn: make(chan struct{}, 1), runs: map[string]*run{}, ended: map[string]bool{}, asleep: map[string]bool{}, known: map[string]app.WaitingRun{}}
	for _, o := range options {
		o(g)
	}
	return g
}

// Judge says whether a call of fn with this input waits for approval. It is
// false for what cannot run anyway, an unknown function or an invalid input:
// that call fails where it was made, before any card.
func (g *Gate) Judge(fn string, input app.Value) bool {
	f, ok := g.functions.Find(fn)
	if !ok {
		return false
	}
	canonical, err := value.Canonical(input, "input")
	if err != nil {
		return false
	}
	marked, err := f.Judge(canonical)
	return marked && err == nil
}

// Functions are those that a run began with, or those of today when it is not on.
func (g *Gate) Functions(runID string) app.Functions {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r := g.runs[runID]; r != nil {
		return r.functions
	}
	return g.functions
}

// entry makes an entry of a call; a body cannot fail to marshal.
func entry(kind app.Kind, call app.Call, body any) app.Entry {
	text, err := json.Marshal(body)
	if err != nil {
		panic("gate: a body cannot fail to marshal: " + err.Error())
	}
	return app.Entry{At: time.Now(), Kind: kind, RunID: call.RunID, CallID: call.CallID, Seq: call.Seq, Fn: call.Fn, Body: text}
}

// kept is a context for what must be written even if the caller has gone.
func kept(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }
