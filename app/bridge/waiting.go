package bridge

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// The ops of runs that wait for their card to be opened again.

type runIDArgs struct {
	RunID string `json:"runId"`
}

// waiting lists them: [{runId,request,model,title,calls,since,problem?}].
func waiting(b *Bridge, ctx context.Context, _ *load, raw json.RawMessage) (any, error) {
	if _, err := args[nothing]("waiting", raw); err != nil {
		return nil, err
	}
	list, err := b.config.Gate.Waiting(ctx)
	if err != nil {
		// The others can be opened all the same; at the next start the log says
		// what became of the one that cannot be read.
		slog.Error("a waiting run cannot be read", "error", err)
	}
	return list, nil
}

type waitingReply struct {
	RunID        string       `json:"runId"`
	Request      string       `json:"request"`
	Model        string       `json:"model"`
	Code         string       `json:"code"`
	Since        time.Time    `json:"since"`
	Rows         []waitingRow `json:"rows"`
	Continuation app.Value    `json:"continuation"`
}

type waitingRow struct {
	CallID string    `json:"callId"`
	Seq    int       `json:"seq"`
	Fn     string    `json:"fn"`
	Input  app.Value `json:"input"`
}

// waitingRead gives one with what the page resumes from. It changes nothing.
func waitingRead(b *Bridge, ctx context.Context, _ *load, raw json.RawMessage) (any, error) {
	a, err := args[runIDArgs]("waiting.read", raw)
	if err != nil {
		return nil, err
	}
	w, err := b.config.Gate.ReadWaiting(ctx, a.RunID)
	if err != nil {
		return nil, err
	}
	reply := waitingReply{RunID: w.ID, Request: w.Request, Model: w.Model, Code: w.Code, Since: w.Since, Continuation: w.Continuation}
	for _, r := range w.Rows {
		reply.Rows = append(reply.Rows, waitingRow{r.CallID, r.Seq, r.Fn, r.Input})
	}
	return reply, nil
}

// waitingDecide opens the card of one; it answers as decide does, and the run is
// on then, for the page to resume and end.
func waitingDecide(b *Bridge, ctx context.Context, _ *load, raw json.RawMessage) (any, error) {
	a, err := args[runIDArgs]("waiting.decide", raw)
	if err != nil {
		return nil, err
	}
	return b.config.Gate.Reopen(ctx, a.RunID)
}

// waitingDismiss ends one undecided.
func waitingDismiss(b *Bridge, ctx context.Context, _ *load, raw json.RawMessage) (any, error) {
	a, err := args[runIDArgs]("waiting.dismiss", raw)
	if err != nil {
		return nil, err
	}
	return nothing{}, b.config.Gate.Dismiss(ctx, a.RunID)
}
