package gate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

// Row is a call that the page asks a decision for.
type Row struct {
	app.Call
	Line int `json:"line,omitempty"` // of the program; 0: not known
}

// maxRows bounds a card: no person reads more, and nothing on it may be cut.
const maxRows = 1000

// Outcome is what the page gets: every row in exactly one of the lists.
type Outcome struct {
	Approve []string          `json:"approve"`
	Reject  []string          `json:"reject"`
	Reasons map[string]string `json:"reasons"`
}

// judged is a row with what the host's own definitions say about it.
type judged struct {
	Row
	function *app.Function // nil: unknown
	digest   app.Digest
	refusal  string // why policy rejects it; "": it goes onto the card
	text     string // the input as it came, when it is no value
}

// verdict is what was decided about one row.
type verdict struct {
	verdict app.Verdict
	by      app.Decider
	reason  string
}

// unrecorded is what becomes of a verdict that could not be logged when it was
// made: an approval is none.
func (v verdict) unrecorded(err error) verdict {
	if v.verdict != app.Approve {
		return v
	}
	return verdict{app.Reject, app.ByAborted, fmt.Sprintf("it was approved (by %s), but the approval could not be recorded, so it did not run: %s", v.by, clip(message(err)))}
}

// notRecorded is what the page gets: NotRecorded where somebody had decided.
func notRecorded(err error, verdicts map[string]verdict) error {
	for _, v := range verdicts {
		if v.by == app.ByUser || v.by == app.ByDemo {
			return &app.Error{Code: app.NotRecorded, Cause: err, Message: "the decision could not be recorded, so nothing was approved: " + message(err)}
		}
	}
	return err
}

// Decide asks for a decision on the pending rows of a run and waits for it.
// The rows are logged, shown on one card when their turn comes, and the
// decisions are logged before anybody learns them. A row can be decided once:
// ids that were put to a decision before refuse the whole request. When ctx or
// the run ends first, all rows are rejected by aborted.
func (g *Gate) Decide(ctx context.Context, runID string, rows []Row) (Outcome, error) {
	return g.Hold(ctx, runID, rows, nil)
}

// Hold is Decide for a run that outlives its page. continuation, a value, is what
// another page needs to go on. It is kept before anything is logged or shown, or
// the request is refused with CannotWait and nothing has happened. When ctx or
// the run then ends because the page or the app is Gone, nothing is decided and
// the run waits on.
func (g *Gate) Hold(ctx context.Context, runID string, rows []Row, continuation app.Value) (Outcome, error) {
	if err := checkRows(runID, rows); err != nil {
		return Outcome{}, err
	}
	r, inner, leave, err := g.claim(ctx, runID, rows)
	if err != nil {
		return Outcome{}, err
	}
	return g.decideIn(ctx, r, inner, leave, round{rows: rows, continuation: continuation, since: time.Now()})
}

// round is one time that rows are put before the person.
type round struct {
	rows         []Row
	continuation app.Value // nil: it cannot outlive its page
	since        time.Time // when they were first requested
	again        bool      // they are kept and requested already
}

// decideIn decides within a visit, which it leaves.
func (g *Gate) decideIn(ctx context.Context, r *run, inner context.Context, leave func(), q round) (Outcome, error) {
	outcome, err := g.decide(inner, r, q)
	leave()
	if errors.Is(err, errWaits) {
		_, failed := g.suspend(kept(ctx), r.ID, reasonOf(inner))
		err = errors.Join(err, failed)
	}
	return outcome, err
}

func checkRows(runID string, rows []Row) error {
	if len(rows) == 0 || len(rows) > maxRows {
		return app.Errorf(app.BadRequest, "expected 1 to %d rows to decide, got %d", maxRows, len(rows))
	}
	for _, row := range rows {
		if row.RunID != runID {
			return app.Errorf(app.BadRequest, "a row is of the run %.50q; expected %.50q", row.RunID, runID)
		}
		if err := checkIDs(row.Call); err != nil {
			return err
		}
	}
	return nil
}

// claim takes the rows' ids for this decision and enters the run.
func (g *Gate) claim(ctx context.Context, runID string, rows []Row) (*run, context.Context, func(), error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.runs[runID]
	if r == nil || !r.on {
		return nil, nil, nil, notOn(runID)
	}
	ids, seqs := map[string]bool{}, map[int]bool{}
	for _, row := range rows {
		if r.claimed[row.CallID] != 0 || r.seqs[row.Seq] || ids[row.CallID] || seqs[row.Seq] || r.started[row.CallID] {
			return nil, nil, nil, app.Errorf(app.BadRequest, "call %.50q (seq %d) was put to a decision before; a call is decided once", row.CallID, row.Seq)
		}
		ids[row.CallID], seqs[row.Seq] = true, true
	}
	for _, row := range rows {
		r.claimed[row.CallID], r.seqs[row.Seq] = row.Seq, true
		r.called[row.Fn] = true
	}
	inner, leave := g.visit(ctx, r, "")
	return r, inner, leave, nil
}

// unclaim lets the rows be asked again: they were neither logged nor shown.
func (g *Gate) unclaim(r *run, rows []Row) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, row := range rows {
		delete(r.claimed, row.CallID)
		delete(r.seqs, row.Seq)
	}
}

