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
	Run      string `json:"run,omitempty"`      // an id, or its beginning and * (or …, as where it is cut)
	Model    string `json:"model,omitempty"`    // a name, or its beginning and *
	Text     string `json:"text,omitempty"`     // words that stand together; a * behind the last lets it go on
}

// Clock is how people are told a time: their own clock, and its offset from UTC.
const Clock = "2006-01-02 15:04:05 -07:00"

// oldest is the longest age in days.
const oldest = 99_999

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
	out := sqlite.Filter{Fn: f.Fn, Decision: f.Decision, Decider: f.Decider, Outcome: sqlite.Outcome(f.Outcome), RunID: asBeginning(f.Run), Model: f.Model, Text: strings.TrimSpace(f.Text)}
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
	if out.Until, err = ParseTime("until", f.Until, now); err != nil {
		return out, err
	}
	if !out.Since.IsZero() && !out.Until.IsZero() && !out.Since.Before(out.Until) {
		return out, &FieldError{"until", fmt.Sprintf("%q: expected a time after %q, from which on calls are chosen", f.Until, f.Since)}
	}
	return out, nil
}

// asBeginning takes an id that was copied from where it is cut, with the … behind
// it, as the beginning that it is.
func asBeginning(id string) string {
	if begin, ok := strings.CutSuffix(id, "…"); ok {
		return begin + "*"
	}
	return id
}

// ParseTime reads a point in time, or an age before now; "" is none. The error is a
// *FieldError.
func ParseTime(field, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.DateTime, "2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339Nano, Clock} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n <= oldest {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if age, err := time.ParseDuration(text); err == nil && age >= 0 {
		return now.Add(-age), nil
	}
	return time.Time{}, &FieldError{field, fmt.Sprintf("%q: expected a date (2026-11-29), a time (2026-11-29T08:00:00Z) or an age (90m, 12h, 7d; at most %dd)", text, oldest)}
}
