package bridge

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/faustine-ai/countersign/app/operation"
)

// The ops of runs that wait for their card to be opened again.

type runIDArgs struct {
	RunID string `json:"runId"`
}

// waiting lists them: [{runId,request,model,title,calls,since,problem?}].
func waiting(b *Bridge, ctx context.Context, _ *load, r request) (any, error) {
	if _, err := operation.Args[operation.None]("waiting", r.Args); err != nil {
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
	RunID        string          `json:"runId"`
	Code         string          `json:"code"`
	Rows         []waitingRow    `json:"rows"`
	Continuation json.RawMessage `json:"continuation"`
}

type waitingRow struct {
	CallID string          `json:"callId"`
	Seq    int             `json:"seq"`
	Fn     string          `json:"fn"`
	Input  json.RawMessage `json:"input"`
}

// waitingRead gives one with what the page resumes from. It changes nothing.
func waitingRead(b *Bridge, ctx context.Context, _ *load, r request) (any, error) {
	a, err := operation.Args[runIDArgs]("waiting.read", r.Args)
	if err != nil {
		return nil, err
	}
	w, err := b.config.Gate.ReadWaiting(ctx, a.RunID)
	if err != nil {
		return nil, err
	}
	reply := waitingReply{RunID: w.ID, Code: w.Code, Rows: make([]waitingRow, len(w.Rows))}
	if reply.Continuation, err = b.carrier.load(w.Continuation); err != nil {
		return nil, err
	}
	for i, r := range w.Rows {
		input, err := b.carrier.load(r.Input)
		if err != nil {
			return nil, err
		}
		reply.Rows[i] = waitingRow{r.CallID, r.Seq, r.Fn, input}
	}
	return reply, nil
}

// waitingDecide opens the card of one; it answers as decide does, and the run is
// on then, for the page to resume and end.
func waitingDecide(b *Bridge, ctx context.Context, _ *load, r request) (any, error) {
	a, err := operation.Args[runIDArgs]("waiting.decide", r.Args)
	if err != nil {
		return nil, err
	}
	return b.config.Gate.Reopen(ctx, a.RunID)
}

// waitingDismiss ends one undecided.
func waitingDismiss(b *Bridge, ctx context.Context, _ *load, r request) (any, error) {
	a, err := operation.Args[runIDArgs]("waiting.dismiss", r.Args)
	if err != nil {
		return nil, err
	}
	return operation.None{}, b.config.Gate.Dismiss(ctx, a.RunID)
}
