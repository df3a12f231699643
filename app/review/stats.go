package review

import (
	"context"
	"slices"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// Stats are the numbers about the calls that a filter chooses.
type Stats struct {
	Calls     int64            `json:"calls"`
	Runs      int64            `json:"runs"`
	First     string           `json:"first"` // times of the first and the last call; "": there is none
	Last      string           `json:"last"`
	Approved  int64            `json:"approved"`
	Rejected  int64            `json:"rejected"`
	Undecided int64            `json:"undecided"` // nobody had to decide, or has decided yet
	Outcomes  map[string]int64 `json:"outcomes"`  // outcome → calls
	Functions []FunctionStats  `json:"functions"`
	Activity  Activity         `json:"activity"`
	Waits     Waits            `json:"waits"`
}

// FunctionStats are the counts of one function. Times are medians in milliseconds;
// 0 where there was none.
type FunctionStats struct {
	Fn       string           `json:"fn"` // "": attempts that named none
	Calls    int64            `json:"calls"`
	Approved int64            `json:"approved"`
	Rejected int64            `json:"rejected"`
	By       map[string]int64 `json:"by"`       // decider → decisions
	Outcomes map[string]int64 `json:"outcomes"` // outcome → calls
	WaitedMs float64          `json:"waitedMs"` // from request to decision
	Ms       float64          `json:"ms"`       // from start to outcome
}

// Activity is how many calls began within each span of time.
type Activity struct {
	Unit  string `json:"unit"` // month, day, hour, minute
	Spans []Span `json:"spans"`
}

// Span counts the calls that began within one span of time, which UTC begins. The
// four never overlap.
type Span struct {
	At       string `json:"at"`   // 2026-11, 2026-11-29, 2026-11-29T10, 2026-11-29T10:05
	Free     int64  `json:"free"` // ran without a decision, or waits for one
	Approved int64  `json:"approved"`
	Rejected int64  `json:"rejected"`
	Refused  int64  `json:"refused"` // by the gate or before it; nobody was asked
}

// Waits is how long people took to decide. Rules and aborted runs are not in it.
type Waits struct {
	Decisions int64      `json:"decisions"`
	MedianMs  float64    `json:"medianMs"`
	LongestMs int64      `json:"longestMs"`
	Bars      []WaitSpan `json:"bars"`
}

// WaitSpan counts decisions that took less than Below ms, and not less than the span before.
type WaitSpan struct {
	Label    string `json:"label"`
	BelowMs  int64  `json:"belowMs"` // 0: no bound
	Approved int64  `json:"approved"`
	Rejected int64  `json:"rejected"`
}

var waitSpans = []WaitSpan{
	{Label: "under 2 s", BelowMs: 2_000}, {Label: "2–5 s", BelowMs: 5_000}, {Label: "5–15 s", BelowMs: 15_000}, {Label: "15–60 s", BelowMs: 60_000},
	{Label: "1–5 min", BelowMs: 300_000}, {Label: "5–60 min", BelowMs: 3_600_000}, {Label: "over 1 h"},
}

// Count gives the numbers about what a filter chooses.
func Count(ctx context.Context, c *sqlite.Catalog, f sqlite.Filter) (Stats, error) {
	s := Stats{Outcomes: map[string]int64{}, Functions: []FunctionStats{}}
	groups, err := c.Groups(ctx, f)
	if err != nil {
		return s, err
	}
	functions := map[string]*FunctionStats{}
	for _, g := range groups {
		fn := functions[g.Fn]
		if fn == nil {
			fn = &FunctionStats{Fn: g.Fn, By: map[string]int64{}, Outcomes: map[string]int64{}}
			functions[g.Fn] = fn
		}
		s.add(g, fn)
	}
	if s.First, s.Last, s.Runs, err = c.Extent(ctx, f); err != nil {
		return s, err
	}
	if s.Activity, err = activity(ctx, c, f, s.First, s.Last); err != nil {
		return s, err
	}
	if s.Waits, err = waits(ctx, c, f, functions); err != nil {
		return s, err
	}
	middles, err := c.Middles(ctx, f)
	if err != nil {
		return s, err
	}
	for _, m := range middles {
		if fn := functions[m.Fn]; fn != nil {
			fn.Ms = m.Ms
		}
	}
	for _, g := range groups { // sorted by function
		if fn := functions[g.Fn]; fn != nil {
			s.Functions = append(s.Functions, *fn)
			delete(functions, g.Fn)
		}
	}
	return s, nil
}

func (s *Stats) add(g sqlite.Group, fn *FunctionStats) {
	s.Calls += g.Calls
	s.Outcomes[string(g.Outcome)] += g.Calls
	fn.Calls += g.Calls
	fn.Outcomes[string(g.Outcome)] += g.Calls
	switch {
	case g.Verdict == "" && g.Decider == "":
		s.Undecided += g.Calls
		return
	case g.Verdict == app.Approve:
		s.Approved += g.Calls
		fn.Approved += g.Calls
	default:
		s.Rejected += g.Calls
		fn.Rejected += g.Calls
	}
	fn.By[string(g.Decider)] += g.Calls
}

// activity chooses spans so that there are enough to see something in, and few
// enough to draw.
func activity(ctx context.Context, c *sqlite.Catalog, f sqlite.Filter, first, last string) (Activity, error) {
	a := Activity{Unit: "day", Spans: []Span{}}
	from, err := time.Parse(WireTime, first)
	if err != nil {
		return a, nil // there is no call
	}
	to, err := time.Parse(WireTime, last)
	if err != nil {
		return a, nil
	}
	characters := 10
	switch days := to.Sub(from).Hours() / 24; {
	case days > 400:
		a.Unit, characters = "month", 7
	case days < 0.1:
		a.Unit, characters = "minute", 16
	case days < 4:
		a.Unit, characters = "hour", 13
	}
	moments, err := c.Moments(ctx, f, characters)
	if err != nil {
		return a, err
	}
	for at := from.UTC(); ; { // spans in which nothing happened are seen as such
		a.Spans = append(a.Spans, Span{At: at.Format(WireTime)[:characters]})
		if at = next(at, a.Unit); at.After(to) && at.Format(WireTime)[:characters] > last[:characters] {
			break
		}
		if len(a.Spans) >= maxSpans {
			a.Spans = a.Spans[:0] // far apart: only those in which something happened
			break
		}
	}
	empty := a.Spans
	a.Spans = []Span{}
	for _, m := range moments {
		for len(empty) > 0 && empty[0].At < m.At {
			a.Spans, empty = append(a.Spans, empty[0]), empty[1:]
		}
		for len(empty) > 0 && empty[0].At == m.At {
			empty = empty[1:]
		}
		if n := len(a.Spans); n == 0 || a.Spans[n-1].At != m.At {
			a.Spans = append(a.Spans, Span{At: m.At})
		}
		span := &a.Spans[len(a.Spans)-1]
		switch {
		case m.Verdict == app.Approve:
			span.Approved += m.Calls
		case m.Verdict != "":
			span.Rejected += m.Calls
		case m.Outcome == sqlite.Refused:
			span.Refused += m.Calls
		default:
			span.Free += m.Calls
		}
	}
	return a, nil
}

// maxSpans is how many spans are given at most, empty ones included.
const maxSpans = 1500

// next is the same place in the next span.
func next(at time.Time, unit string) time.Time {
	switch unit {
	case "month":
		return time.Date(at.Year(), at.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	case "day":
		return at.AddDate(0, 0, 1)
	case "hour":
		return at.Add(time.Hour)
	}
	return at.Add(time.Minute)
}

// waits also fills in how long decisions took for each function.
func waits(ctx context.Context, c *sqlite.Catalog, f sqlite.Filter, functions map[string]*FunctionStats) (Waits, error) {
	w := Waits{Bars: slices.Clone(waitSpans)}
	list, err := c.Waits(ctx, f)
	if err != nil {
		return w, err
	}
	byFunction, people := map[string][]float64{}, []float64{}
	for _, each := range list {
		byFunction[each.Fn] = append(byFunction[each.Fn], float64(each.Ms))
		if each.Decider != app.ByUser {
			continue
		}
		people = append(people, float64(each.Ms))
		w.LongestMs = max(w.LongestMs, each.Ms)
		at := slices.IndexFunc(w.Bars, func(s WaitSpan) bool { return s.BelowMs == 0 || each.Ms < s.BelowMs })
		if each.Verdict == app.Approve {
			w.Bars[at].Approved++
		} else {
			w.Bars[at].Rejected++
		}
	}
	for fn, times := range byFunction {
		if functions[fn] != nil {
			functions[fn].WaitedMs = middle(times)
		}
	}
	w.Decisions, w.MedianMs = int64(len(people)), middle(people)
	return w, nil
}

// middle is the one with as many before it as behind it, or the later of two.
func middle(times []float64) float64 {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[len(times)/2]
}
