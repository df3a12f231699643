package review

import (
	"context"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// Row is a call in short. Words are those of the command line and of exports.
type Row struct {
	ID            int64          `json:"id"`
	At            string         `json:"at"`
	RunID         string         `json:"runId"`
	CallID        string         `json:"callId"`
	Seq           int            `json:"seq"`
	Fn            string         `json:"fn"`
	Model         string         `json:"model"`
	Input         string         `json:"input"`   // the beginning, as canonical JSON; "": the log has none
	Request       string         `json:"request"` // the beginning
	Verdict       app.Verdict    `json:"verdict,omitempty"`
	By            app.Decider    `json:"by,omitempty"`
	DecisionWords string         `json:"decisionWords"`
	Reason        string         `json:"reason,omitempty"`
	WaitedMs      *int64         `json:"waitedMs,omitempty"`
	Outcome       sqlite.Outcome `json:"outcome"`
	OutcomeWords  string         `json:"outcomeWords"`
	Failure       string         `json:"failure,omitempty"` // name of its error or refusal
	Message       string         `json:"message,omitempty"`
	Ms            *float64       `json:"ms,omitempty"`
	Noted         bool           `json:"noted"`
	RunOpen       bool           `json:"runOpen"`        // its run has not ended
	Hits          []Hit          `json:"hits,omitempty"` // where the text that was looked for stands
}

// Hit is the surroundings of the first place in a part of a call where what was
// looked for stands.
type Hit struct {
	Part   string  `json:"part"` // function, input, request, reason, message
	Pieces []Piece `json:"pieces"`
}

// Piece is a stretch of text.
type Piece struct {
	Text string `json:"text"`
	Hit  bool   `json:"hit,omitempty"`
}

const (
	// shortText is how much of each part a list shows, in characters.
	shortText = 300
	// searchedText is how much of each part is searched.
	searchedText = 65536
)

// rows gives calls by their numbers, with what a text hits in each.
func rows(ctx context.Context, c *sqlite.Catalog, numbers []int64, text string) ([]Row, error) {
	length := shortText
	if text != "" {
		length = searchedText
	}
	found, err := c.Rows(ctx, numbers, length)
	if err != nil {
		return nil, err
	}
	looked := sqlite.NewNeedle(text)
	out := make([]Row, len(found))
	for i, f := range found {
		out[i] = Row{ID: f.Number, At: f.At, RunID: f.RunID, CallID: f.CallID, Seq: f.Seq, Fn: f.Fn, Model: f.Model,
			Input: first(f.Input), Request: first(f.Request), Verdict: f.Verdict, By: f.Decider, DecisionWords: DecisionWords(f.Verdict, f.Decider),
			Reason: first(f.Reason), WaitedMs: f.WaitedMs, Outcome: f.Outcome, OutcomeWords: OutcomeWords(f.Outcome, f.Verdict, f.Failure),
			Failure: f.Failure, Message: first(f.Message), Ms: f.Ms, Noted: f.Noted, RunOpen: !f.RunEnded}
		for _, part := range []struct{ name, text string }{{"function", f.Fn}, {"input", f.Input}, {"request", f.Request}, {"reason", f.Reason}, {"message", f.Message}} {
			if pieces := surroundings(looked, part.text); pieces != nil {
				out[i].Hits = append(out[i].Hits, Hit{part.name, pieces})
			}
		}
	}
	return out, nil
}

func first(text string) string {
	if len(text) <= shortText {
		return text
	}
	runes := []rune(text)
	if len(runes) <= shortText {
		return text
	}
	return string(runes[:shortText]) + "…"
}
