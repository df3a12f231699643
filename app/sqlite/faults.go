package sqlite

import (
	"errors"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// Fault is something that went wrong with the log while the app was open.
type Fault struct {
	At      time.Time
	Message string
}

// Faults are what went wrong since the log was opened: what verifying it at the
// start found, and the last time that something could not be written.
func (l *Log) Faults() (faults []Fault) {
	select {
	case <-l.verified:
		if l.found.Trouble != nil {
			faults = append(faults, Fault{Message: plain(l.found.Trouble)})
		}
		if l.found.NoAnchor != "" {
			faults = append(faults, Fault{Message: l.found.NoAnchor})
		}
		if l.found.NoKey != "" {
			faults = append(faults, Fault{Message: l.found.NoKey})
		}
	default: // not through yet
	}
	if f := l.lastFault.Load(); f != nil {
		faults = append(faults, *f)
	}
	return faults
}

// plain is an error's text without its code.
func plain(err error) string {
	var known *app.Error
	if errors.As(err, &known) {
		return known.Message
	}
	return err.Error()
}
