package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// AtStart is what opening the log found out about it.
type AtStart struct {
	// Trouble is why nothing new runs on it; nil: every entry is in order.
	Trouble error
	// Report is what verifying found. It has no State where it could not be verified.
	Report Report
	Began  time.Time // when verifying began
	Took   time.Duration
	// NoAnchor says that its anchor was missing, so that one was made; "": it was there.
	NoAnchor string
	// NoKey says the same of its key.
	NoKey string
}

// AtStart waits until the log has been verified beside the start, and tells what
// that found. Its error is that of ctx, or that the log was closed meanwhile.
func (l *Log) AtStart(ctx context.Context) (AtStart, error) {
	select {
	case <-l.verified:
	case <-ctx.Done():
		return AtStart{}, &app.Error{Code: app.Cancelled, Cause: ctx.Err(), Message: "nobody waits any more for what verifying the log finds"}
	}
	if errors.Is(l.found.Trouble, ErrClosed) {
		return AtStart{}, l.found.Trouble
	}
	return l.found, nil
}