func (g *Gate) decide(ctx context.Context, r *run, q round) (_ Outcome, err error) {
	all := make([]judged, len(q.rows))
	var shown []judged
	for i, row := range q.rows {
		all[i] = g.judge(r, row)
		if all[i].refusal == "" {
			shown = append(shown, all[i])
		}
	}
	if len(q.continuation) > 0 && len(shown) > 0 && !q.again {
		if err := g.keep(ctx, r, q, all, shown); err != nil {
			g.unclaim(r, q.rows)
			return Outcome{}, err
		}
	}
	defer func() {
		if !errors.Is(err, errWaits) {
			g.drop(r) // it is decided, or cannot be
		}
	}()
	if err := g.request(ctx, q, all); err != nil {
		g.unclaim(r, q.rows)
		return Outcome{}, err
	}
	verdicts := map[string]verdict{}
	for _, j := range all {
		if j.refusal != "" {
			verdicts[j.CallID] = verdict{app.Reject, app.ByPolicy, j.refusal}
		}
	}
	card := app.Card{ID: uuid.NewString(), RunID: r.ID, Request: r.Request}
	if len(shown) > 0 {
		card.Title = title(shown)
		quick, over := context.WithTimeout(ctx, time.Second)
		defer over()
		for _, j := range shown {
			card.Rows = append(card.Rows, app.Row{CallID: j.CallID, Seq: j.Seq, Fn: j.Fn, Title: j.function.Title,
				Words: words(quick, j.function, j.Input), Input: j.Input})
		}
		g.ask(ctx, card, verdicts)
	}
	if g.leaves(ctx, r) {
		return Outcome{}, errWaits
	}
	return g.settle(ctx, r, all, verdicts, card, q.since)
}

// request logs the rows before anybody sees them.
func (g *Gate) request(ctx context.Context, q round, all []judged) error {
	if q.again {
		return nil
	}
	requests := make([]app.Entry, len(all))
	for i, j := range all {
		requests[i] = entry(app.CallRequested, j.Call, j.request())
		requests[i].Secrets = j.function.InputSecrets(j.Input)
	}
	return g.append(kept(ctx), requests...)
}

func (g *Gate) judge(r *run, row Row) judged {
	j := judged{Row: row}
	canonical, err := value.Canonical(row.Input, "input")
	if err != nil {
		j.refusal, j.text, j.Input = message(err), clip(string(row.Input)), nil
		return j
	}
	j.Input, j.digest = canonical, canonical.Digest()
	f, ok := r.functions.Find(row.Fn)
	if !ok {
		j.refusal = fmt.Sprintf("there is no function %.80q", row.Fn)
		return j
	}
	j.function = f
	today, _ := g.functions.Find(row.Fn)
	switch marked, err := f.JudgeAlso(today, canonical); {
	case err != nil:
		j.refusal = message(err)
	case !marked:
		j.refusal = f.Name + " needs no approval with this input, so there is nothing to decide"
	}
	return j
}

func (j judged) request() app.CallRequestedBody {
	body := app.CallRequestedBody{Input: j.Input, Text: j.text, Digest: j.digest, Line: j.Line}
	if j.function != nil {
		body.Title = j.function.Title
	}
	return body
}

// settle logs the decisions, then makes the approvals, then tells them: in this
// order, so that nothing can run on a decision that is not on disk. Decisions that
// cannot be logged are none; that the calls were rejected is logged when it can be.
func (g *Gate) settle(ctx context.Context, r *run, all []judged, verdicts map[string]verdict, card app.Card, asked time.Time) (Outcome, error) {
	waited := time.Since(asked).Milliseconds()
	decided := func(v func(judged) verdict) []app.Entry {
		entries := make([]app.Entry, len(all))
		for i, j := range all {
			v := v(j)
			body := app.CallDecidedBody{Verdict: v.verdict, By: v.by, Reason: v.reason, Digest: j.digest, WaitedMs: waited}
			if j.refusal == "" {
				body.Card, body.Shown = card.ID, card.Title
			}
			entries[i] = entry(app.CallDecided, j.Call, body)
			entries[i].Secrets = j.function.InputSecrets(j.Input) // of which it has the digest
		}
		return entries
	}
	if err := g.append(kept(ctx), decided(func(j judged) verdict { return verdicts[j.CallID] })...); err != nil {
		g.owe(r.ID, decided(func(j judged) verdict { return verdicts[j.CallID].unrecorded(err) }))
		return Outcome{}, notRecorded(err, verdicts)
	}
	outcome := Outcome{Approve: []string{}, Reject: []string{}, Reasons: map[string]string{}}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, j := range all {
		v := verdicts[j.CallID]
		if v.verdict == app.Approve && !r.on {
			v.verdict, v.reason = app.Reject, "the run ended before the approval could be used"
		}
		if v.verdict == app.Approve {
			r.approved[keyOf(j.Call)] = app.Decision{Call: j.Call, Digest: j.digest, Verdict: v.verdict, By: v.by}
			outcome.Approve = append(outcome.Approve, j.CallID)
			continue
		}
		outcome.Reject = append(outcome.Reject, j.CallID)
		if v.reason != "" {
			outcome.Reasons[j.CallID] = v.reason
		}
	}
	return outcome, nil
}
