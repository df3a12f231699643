// Package card shows the calls that wait for a person's decision in a native
// window, drawn by the shell and out of reach of web content.
//
// It fails closed: whatever happens to the window, nothing is approved but the
// rows that were ticked when the person pressed the run button.
package card

import (
	"context"
	"log/slog"
	"strings"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

// Config is what a Presenter needs.
type Config struct {
	// Pretty writes an input over several lines for reading, as value.Brief does:
	// what it describes in place of printing it returns beside the text. nil: the
	// canonical text as it is.
	Pretty func(app.Value) (text string, binaries []value.Binary)
	// Size is the file that remembers how large the person made the card; "": none.
	Size string
}

// Presenter shows cards, one at a time, in the order in which they came.
type Presenter struct {
	config Config
	turn   chan struct{} // holds one token while a card is on screen
}

var _ app.Presenter = (*Presenter)(nil)

// New returns a Presenter. Its cards need the app's main window on screen.
func New(config Config) *Presenter {
	if config.Pretty == nil {
		config.Pretty = func(v app.Value) (string, []value.Binary) { return v.String(), nil }
	}
	return &Presenter{config: config, turn: make(chan struct{}, 1)}
}

// Present shows the card and waits for the answer. When ctx ends first the card
// closes and the answer is By aborted; a card that cannot be shown, or cannot be
// shown whole, is an error. The reason is returned as the person wrote it.
func (p *Presenter) Present(ctx context.Context, card app.Card) (app.Answer, error) {
	sheet, err := draw(card, p.config.Pretty)
	if err != nil {
		return app.Answer{By: app.ByPolicy}, err
	}
	select {
	case p.turn <- struct{}{}: // waiting senders are served first come, first served
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return app.Answer{By: app.ByAborted}, nil
	}
	if ctx.Err() != nil {
		return app.Answer{By: app.ByAborted}, nil
	}
	sheet.size = lastSize(p.config.Size)
	out, err := show(ctx, sheet)
	if err != nil {
		return app.Answer{By: app.ByClosed}, err
	}
	if err := out.size.keep(p.config.Size); err != nil {
		slog.Warn("the card's size cannot be remembered", "error", err)
	}
	return out.answer(sheet, ctx.Err() != nil), nil
}

// ending is how a window ended.
type ending int

const (
	ran ending = iota + 1
	rejected
	closed
)

// outcome is what the window reported.
type outcome struct {
	how    ending
	ticks  []bool // by row
	reason string
	size   size // that the person gave the window; zero when they left it
}

// answer makes the domain's answer of an outcome. aborted: the window was closed
// because the run or the app ended.
func (o outcome) answer(s *sheet, aborted bool) app.Answer {
	answer := app.Answer{By: app.ByUser, Reason: strings.TrimSpace(o.reason)}
	switch {
	case o.how == ran && len(o.ticks) == len(s.Rows):
		for i, tick := range o.ticks {
			if tick {
				answer.Approve = append(answer.Approve, s.Rows[i].CallID)
			}
		}
	case o.how == rejected:
	case aborted:
		answer.By = app.ByAborted
	default:
		answer.By = app.ByClosed
	}
	return answer
}
