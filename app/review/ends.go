package review

import (
	"context"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// Ends are the open ends of a log: what somebody should look at.
type Ends struct {
	Runs    []OpenRun `json:"runs"`    // that have not ended, the newest first
	Unknown []Row     `json:"unknown"` // outcome unknown, nothing noted
	Noted   []Row     `json:"noted"`   // outcome unknown, and a person has noted what became of it
	Faults  []Fault   `json:"faults"`  // of the app's own log, since it was opened
}

// OpenRun is a run that has not ended.
type OpenRun struct {
	RunID   string `json:"runId"`
	At      string `json:"at"`
	Model   string `json:"model"`
	Request string `json:"request"`
	Waiting int64  `json:"waiting"` // calls that wait for a decision
	Words   string `json:"words"`
}

// Fault is something that went wrong with the log.
type Fault struct {
	At   string `json:"at,omitempty"`
	Text string `json:"text"`
}

// ends tells of the runs that have not ended by on, which says whether one is on.
func (s *source) ends(ctx context.Context, faults []sqlite.Fault, on func(runID string) bool) (Ends, error) {
	out := Ends{Runs: []OpenRun{}, Faults: []Fault{}}
	open, err := s.catalog.OpenEnds(ctx)
	if err != nil {
		return out, err
	}
	for _, run := range open.Runs {
		each := OpenRun{RunID: run.RunID, At: run.At, Model: run.Model, Waiting: run.Waiting}
		switch {
		case run.Suspended:
			each.Words = "waits for you: its card was open when the page or the app went"
		case !on(run.RunID):
			each.Words = "is over: that could not be logged, and is tried again"
			each.Waiting = 0
		case run.Waiting > 0:
			each.Words = "its card is open"
		default:
			each.Words = "is going on"
		}
		if s.kind != OwnLog {
			each.Words = "had not ended when this log was copied"
		}
		began, err := s.catalog.Log().RunEntries(ctx, run.RunID)
		if err != nil {
			return out, err
		}
		each.Request = requestOf(began)
		out.Runs = append(out.Runs, each)
	}
	if out.Unknown, err = rows(ctx, s.catalog, open.Unknown, ""); err != nil {
		return out, err
	}
	if out.Noted, err = rows(ctx, s.catalog, open.Noted, ""); err != nil {
		return out, err
	}
	for _, f := range faults {
		each := Fault{Text: f.Message}
		if !f.At.IsZero() {
			each.At = f.At.UTC().Format(WireTime)
		}
		out.Faults = append(out.Faults, each)
	}
	return out, nil
}

// Note is what a person has found out about a call whose outcome is unknown.
type Note struct {
	ID      int64       `json:"id"` // of the call
	Finding app.Finding `json:"finding"`
	Reason  string      `json:"reason"` // how they know
}

const maxReason = 2000

// note writes a finding as a further entry. It changes no outcome.
func (s *source) note(ctx context.Context, log app.Log, n Note) error {
	switch n.Finding {
	case app.TookEffect, app.TookNoEffect, app.CannotBeKnown:
	default:
		return app.Errorf(app.BadRequest, "there is no finding %.40q; expected “%s”, “%s” or “%s”", n.Finding, app.TookEffect, app.TookNoEffect, app.CannotBeKnown)
	}
	if len(n.Reason) > maxReason {
		return app.Errorf(app.BadRequest, "the reason has %d bytes; at most %d are taken", len(n.Reason), maxReason)
	}
	list, err := rows(ctx, s.catalog, []int64{n.ID}, "")
	if err != nil {
		return err
	}
	if len(list) != 1 {
		return app.Errorf(app.BadRequest, "no call has the number %d in this log", n.ID)
	}
	row := list[0]
	if row.Outcome != sqlite.Unknown || row.RunOpen || row.CallID == "" {
		return app.Errorf(app.BadRequest, "the outcome of call %d is known (%s), or its run has not ended; only what nobody knows is noted", n.ID, row.OutcomeWords)
	}
	return log.Append(ctx, noteEntry(row, n))
}

func noteEntry(row Row, n Note) app.Entry {
	return app.Entry{At: time.Now(), Kind: app.CallNoted, RunID: row.RunID, CallID: row.CallID, Seq: row.Seq, Fn: row.Fn,
		Body: mustMarshal(app.CallNotedBody{Finding: n.Finding, Reason: n.Reason, By: app.ByUser})}
}
