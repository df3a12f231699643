// Package dispatch is the one path of a call:
//
//	enter the run → find the function → check the input → marked?
//	  → consume the decision → log started → run → log settled → value
//
// A marked call runs only with a decision of the gate, on the input that the
// decision holds, and only after its start is on disk. An unmarked call waits
// for neither of its entries: they go with the group commit that follows, in
// the order in which they were given, and every marked call waits for those
// before it.
package dispatch

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

// cancelTime is how long a cancelled function may take to notice before its
// caller is answered without it.
const cancelTime = 250 * time.Millisecond

// Gate is what dispatch needs of the gate.
type Gate interface {
	// Enter lets a call into a run that is on. The context ends with the run;
	// the function is called when the call is over.
	Enter(ctx context.Context, call app.Call) (context.Context, func(), error)
	// Functions are those that the run began with.
	Functions(runID string) app.Functions
	// Consume takes the unused approval for exactly this call.
	Consume(call app.Call) (app.Decision, error)
}

// Dispatcher executes calls.
type Dispatcher struct {
	log       app.Log
	functions app.Functions
	gate      Gate

	mu      sync.Mutex
	owed    []app.Entry   // could not be written; go before the next marked call
	unheard []followed    // entries of unmarked calls, until the log has answered
	heeding bool          // a goroutine hears what the log says of them
	running int           // functions that have not returned
	idle    chan struct{} // closed when running falls to 0; nil: nobody waits
}

// New makes a dispatcher.
func New(log app.Log, functions app.Functions, gate Gate) *Dispatcher {
	return &Dispatcher{log: log, functions: functions, gate: gate}
}

// job is a call on its way.
type job struct {
	app.Call
	function *app.Function
	marked   bool
	began    time.Time
	leave    func()
	answered atomic.Bool // its caller knows what came of it
	left     atomic.Bool // and knew it before the function returned
}

type outcome struct {
	value app.Value
	err   error
}

// Call executes a call in the goroutine that it is called from and returns its
// value. Errors are *app.Error; every code but FunctionFailed, FunctionPanicked,
// InvalidOutput, Cancelled and LogUnavailable means that nothing ran, and the text
// of those says it.
//
// Two ways lead past the return: a call that was cancelled and whose function does
// not stop within cancelTime is given up, and a function may end its goroutine. The
// error then goes to otherwise, once, from whichever goroutine; what Call returns
// later, if it returns, answers nobody.
func (d *Dispatcher) Call(ctx context.Context, call app.Call, otherwise func(error)) (app.Value, error) {
	inner, leave, err := d.gate.Enter(ctx, call)
	if err != nil {
		return nil, d.refuse(call, err)
	}
	j := &job{Call: call, leave: leave}
	if err := d.admit(inner, j); err != nil {
		leave()
		return nil, err
	}
	d.enter()
	o := d.execute(inner, j, otherwise)
	return o.value, o.err
}

// giveUp answers for a cancelled call whose function does not stop in time.
func giveUp(j *job, otherwise func(error)) {
	time.AfterFunc(cancelTime, func() {
		if j.answered.CompareAndSwap(false, true) {
			j.left.Store(true)
			otherwise(app.Errorf(app.Cancelled, "%s was cancelled while it was running and has not stopped; how it ends will be in the log", j.Fn))
		}
	})
}

// admit does everything before the function runs.
func (d *Dispatcher) admit(ctx context.Context, j *job) error {
	f, ok := d.gate.Functions(j.RunID).Find(j.Fn)
	if !ok {
		return d.refuse(j.Call, app.Errorf(app.UnknownFunction, "there is no function %.80q", j.Fn))
	}
	j.function = f
	canonical, err := value.Canonical(j.Input, "input")
	if err != nil {
		return d.refuse(j.Call, err)
	}
	j.Input = canonical
	today, _ := d.functions.Find(j.Fn)
	if j.marked, err = f.JudgeAlso(today, canonical); err != nil {
		return d.refuse(j.Call, err)
	}
	if j.marked {
		decision, err := d.gate.Consume(j.Call)
		if err != nil {
			return d.refuse(j.Call, err)
		}
		j.Call = decision.Call // what was shown, whatever was sent now
	}
	if ctx.Err() != nil {
		return d.refuse(j.Call, app.Errorf(app.Cancelled, "%s was cancelled before it ran", j.Fn))
	}
	return d.start(j)
}

