package gate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// closeTime is how long a card may take to close once its run has ended. The
// next card still waits for it.
const closeTime = time.Second

// ask shows the card when its turn comes and notes a verdict for each row.
func (g *Gate) ask(ctx context.Context, card app.Card, verdicts map[string]verdict) {
	answer, err := g.present(ctx, card)
	by, reason := answer.By, answer.Reason
	approve := map[string]bool{}
	switch {
	case ctx.Err() != nil:
		by, reason = app.ByAborted, "the run ended before this was decided"
	case err != nil:
		if by != app.ByPolicy { // the card has a rule of its own: what cannot be shown whole is refused
			by = app.ByClosed
		}
		reason = "the card could not be shown: " + message(err)
	case by != app.ByUser && by != app.ByDemo:
		if by != app.ByAborted {
			by = app.ByClosed
		}
		if reason == "" {
			reason = "the card was closed without a decision"
		}
	default:
		if approve, err = approvals(card, answer); err != nil {
			by, reason = app.ByClosed, err.Error()
		}
	}
	for _, row := range card.Rows {
		if approve[row.CallID] {
			verdicts[row.CallID] = verdict{app.Approve, by, ""}
		} else {
			verdicts[row.CallID] = verdict{app.Reject, by, reason}
		}
	}
}

// approvals checks that an answer speaks of rows that were on the card, once.
// One that does not is wrong as a whole.
func approvals(card app.Card, answer app.Answer) (map[string]bool, error) {
	shown := map[string]bool{}
	for _, row := range card.Rows {
		shown[row.CallID] = true
	}
	approve := map[string]bool{}
	for _, id := range answer.Approve {
		if !shown[id] || approve[id] {
			return nil, fmt.Errorf("the card answered about call %.50q, which it did not show or named twice; nothing was approved", id)
		}
		approve[id] = true
	}
	return approve, nil
}

type presented struct {
	answer app.Answer
	err    error
}

// present waits for the turn, shows the card and waits for the answer. The turn
// is given on when the presenter has really returned, so that there is never a
// second card on screen, whatever the first one does.
func (g *Gate) present(ctx context.Context, card app.Card) (app.Answer, error) {
	aborted := app.Answer{By: app.ByAborted}
	select {
	case g.turn <- struct{}{}: // the runtime serves waiting senders in order
	case <-ctx.Done():
		return aborted, nil
	}
	done := make(chan presented, 1)
	go func() {
		p := presented{err: errors.New("the card ended unexpectedly")} // Goexit
		defer func() {
			if panicked := recover(); panicked != nil {
				p = presented{err: fmt.Errorf("the card failed: %v", panicked)}
			}
			<-g.turn
			done <- p
		}()
		if ctx.Err() != nil {
			p = presented{answer: aborted}
			return
		}
		answer, err := g.presenter.Present(ctx, card)
		p = presented{answer, err}
	}()
	select {
	case p := <-done:
		return p.answer, p.err
	case <-ctx.Done():
	}
	timer := time.NewTimer(closeTime)
	defer timer.Stop()
	select {
	case p := <-done:
		return p.answer, p.err
	case <-timer.C:
		return aborted, nil
	}
}

func message(err error) string {
	var e *app.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

// clip bounds text that is no value inside an entry, and says so.
func clip(s string) string {
	const most = 4096
	if len(s) <= most {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes in all)", s[:most], len(s))
}
