package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/faustine-ai/countersign/app"
)

// Transcript prints a scene as it goes. What the page tells is printed as its
// words; cards, decisions and outcomes are printed from Go's own knowledge.
type Transcript struct {
	Out io.Writer
	// Plain makes text from outside safe to print; line breaks stay.
	Plain func(string) string
	// Entries reads the log so far.
	Entries func() ([]app.Entry, error)

	mu      sync.Mutex
	last    string          // heading of the last block
	printed map[string]bool // calls whose outcome is
}

// Tell prints what the page says it shows: kind is request, program, rows,
// answer, status or error.
func (t *Transcript) Tell(kind, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch kind {
	case "request":
		t.block("Request", text)
	case "program":
		t.block("Program", numbered(text))
	case "answer":
		t.block("Answer", text)
	case "error":
		t.printOutcomes()
		t.block("Error", text)
	case "status":
		t.printOutcomes()
		t.block("Status", text)
	}
	// rows: the card that Go shows says it better
}

// Watch returns a presenter that prints the cards and answers of another.
func (t *Transcript) Watch(p app.Presenter) app.Presenter { return watching{t, p} }

type watching struct {
	transcript *Transcript
	presenter  app.Presenter
}

func (w watching) Present(ctx context.Context, card app.Card) (app.Answer, error) {
	w.transcript.card(card)
	answer, err := w.presenter.Present(ctx, card)
	w.transcript.decision(card, answer, err)
	return answer, err
}

func (t *Transcript) card(card app.Card) {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := []string{card.Title}
	for i, row := range card.Rows {
		lines = append(lines, fmt.Sprintf("%3d  %s %s", i+1, row.Fn, row.Input))
	}
	t.block("Card", strings.Join(lines, "\n"))
}

func (t *Transcript) decision(card app.Card, answer app.Answer, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.block("Decision", "rejected, since the card failed: "+err.Error())
		return
	}
	if answer.By == app.ByAborted {
		t.block("Decision", "none: the card closed")
		return
	}
	text := fmt.Sprintf("%d of %d approved, by %s", len(answer.Approve), len(card.Rows), answer.By)
	if answer.Reason != "" && len(answer.Approve) < len(card.Rows) {
		text += "\nreason for the others: " + answer.Reason
	}
	t.block("Decision", text)
}

// printOutcomes lists what became of the marked calls, as the log has it, each
// once.
func (t *Transcript) printOutcomes() {
	if t.Entries == nil {
		return
	}
	entries, err := t.Entries()
	if err != nil {
		t.block("Outcomes", "the log cannot be read: "+err.Error())
		return
	}
	if t.printed == nil {
		t.printed = map[string]bool{}
	}
	var lines []string
	for _, c := range calls(entries) {
		if c.requested && !t.printed[c.id] {
			t.printed[c.id] = true
			lines = append(lines, fmt.Sprintf("%s %s  %s", c.fn, c.input, c.outcome()))
		}
	}
	if len(lines) > 0 {
		t.block("Outcomes", strings.Join(lines, "\n"))
	}
}

func (t *Transcript) block(heading, text string) {
	if t.last != "" {
		fmt.Fprintln(t.Out)
	}
	t.last = heading
	fmt.Fprintln(t.Out, heading)
	for line := range strings.SplitSeq(strings.TrimRight(t.Plain(text), "\n"), "\n") {
		fmt.Fprintln(t.Out, strings.TrimRight("  "+line, " "))
	}
}

func numbered(code string) string {
	lines := strings.Split(strings.TrimRight(code, "\n"), "\n")
	for i, line := range lines {
		lines[i] = fmt.Sprintf("%3d  %s", i+1, line)
	}
	return strings.Join(lines, "\n")
}

// body reads the body of an entry; what does not fit stays empty.
func body[T any](e app.Entry) (b T) {
	_ = json.Unmarshal(e.Body, &b)
	return b
}
