package selftest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Check is one check as the page reports it. Tried, Expected and Answered are
// for people; Passed is what counts. Unmade: it could not be made, and so has not
// passed, but nothing was found broken either.
type Check struct {
	Group    string `json:"group"`
	Claim    string `json:"claim"`
	Tried    string `json:"tried"`
	Expected string `json:"expected"`
	Answered string `json:"answered"`
	Passed   bool   `json:"passed"`
	Unmade   bool   `json:"unmade,omitempty"`
}

// message is one report of the page: a check, or the end with the number of
// checks that the page has run.
type message struct {
	Check *Check `json:"check"`
	Done  *int   `json:"done"`
}

// least is how many checks a whole self-test has at least: fewer means that some
// were lost, and a check that did not run has proved nothing.
const least = 60

// Report collects what the page reports.
type Report struct {
	Told func(Check) // of each check as it comes; may be nil

	mu     sync.Mutex
	checks []Check
	done   chan struct{}
	told   int // by the page, at its end
}

// NewReport returns an empty report.
func NewReport(told func(Check)) *Report {
	return &Report{Told: told, done: make(chan struct{}), told: -1}
}

// Add takes what the page sent. Text of another form is an error and no check.
func (r *Report) Add(raw json.RawMessage) error {
	var m message
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&m); err != nil {
		return fmt.Errorf("a report of the self-test cannot be read: %w", err)
	}
	if (m.Check == nil) == (m.Done == nil) {
		return errors.New("a report of the self-test has either a check or its end")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.told >= 0 {
		return errors.New("the self-test is over")
	}
	if m.Done != nil {
		r.told = *m.Done
		close(r.done)
		return nil
	}
	r.checks = append(r.checks, *m.Check)
	if r.Told != nil {
		r.Told(*m.Check)
	}
	return nil
}

// Done is closed when the page has said that it is through.
func (r *Report) Done() <-chan struct{} { return r.done }

// Result is what the command prints as JSON.
type Result struct {
	Version string  `json:"version"`
	Engine  string  `json:"engine"`
	Passed  int     `json:"passed"`
	Failed  int     `json:"failed"`
	Checks  []Check `json:"checks"`
}

// Result sums up. An error says why the self-test is no success: a check that
// failed, or checks that are missing.
func (r *Report) Result() (Result, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	result := Result{Checks: append([]Check{}, r.checks...)}
	for _, c := range r.checks {
		if c.Passed {
			result.Passed++
		} else {
			result.Failed++
		}
	}
	switch {
	case r.told < 0:
		return result, fmt.Errorf("the self-test ended before it was through, after %d checks", len(r.checks))
	case r.told != len(r.checks):
		return result, fmt.Errorf("the page ran %d checks and %d were reported", r.told, len(r.checks))
	case len(r.checks) < least:
		return result, fmt.Errorf("expected at least %d checks, got %d", least, len(r.checks))
	case result.Failed > 0:
		return result, fmt.Errorf("%d of %d checks failed", result.Failed, len(r.checks))
	}
	return result, nil
}

// longest is how many characters of one text are printed; JSON has it whole.
const longest = 200

// cut shortens a text, and says that it did.
func cut(text string) string {
	runes := []rune(text)
	if len(runes) <= longest {
		return text
	}
	return fmt.Sprintf("%s… (%d characters)", string(runes[:longest]), len(runes))
}

// Print writes one check for people. plain makes text of the page safe to print.
func Print(out io.Writer, c Check, plain func(string) string) error {
	mark := "ok    "
	if !c.Passed {
		mark = "FAILED"
	}
	text := fmt.Sprintf("%s  %s: %s\n        tried     %s\n        answered  %s\n", mark, plain(c.Group), plain(c.Claim), cut(plain(c.Tried)), cut(plain(c.Answered)))
	if !c.Passed {
		text += "        expected  " + cut(plain(c.Expected)) + "\n"
	}
	_, err := io.WriteString(out, text)
	return err
}
