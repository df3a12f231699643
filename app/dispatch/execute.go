package dispatch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

// execute runs the function, so that a panic, a nil dereference or runtime.Goexit
// ends this call and nothing else. (A panic in a goroutine that the function started
// itself cannot be caught by anyone.)
func (d *Dispatcher) execute(ctx context.Context, j *job, otherwise func(error)) (o outcome) {
	stop := context.AfterFunc(ctx, func() { giveUp(j, otherwise) })
	returned := false
	defer func() {
		if p := recover(); p != nil {
			// The stack is for us: it tells nothing to the program but our layout.
			slog.Error("a function panicked", "fn", j.Fn, "panic", p, "stack", string(debug.Stack()))
			o = outcome{err: &app.Error{Code: app.FunctionPanicked, Cause: fmt.Errorf("panic: %v", p), Message: j.Fn + " failed unexpectedly; whether it took effect is not known"}}
			returned = true
		} else if !returned { // Goexit
			o = outcome{err: app.Errorf(app.FunctionPanicked, "%s ended without a result; whether it took effect is not known", j.Fn)}
		}
		o = d.settle(j, o)
		stop()
		j.leave() // which ends ctx
		d.exit()
		if j.answered.CompareAndSwap(false, true) && !returned {
			otherwise(o.err)
		}
	}()
	o = d.run(ctx, j)
	returned = true
	return o
}

// run gives what the function returns, if that is a value.
func (d *Dispatcher) run(ctx context.Context, j *job) outcome {
	v, err := j.function.Run(ctx, j.Call)
	if err != nil {
		return outcome{err: failure(ctx, j.Fn, err)}
	}
	canonical, err := value.Canonical(v, "the result of "+j.Fn)
	if err != nil {
		return outcome{err: &app.Error{Code: app.InvalidOutput, Cause: err, Message: message(err)}}
	}
	return outcome{value: canonical}
}

// failure gives the error that the program sees. A function may say what is
// wrong with its input or output; the other codes are not its to use.
func failure(ctx context.Context, fn string, err error) error {
	var known *app.Error
	if errors.As(err, &known) {
		switch known.Code {
		case app.InvalidInput, app.InvalidOutput, app.FunctionFailed:
			return known
		}
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return &app.Error{Code: app.Cancelled, Cause: err, Message: fn + " was cancelled while it was running; whether it took effect is not known"}
	}
	text := strings.TrimSpace(err.Error())
	if known != nil {
		text = known.Message
	}
	if text == "" {
		text = fn + " failed without saying why"
	}
	return &app.Error{Code: app.FunctionFailed, Cause: err, Message: text}
}

// settle logs the outcome. When that fails after a marked call, the caller is
// told so instead of the outcome; the entry is owed, and no marked call runs
// before it is written. An unmarked call changed nothing, so its outcome is
// handed over all the same.
func (d *Dispatcher) settle(j *job, o outcome) outcome {
	body := app.CallSettledBody{Value: o.value, Ms: float64(time.Since(j.began).Microseconds()) / 1000, Late: j.left.Load()}
	if o.err != nil {
		body.Error = &app.Reason{Name: string(app.CodeOf(o.err)), Message: message(o.err)}
	}
	settled := keeping(j.function.OutputSecrets(o.value), entryOf(app.CallSettled, j.Call, settledText(body)))
	if !j.marked {
		d.follow(settled)
		return o
	}
	if err := d.appendAfterOwed(settled); err != nil {
		d.owe(settled)
		slog.Error("the outcome of a marked call could not be logged", "fn", j.Fn, "error", err)
		how := "succeeded"
		if o.err != nil {
			how = "failed (" + message(o.err) + ")"
		}
		return outcome{err: &app.Error{Code: app.LogUnavailable, Cause: err,
			Message: fmt.Sprintf("%s ran and %s, but that could not be logged: %s. Do not run it again; calls that need approval stay stopped until the log can be written", j.Fn, how, message(err))}}
	}
	return o
}

func message(err error) string {
	var e *app.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

// clip bounds an id that is refused for its length, or is not UTF-8.
func clip(s string) string {
	const most = 200
	if len(s) > most {
		s = s[:most] + "…"
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	return s
}