// start logs that the call is about to execute.
func (d *Dispatcher) start(j *job) error {
	j.began = time.Now()
	body := app.CallStartedBody{Marked: j.marked, Digest: j.Input.Digest()}
	if !j.marked {
		body.Input = j.Input
		d.follow(keeping(j.function.InputSecrets(j.Input), entryOf(app.CallStarted, j.Call, startedText(body))))
		return nil
	}
	if err := d.appendAfterOwed(keeping(j.function.InputSecrets(j.Input), entryOf(app.CallStarted, j.Call, startedText(body)))); err != nil {
		return &app.Error{Code: app.LogUnavailable, Cause: err,
			Message: j.Fn + " did not run, since its start cannot be logged: " + message(err)}
	}
	return nil
}

// appendAfterOwed writes an entry, and before it, in one commit, what could not
// be written earlier: nothing marked runs while the log has a gap.
func (d *Dispatcher) appendAfterOwed(e app.Entry) error {
	// The log answers in order, so e would wait for these in any case; only then
	// is it known what is owed.
	if err := d.heard(context.Background()); err != nil {
		return err
	}
	d.mu.Lock()
	if len(d.owed) == 0 {
		d.mu.Unlock()
		return d.log.Append(context.Background(), e)
	}
	defer d.mu.Unlock()
	if err := d.log.Append(context.Background(), append(d.owed[:len(d.owed):len(d.owed)], e)...); err != nil {
		return err
	}
	d.owed = nil
	return nil
}

// maxOwed bounds what is kept while the log cannot be written.
const maxOwed = 10_000

func (d *Dispatcher) owe(entries ...app.Entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.owed)+len(entries) > maxOwed {
		slog.Error("the log has not been writable for so long that entries are dropped", "entries", len(entries))
		return
	}
	d.owed = append(d.owed, entries...)
}

// refuse logs that a call did not run, and why. That it did not run is true
// whether or not this can be logged.
func (d *Dispatcher) refuse(call app.Call, reason error) error {
	body := app.CallRefusedBody{Code: app.CodeOf(reason), Message: message(reason)}
	call.RunID, call.CallID, call.Fn = clip(call.RunID), clip(call.CallID), clip(call.Fn)
	var secrets []string
	if canonical, err := value.Canonical(call.Input, "input"); err == nil {
		body.Input = canonical // what is no value is in the message
		f, _ := d.gate.Functions(call.RunID).Find(call.Fn)
		secrets = f.InputSecrets(canonical)
	}
	if err := <-d.log.AppendSoon(keeping(secrets, entry(app.CallRefused, call, body))); err != nil {
		slog.Error("a refused call could not be logged", "fn", call.Fn, "error", err)
	}
	return reason
}

// Wait waits until no function is executing, or ctx ends, and writes what the
// log is owed. It is for the end of the app, before the log is closed.
func (d *Dispatcher) Wait(ctx context.Context) error {
	d.mu.Lock()
	if d.running > 0 {
		if d.idle == nil {
			d.idle = make(chan struct{})
		}
		idle := d.idle
		d.mu.Unlock()
		select {
		case <-idle:
		case <-ctx.Done():
			return ctx.Err()
		}
		d.mu.Lock()
	}
	d.mu.Unlock()
	if err := d.heard(ctx); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.owed) == 0 {
		return nil
	}
	if err := d.log.Append(ctx, d.owed...); err != nil {
		return err
	}
	d.owed = nil
	return nil
}

func (d *Dispatcher) enter() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running++
}

func (d *Dispatcher) exit() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.running--; d.running == 0 && d.idle != nil {
		close(d.idle)
		d.idle = nil
	}
}

// keeping names the parts of an entry that the log keeps secret.
func keeping(secrets []string, e app.Entry) app.Entry {
	e.Secrets = secrets
	return e
}

func entry(kind app.Kind, call app.Call, body any) app.Entry {
	return entryOf(kind, call, marshal(body))
}

func entryOf(kind app.Kind, call app.Call, body json.RawMessage) app.Entry {
	return app.Entry{At: time.Now(), Kind: kind, RunID: call.RunID, CallID: call.CallID, Seq: call.Seq, Fn: call.Fn, Body: body}
}
