package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/gate"
	"github.com/faustine-ai/countersign/app/operation"
)

// op carries out one request; what it returns is marshalled as ok.
type op func(b *Bridge, ctx context.Context, l *load, r request) (any, error)

// withOps gives every op the bridge carries: those of a run, and what the
// configuration adds.
func withOps(added []app.Operation) (map[string]op, error) {
	ops := map[string]op{
		"hello":     hello,
		"functions": functions,
		"run.begin": runBegin,
		"run.end":   runEnd,
		"judge":     judge,
		"call":      call,
		"decide":    decide,

		"waiting":         waiting,
		"waiting.read":    waitingRead,
		"waiting.decide":  waitingDecide,
		"waiting.dismiss": waitingDismiss,

		"cancel":     cancel,
		"transcript": transcript,
		"scene.done": sceneDone,

		"selftest.report": selfTestReport,
	}
	for _, o := range added {
		if o.Name == "" || o.Do == nil || ops[o.Name] != nil {
			return nil, fmt.Errorf("the operation %q is unnamed, empty or there twice", o.Name)
		}
		ops[o.Name] = func(_ *Bridge, ctx context.Context, _ *load, r request) (any, error) { return o.Do(ctx, r.Args) }
	}
	return ops, nil
}

// start carries out a request and notes its result, whatever the op does.
func (b *Bridge) start(ctx context.Context, l *load, r request) {
	res, ended := result{ID: r.ID}, false
	defer func() {
		if p := recover(); p != nil {
			slog.Error("an op of the bridge panicked", "op", r.Op, "panic", p)
		}
		if !ended { // runtime.Goexit too
			res.Error = wire(app.Errorf(app.Internal, "%s failed unexpectedly; whether it took effect is not known", r.Op))
		}
		b.page.finish(l, res)
	}()
	ok, err := b.ops[r.Op](b, ctx, l, r)
	if err != nil {
		res.Error = b.failed(r.Op, err)
		ended = true
		return
	}
	text, isWritten := ok.(written)
	if !isWritten {
		if text, err = json.Marshal(ok); err != nil {
			panic(fmt.Sprintf("what %s returned cannot be written: %v", r.Op, err))
		}
	}
	res.OK, ended = json.RawMessage(text), true
}

func (b *Bridge) failed(op string, err error) *wireError {
	if app.CodeOf(err) == app.Internal {
		slog.Error("an op of the bridge failed", "op", op, "error", err)
	}
	return wire(err)
}

type sceneReply struct {
	Name     string `json:"name"`
	Title    string `json:"title,omitempty"`
	Notice   string `json:"notice,omitempty"`
	Request  string `json:"request"`
	Approval string `json:"approval,omitempty"`
	Auto     bool   `json:"auto"`
	Reopen   string `json:"reopen,omitempty"`
}

// hello opens a page. That it dropped the load before, submit has seen to; the
// runs of that load end here, or wait on.
func hello(b *Bridge, ctx context.Context, _ *load, r request) (any, error) {
	if _, err := operation.Args[operation.None]("hello", r.Args); err != nil {
		return nil, err
	}
	b.carrier.reset()
	if err := b.config.Gate.AbortAll(ctx, loadedAnew); err != nil {
		// They have ended, and only that cannot be logged. The page opens all the
		// same: it is where the person reads why nothing can run.
		slog.Error("ending the runs of an earlier page", "error", err)
	}
	reply := struct {
		Version string      `json:"version"`
		Engine  string      `json:"engine,omitempty"`
		Scene   *sceneReply `json:"scene"`

		SelfTest *selfTestReply `json:"selftest,omitempty"`
	}{Version: b.config.Version, Engine: b.config.Engine}
	if s := b.config.Scene; s != nil {
		// A page that is loaded again, after its process died, does not play again.
		first := b.played.CompareAndSwap(false, true)
		reply.Scene = &sceneReply{s.Name, s.Title, s.Notice, s.Request, s.Approval, s.Auto && first, s.Reopen}
	}
	if t := b.config.SelfTest; t != nil {
		reply.SelfTest = &selfTestReply{t.Canary}
	}
	if b.config.Hello != nil {
		b.config.Hello()
	}
	return reply, nil
}

type functionReply struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Approval    app.Approval    `json:"approval"`
	Input       json.RawMessage `json:"input"`
	Output      json.RawMessage `json:"output"`
}

func functions(b *Bridge, _ context.Context, _ *load, r request) (any, error) {
	if _, err := operation.Args[operation.None]("functions", r.Args); err != nil {
		return nil, err
	}
	list := []functionReply{}
	for _, f := range b.config.Functions.All() {
		list = append(list, functionReply{f.Name, f.Title, f.Description, f.Approval, f.Input, f.Output})
	}
	return list, nil
}

