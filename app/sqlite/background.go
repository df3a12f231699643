package sqlite

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// verifyAtStart verifies the whole log beside the app's start, which compares the
// end with the anchor only. Until it is through nothing that must not build on a
// tampered log is appended; if it fails, such entries are refused until the end of
// the process, while what is running can still log how it ended.
func (l *Log) verifyAtStart(ctx context.Context) {
	defer close(l.verified)
	began := time.Now()
	report, err := l.Verify(ctx)
	l.found.Report, l.found.Began, l.found.Took = report, began, time.Since(began)
	switch {
	case ctx.Err() != nil:
		l.found.Trouble = fault(ErrClosed, "the log %s is closed, since the app is ending", l.path)
	case err != nil:
		l.found.Trouble = unavailable(l.path, err)
		slog.Error("the log could not be verified, so nothing new runs", "log", l.path, "error", err)
	case report.State != Intact:
		l.found.Trouble = fault(ErrDamaged, "the log is not intact: %s; nothing new runs on it: close the app, look at it with “countersign log verify”, then restore a copy of %s, or move it aside together with its anchor %s", report.Message, l.path, l.anchor)
		slog.Error("the log is not intact, so nothing new runs", "log", l.path, "finding", report.Message)
	}
}

// mayBegin waits until the log is verified if one of the entries begins something:
// a run, a request for a decision, or the execution of a marked call.
func (l *Log) mayBegin(ctx context.Context, entries []app.Entry) error {
	for _, e := range entries {
		switch e.Kind {
		case app.RunBegan, app.RunResumed, app.CallRequested:
			return l.intact(ctx)
		case app.CallStarted:
			var body app.CallStartedBody
			if json.Unmarshal(e.Body, &body) != nil || body.Marked {
				return l.intact(ctx)
			}
		}
	}
	return nil
}

func (l *Log) intact(ctx context.Context) error {
	select {
	case <-l.verified:
		return l.found.Trouble
	case <-ctx.Done():
		return &app.Error{Code: app.Cancelled, Cause: ctx.Err(), Message: "cancelled before it was logged"}
	}
}
