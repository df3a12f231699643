// Package selftest is Go's side of the self-test: who answers its cards, and the
// report that is printed. The checks themselves run in the page.
package selftest

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/faustine-ai/countersign/app"
)

// Presenter answers each card as the input of its first row says:
//
//	approve   every row is approved by the user
//	first     the first row is
//	reject    every row is rejected
//	close     the card is closed, with approvals that must not count
//	fail      the card cannot be shown, with approvals that must not count
//	panic     the card breaks
//	foreign   a row that was not on the card is approved
//	twice     a row is approved twice
//	wait      the card stays until the run ends
//	else      nothing is approved
type Presenter struct{}

var _ app.Presenter = Presenter{}

// Present answers without a person.
func (Presenter) Present(ctx context.Context, card app.Card) (app.Answer, error) {
	var ids []string
	for _, row := range card.Rows {
		ids = append(ids, row.CallID)
	}
	var input struct {
		Answer string `json:"answer"`
	}
	if err := json.Unmarshal(card.Rows[0].Input, &input); err != nil {
		return app.Answer{By: app.ByPolicy}, err
	}
	switch input.Answer {
	case "approve":
		return app.Answer{Approve: ids, By: app.ByUser}, nil
	case "first":
		return app.Answer{Approve: ids[:1], By: app.ByUser, Reason: "only the first"}, nil
	case "close":
		return app.Answer{Approve: ids, By: app.ByClosed}, nil
	case "fail":
		return app.Answer{Approve: ids, By: app.ByUser}, errors.New("the screen is gone")
	case "panic":
		panic("the card broke")
	case "foreign":
		return app.Answer{Approve: []string{"not-on-the-card"}, By: app.ByUser}, nil
	case "twice":
		return app.Answer{Approve: []string{ids[0], ids[0]}, By: app.ByUser}, nil
	case "wait":
		<-ctx.Done()
		return app.Answer{By: app.ByAborted}, nil
	}
	return app.Answer{By: app.ByUser, Reason: "no"}, nil
}
