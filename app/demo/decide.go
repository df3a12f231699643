// Package demo plays a scene by itself: it decides as the command line said,
// prints what happens, and checks against the store and the log, not against
// anybody's words, that the scene ended as it should.
package demo

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/faustine-ai/countersign/app"
)

// Decide is what --decide says of the rows of a card. It exists for demos only.
type Decide struct {
	first int // so many rows are approved; -1: all
}

// ParseDecide reads approve, reject or first:N.
func ParseDecide(text string) (Decide, error) {
	switch text {
	case "approve":
		return Decide{-1}, nil
	case "reject":
		return Decide{0}, nil
	}
	if count, ok := strings.CutPrefix(text, "first:"); ok {
		if n, err := strconv.Atoi(count); err == nil && n >= 0 {
			return Decide{n}, nil
		}
	}
	return Decide{}, fmt.Errorf("--decide: expected approve, reject or first:N, got %q", text)
}

// tooFew is the error for a card with fewer rows than were to be approved.
func (d Decide) tooFew(rows int) error {
	if d.first <= rows {
		return nil
	}
	return fmt.Errorf("--decide first:%d: expected a card with at least %d rows, it had %d; all were rejected", d.first, d.first, rows)
}

// approves is how many of n rows are approved: always the first ones.
func (d Decide) approves(n int) int {
	if d.first < 0 {
		return n
	}
	if d.first > n {
		return 0
	}
	return d.first
}

// Presenter answers every card as decide says, in place of a person.
func Presenter(decide Decide) app.Presenter { return decider{decide} }

type decider struct{ decide Decide }

func (d decider) Present(ctx context.Context, card app.Card) (app.Answer, error) {
	if ctx.Err() != nil {
		return app.Answer{By: app.ByAborted}, nil
	}
	answer := app.Answer{By: app.ByDemo}
	if d.decide.tooFew(len(card.Rows)) != nil { // Check says so in the end
		answer.Reason = "the demo was told to approve more rows than there are"
		return answer, nil
	}
	n := d.decide.approves(len(card.Rows))
	for _, row := range card.Rows[:n] {
		answer.Approve = append(answer.Approve, row.CallID)
	}
	if n < len(card.Rows) {
		answer.Reason = "the demo was told to reject"
	}
	return answer, nil
}
