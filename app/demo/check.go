package demo

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// Order is as much of an order as the check looks at.
type Order struct {
	ID     int64
	Status string
	Total  float64 // dollars
	Placed string  // local date: 2026-11-23
}

// Ending is what a scene left behind.
type Ending struct {
	Scene         string
	Request       string
	Ends          app.Status // how its run should end
	Decide        *Decide    // nil: a person decided
	Before, After []Order
	Entries       []app.Entry // the whole log of the scene
	Now           time.Time   // when the scene began
}

// Check returns nil when the scene ended as it should, and everything that is
// not so as one error otherwise.
func Check(e Ending) error {
	var wrong []error
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	e.checkRun(say)
	all := calls(e.Entries)
	e.checkCalls(all, say)
	e.checkOrders(all, say)
	if e.Scene == "cancel-orders" {
		e.checkRows(all, say)
	}
	return errors.Join(wrong...)
}

// checkRun: one run, of this request, ended as the scene says.
func (e Ending) checkRun(say func(string, ...any)) {
	var began, ended int
	for _, entry := range e.Entries {
		switch entry.Kind {
		case app.RunBegan:
			began++
			if got := body[app.RunBeganBody](entry).Request; got != e.Request {
				say("the log has the request %q, expected %q", got, e.Request)
			}
		case app.RunEnded:
			ended++
			if got := body[app.RunEndedBody](entry).Status; got != e.Ends {
				say("the run ended with status %s, expected %s", got, e.Ends)
			}
		}
	}
	if began != 1 || ended != 1 {
		say("the log has %d beginnings and %d ends of a run, expected one of each", began, ended)
	}
}

// checkCalls: what was approved ran once and settled, what was not did not run.
func (e Ending) checkCalls(all []*call, say func(string, ...any)) {
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
		case c.approved() && (c.starts != 1 || c.settled == nil):
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
		if want := i < e.Decide.approves(len(shown)); c.approved() != want || c.decisions[0].By != app.ByDemo {
			say("%s %s: %s, which is not what --decide said", c.fn, c.input, c.outcome())
		}
	}
}

// checkOrders: exactly the orders of approved calls that succeeded have changed.
func (e Ending) checkOrders(all []*call, say func(string, ...any)) {
	touched := map[int64]string{}
	for _, c := range all {
		if c.requested && c.approved() && c.succeeded() {
			touched[c.order()] = c.fn
		}
	}
	after := map[int64]Order{}
	for _, o := range e.After {
		after[o.ID] = o
	}
	if len(e.After) != len(e.Before) {
		say("the store had %d orders and has %d", len(e.Before), len(e.After))
	}
	for _, was := range e.Before {
		is, fn := after[was.ID], touched[was.ID]
		switch {
		case fn == "" && is != was:
			say("order %d changed from %s to %s without an approved call", was.ID, was.Status, is.Status)
		case fn == "orders.cancel" && is.Status != "cancelled":
			say("order %d is %s although its cancelling was approved and succeeded", was.ID, is.Status)
		}
	}
}

// checkRows: the card had exactly the orders that the request means.
func (e Ending) checkRows(all []*call, say func(string, ...any)) {
	var want, got []int64
	for _, o := range e.Before {
		if o.Status == "open" && o.Total > 100 && lastWeek(e.Now, o.Placed) {
			want = append(want, o.ID)
		}
	}
	for _, c := range all {
		if c.requested {
			got = append(got, c.order())
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) || len(want) == 0 {
		say("the rows were the orders %v, expected %v", got, want)
	}
}

// lastWeek: Monday to Sunday of the week before now's, in now's location.
func lastWeek(now time.Time, date string) bool {
	monday := time.Date(now.Year(), now.Month(), now.Day()-(int(now.Weekday())+6)%7, 12, 0, 0, 0, now.Location())
	return monday.AddDate(0, 0, -7).Format(time.DateOnly) <= date && date <= monday.AddDate(0, 0, -1).Format(time.DateOnly)
}
