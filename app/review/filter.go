package review

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/faustine-ai/countersign/app/sqlite"
)

// Filter chooses calls, as a person writes it: the same in the window, in saved
// filters and on the command line. Empty members choose everything.
type Filter struct {
	Since    string `json:"since,omitempty"`    // a date, a time, or an age such as 90m, 12h, 7d; of the call's first entry
	Until    string `json:"until,omitempty"`    // before this, written as Since
	Fn       string `json:"fn,omitempty"`       // a name, or orders.* for a family
	Decision string `json:"decision,omitempty"` // one of Decisions, or a decider
	Decider  string `json:"decider,omitempty"`  // one of Deciders
	Outcome  string `json:"outcome,omitempty"`  // one of Outcomes
	Run      string `json:"run,omitempty"`      // an id, or its beginning and *
	Model    string `json:"model,omitempty"`    // a name, or its beginning and *
	Text     string `json:"text,omitempty"`     // words that stand together; a * behind the last lets it go on
}

// What a Filter takes.
var (
	Decisions = []string{"approve", "reject", sqlite.Undecided}
	Deciders  = []string{"user", "policy", "demo", "closed", "aborted"}
	Outcomes  = []string{string(sqlite.OK), string(sqlite.Failed), string(sqlite.Rejected), string(sqlite.Refused), string(sqlite.Waiting), string(sqlite.Approved), string(sqlite.Unknown)}
)

// FieldError is what is wrong with one member of a filter.
type FieldError struct {
	Field string // since, until, decision, …
	Text  string // what came, and what was expected
}

func (e *FieldError) Error() string { return e.Field + " " + e.Text }

// Read makes a filter of the log of it. now is what ages are counted from, and its
// zone is that of dates. The error is a *FieldError.
func (f Filter) Read(now time.Time) (sqlite.Filter, error) {
	out := sqlite.Filter{Fn: f.Fn, Decision: f.Decision, Decider: f.Decider, Outcome: sqlite.Outcome(f.Outcome), RunID: f.Run, Model: f.Model, Text: strings.TrimSpace(f.Text)}
	for _, of := range []struct {
		field, value string
		known        []string
	}{{"decision", f.Decision, append(slices.Clone(Decisions), Deciders...)}, {"decider", f.Decider, Deciders}, {"outcome", f.Outcome, Outcomes}} {
		if of.value != "" && !slices.Contains(of.known, of.value) {
			return out, &FieldError{of.field, fmt.Sprintf("%q: expected one of %s", of.value, strings.Join(of.known, ", "))}
		}
	}
	var err error
	if out.Since, err = ParseTime("since", f.Since, now); err != nil {
		return out, err
	}
	out.Until, err = ParseTime("until", f.Until, now)
	return out, err
}

// ParseTime reads a point in time, or an age before now; "" is none. The error is a
// *FieldError.
func ParseTime(field, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.DateTime, "2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n < 100_000 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if age, err := time.ParseDuration(text); err == nil && age >= 0 {
		return now.Add(-age), nil
	}
	return time.Time{}, &FieldError{field, fmt.Sprintf("%q: expected a date (2026-11-29), a time (2026-11-29T08:00:00Z) or an age (90m, 12h, 7d)", text)}
}
