package demo

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// Ending is what a scene left behind.
type Ending struct {
	Scene         string
	Request       string
	Ends          []app.Status // how its runs should end, one after the other
	Each          bool         // each marked call has a card of its own
	Decide        *Decide      // nil: a person decided
	Before, After World
	Entries       []app.Entry // the whole log of the scene
	Now           time.Time   // when the scene began
}

// Say notes something that is not as it should be.
type Say func(format string, args ...any)

// Check returns nil when the scene ended as it should, and everything that is
// not so as one error otherwise.
func Check(e Ending) error {
	var wrong []error
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	e.checkRuns(say)
	all := calls(e.Entries)
	e.checkCalls(all, say)
	e.checkCards(all, say)
	e.checkOrders(all, say)
	e.checkSent(all, say)
	e.checkFiles(all, say)
	if own := checks[e.Scene]; own != nil {
		own(e, all, say)
	}
	return errors.Join(wrong...)
}

// checkRuns: the runs, all of this request, ended one after the other as the
// scene says.
func (e Ending) checkRuns(say Say) {
	began := 0
	var ended []app.Status
	for _, entry := range e.Entries {
		switch entry.Kind {
		case app.RunBegan:
			began++
			if got := body[app.RunBeganBody](entry).Request; got != e.Request {
				say("the log has the request %q, expected %q", got, e.Request)
			}
		case app.RunEnded:
			ended = append(ended, body[app.RunEndedBody](entry).Status)
		}
	}
	if began != len(e.Ends) || !slices.Equal(ended, e.Ends) {
		say("the log has %d beginnings of runs, and ends %v; expected the ends %v", began, ended, e.Ends)
	}
}

// checkCalls: what was approved ran once and settled, what was not did not run.
func (e Ending) checkCalls(all []*call, say Say) {
	void := e.Scene == "changed-its-mind"
	var shown []*call // rows that came to a card
	for _, c := range all {
		if !c.requested {
			continue
		}
		if len(c.decisions) != 1 {
			say("%s %s has %d decisions, expected one", c.fn, c.input, len(c.decisions))
			continue
		}
		if c.decisions[0].By != app.ByPolicy {
			shown = append(shown, c)
		}
		switch {
		case void && c.starts > 0:
			say("%s %s ran though the program had changed its mind", c.fn, c.input)
		case !void && c.approved() && (c.starts != 1 || c.settled == nil):
			say("%s %s was approved, yet started %d times: %s", c.fn, c.input, c.starts, c.outcome())
		case !c.approved() && c.starts > 0:
			say("%s %s was rejected, yet ran", c.fn, c.input)
		}
	}
	if e.Decide == nil {
		return
	}
	if err := e.Decide.tooFew(len(shown)); err != nil {
		say("%w", err)
	}
	for i, c := range shown {
		if want := i < e.Decide.approves(len(shown), e.Each); c.approved() != want || c.decisions[0].By != app.ByDemo {
			say("%s %s: %s, which is not what --decide said", c.fn, c.input, c.outcome())
		}
	}
}

// checkCards: rows of a batch share one card; otherwise each has its own, and is
// asked for only when the one before it is settled.
func (e Ending) checkCards(all []*call, say Say) {
	cards := map[string]int{}
	var before *call
	for _, c := range all {
		if !c.requested || len(c.decisions) != 1 || c.decisions[0].By == app.ByPolicy {
			continue
		}
		cards[c.decisions[0].Card]++
		if e.Each && before != nil && c.requestedAt < max(before.decidedAt, before.settledAt) {
			say("%s %s was asked for before %s %s was over", c.fn, c.input, before.fn, before.input)
		}
		before = c
	}
	for card, rows := range cards {
		if e.Each && rows != 1 {
			say("card %s had %d rows, expected one", card, rows)
		}
	}
	if !e.Each && len(cards) > 1 {
		say("there were %d cards, expected one with every row", len(cards))
	}
}

// checkOrders: exactly the orders of approved calls that succeeded have changed.
func (e Ending) checkOrders(all []*call, say Say) {
	cancelled, refunded := map[int64]bool{}, map[int64]float64{}
	for _, c := range all {
		if !c.requested || !c.approved() || !c.succeeded() {
			continue
		}
		input := read[struct {
			ID     int64   `json:"id"`
			Amount float64 `json:"amount"`
		}](c.input)
		switch c.fn {
		case "orders.cancel":
			cancelled[input.ID] = true
		case "orders.refund":
			refunded[input.ID] += input.Amount
		}
	}
	after := map[int64]Order{}
	for _, o := range e.After.Orders {
		after[o.ID] = o
	}
	if len(e.After.Orders) != len(e.Before.Orders) {
		say("the store had %d orders and has %d", len(e.Before.Orders), len(e.After.Orders))
	}
	for _, was := range e.Before.Orders {
		is := after[was.ID]
		switch {
		case cancelled[was.ID] && is.Status != "cancelled":
			say("order %d is %s although its cancelling was approved and succeeded", was.ID, is.Status)
		case refunded[was.ID] > 0 && is.Refunded != was.Refunded+refunded[was.ID]:
			say("order %d has $%.2f back, although $%.2f was approved and succeeded", was.ID, is.Refunded, refunded[was.ID])
		case !cancelled[was.ID] && refunded[was.ID] == 0 && is != was:
			say("order %d changed from %s to %s without an approved call", was.ID, was.Status, is.Status)
		}
	}
}

// checkSent: exactly the letters of approved calls that succeeded were sent.
func (e Ending) checkSent(all []*call, say Say) {
	var approved []Letter
	for _, c := range all {
		if c.fn == "mail.send" && c.approved() && c.succeeded() {
			approved = append(approved, read[Letter](c.input))
		}
	}
	sent := e.After.Sent[len(e.Before.Sent):]
	if len(sent) != len(approved) {
		say("%d letters were sent, and %d approved", len(sent), len(approved))
		return
	}
	for i, letter := range sent {
		if letter.Subject != approved[i].Subject || letter.Body != approved[i].Body || !sameAddress(letter.To, approved[i].To) {
			say("a letter to %s was sent that is not the approved one to %s", letter.To, approved[i].To)
		}
	}
}
