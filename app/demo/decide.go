// Package demo plays a scene by itself: it decides as the command line said,
// prints what happens, and checks against the store and the log, not against
// anybody's words, that the scene ended as it should.
package demo

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

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

// tooFew is the error for fewer rows than were to be approved. Where no card was
// shown there was nothing to decide: whether one should have been is for the
// scene's own check.
func (d Decide) tooFew(rows int) error {
	if rows == 0 || d.first <= rows {
		return nil
	}
	return fmt.Errorf("--decide first:%d: expected at least %d rows, there were %d", d.first, d.first, rows)
}

// approves is how many of n rows are approved: always the first ones. Of a card
// that has fewer rows than were to be approved, none is; where each row has a
// card of its own, nobody can know that yet.
func (d Decide) approves(n int, each bool) int {
	switch {
	case d.first < 0 || d.first > n && each:
		return n
	case d.first > n:
		return 0
	}
	return d.first
}

// Presenter answers cards as decide says, in place of a person. each: every row
// has a card of its own, and the first cards are approved.
func Presenter(decide Decide, each bool) app.Presenter { return &decider{decide: decide, each: each} }

type decider struct {
	decide Decide
	each   bool
	mu     sync.Mutex
	cards  int // that were answered
}

func (d *decider) Present(ctx context.Context, card app.Card) (app.Answer, error) {
	if ctx.Err() != nil {
		return app.Answer{By: app.ByAborted}, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	answer := app.Answer{By: app.ByDemo}
	n := d.decide.approves(len(card.Rows), d.each)
	if d.each && d.decide.first >= 0 && d.cards >= d.decide.first {
		n = 0
	}
	d.cards++
	if !d.each && d.decide.tooFew(len(card.Rows)) != nil { // Check says so in the end
		answer.Reason = "the demo was told to approve more rows than there are"
		return answer, nil
	}
	for _, row := range card.Rows[:n] {
		answer.Approve = append(answer.Approve, row.CallID)
	}
	if n < len(card.Rows) {
		answer.Reason = "the demo was told to reject"
	}
	return answer, nil
}

// Unanswered shows cards and answers none, as a person who has gone away: for
// the part of a scene in which the app is closed while a card waits. shown is
// told of each.
func Unanswered(shown func(app.Card)) app.Presenter { return unanswered(shown) }

type unanswered func(app.Card)

func (u unanswered) Present(ctx context.Context, card app.Card) (app.Answer, error) {
	u(card)
	<-ctx.Done()
	return app.Answer{By: app.ByAborted}, nil
}

// Telling shows cards as another presenter does, and tells of each before.
func Telling(shown func(app.Card), p app.Presenter) app.Presenter { return telling{shown, p} }

type telling struct {
	shown     func(app.Card)
	presenter app.Presenter
}

func (t telling) Present(ctx context.Context, card app.Card) (app.Answer, error) {
	t.shown(card)
	return t.presenter.Present(ctx, card)
}