func runBegin(b *Bridge, ctx context.Context, _ *load, r request) (any, error) {
	run, err := operation.Args[app.Run]("run.begin", r.Args)
	if err != nil {
		return nil, err
	}
	return operation.None{}, b.config.Gate.Begin(ctx, run)
}

func runEnd(b *Bridge, ctx context.Context, _ *load, r request) (any, error) {
	a, err := operation.Args[struct {
		RunID  string      `json:"runId"`
		Status app.Status  `json:"status"`
		Error  *app.Reason `json:"error"`
	}]("run.end", r.Args)
	if err != nil {
		return nil, err
	}
	return operation.None{}, b.config.Gate.End(ctx, a.RunID, a.Status, a.Error)
}

func judge(b *Bridge, _ context.Context, _ *load, r request) (any, error) {
	var a struct {
		Fn    string    `json:"fn"`
		Input app.Value `json:"input"`
	}
	if err := valueArgs("judge", r.Args, &a); err != nil {
		return nil, err
	}
	input, err := b.carrier.unload(a.Input, "input")
	if err != nil {
		return nil, err
	}
	a.Input = input
	return struct {
		Marked bool `json:"marked"`
	}{b.config.Gate.Judge(a.Fn, a.Input)}, nil
}

func call(b *Bridge, ctx context.Context, l *load, r request) (any, error) {
	var c app.Call
	if err := valueArgs("call", r.Args, &c); err != nil {
		return nil, err
	}
	input, err := b.carrier.unload(c.Input, "input")
	if err != nil {
		return nil, err
	}
	c.Input = input
	if b.config.Called != nil {
		b.config.Called()
	}
	v, err := b.config.Dispatch.Call(ctx, c, func(err error) {
		b.page.finish(l, result{ID: r.ID, Error: b.failed(r.Op, err)})
	})
	if err != nil {
		return nil, err
	}
	text, err := b.carrier.load(v)
	return written(text), err
}

func decide(b *Bridge, ctx context.Context, _ *load, r request) (any, error) {
	type row struct {
		CallID string    `json:"callId"`
		Seq    int       `json:"seq"`
		Fn     string    `json:"fn"`
		Input  app.Value `json:"input"`
		Line   int       `json:"line"`
	}
	var a struct {
		RunID        string    `json:"runId"`
		Rows         []row     `json:"rows"`
		Continuation app.Value `json:"continuation"` // none: the run does not outlive this page
	}
	if err := valueArgs("decide", r.Args, &a); err != nil {
		return nil, err
	}
	rows := make([]gate.Row, len(a.Rows))
	for i, r := range a.Rows {
		input, err := b.carrier.unload(r.Input, "input")
		if err != nil {
			return nil, err
		}
		r.Input = input
		rows[i] = gate.Row{Line: r.Line, Call: app.Call{RunID: a.RunID, CallID: r.CallID, Seq: r.Seq, Fn: r.Fn, Input: r.Input}}
	}
	continuation, err := b.carrier.unload(a.Continuation, "continuation")
	if err != nil {
		return nil, err
	}
	return b.config.Gate.Hold(ctx, a.RunID, rows, continuation)
}

// valueArgs reads arguments that hold values. Those keep their text, and what
// they hold is judged by whoever takes them, so that a bad value is an
// InvalidInput of its call and not the end of the request.
func valueArgs(op string, raw json.RawMessage, into any) error {
	if len(raw) == 0 {
		return app.Errorf(app.BadRequest, "%s: args are missing", op)
	}
	if err := operation.Strict(raw, into); err != nil {
		return operation.Bad(op+": args", err)
	}
	return nil
}

func cancel(b *Bridge, _ context.Context, l *load, r request) (any, error) {
	a, err := operation.Args[struct {
		ID int64 `json:"id"`
	}]("cancel", r.Args)
	if err != nil {
		return nil, err
	}
	b.page.cancel(l, a.ID)
	return operation.None{}, nil
}

func transcript(b *Bridge, _ context.Context, _ *load, r request) (any, error) {
	a, err := operation.Args[struct {
		Kind string `json:"kind"`
		Text string `json:"text"`
	}]("transcript", r.Args)
	if err != nil {
		return nil, err
	}
	switch a.Kind {
	case "request", "program", "rows", "answer", "status", "error":
	default:
		return nil, app.Errorf(app.BadRequest, "transcript: there is no kind %.20q; expected request, program, rows, answer, status or error", a.Kind)
	}
	if s := b.config.Scene; s != nil && s.Transcript != nil {
		s.Transcript(a.Kind, a.Text)
	}
	return operation.None{}, nil
}

func sceneDone(b *Bridge, _ context.Context, _ *load, r request) (any, error) {
	a, err := operation.Args[struct {
		Status string `json:"status"`
	}]("scene.done", r.Args)
	if err != nil {
		return nil, err
	}
	if s := b.config.Scene; s != nil && s.Done != nil {
		s.Done(a.Status)
	}
	return operation.None{}, nil
}
