package app

import (
	"context"
	"encoding/json"
	"time"
)

// Kind says what an entry of the log records.
type Kind string

const (
	RunBegan      Kind = "run.began"      // program, request, model
	CallRequested Kind = "call.requested" // a marked call waits for a decision
	CallDecided   Kind = "call.decided"   // verdict, decider, what was shown, how long
	CallStarted   Kind = "call.started"   // about to execute
	CallSettled   Kind = "call.settled"   // its value or error
	CallRefused   Kind = "call.refused"   // the gate refused it; it did not run
	CallNoted     Kind = "call.noted"     // what a person found out about a call whose outcome is unknown
	RunSuspended  Kind = "run.suspended"  // the page or the app went while calls waited; they wait on
	RunResumed    Kind = "run.resumed"    // its card is put before the person again
	RunEnded      Kind = "run.ended"      // status and reason
	// SettingsChanged: the person's settings are about to become looser.
	SettingsChanged Kind = "settings.changed"
	LogAnchored     Kind = "log.anchored" // the anchor was missing and has been set anew
	LogKeyed        Kind = "log.keyed"    // the key was missing and a new one was made
	LogPruned       Kind = "log.pruned"   // the oldest entries were removed on purpose
)

// Entry is one line of the log. Number, Previous and Hash are filled in by the
// log; Body is a JSON object whose members depend on Kind.
type Entry struct {
	Number   int64           `json:"number"`
	At       time.Time       `json:"at"` // UTC, milliseconds
	Kind     Kind            `json:"kind"`
	RunID    string          `json:"runId"`
	CallID   string          `json:"callId,omitempty"`
	Seq      int             `json:"seq,omitempty"`
	Fn       string          `json:"fn,omitempty"`
	Body     json.RawMessage `json:"body"`
	Previous string          `json:"previous"` // hex SHA-256 of the entry before
	Hash     string          `json:"hash"`
	// Secrets are JSON pointers to the parts of Body that the log must not store
	// as they are. It stores a commitment in the place of each: something that
	// proves what stood there to whoever knows it and the log's key, and tells
	// nothing to anybody else. An entry that is read has none.
	Secrets []string `json:"-"`
}

// Log is the append-only record. Append returns only when the entries, and all
// that were given before them, are durable; an error means that none of them is,
// and that what depends on them must not run. Without entries it waits for those
// before.
type Log interface {
	Append(ctx context.Context, entries ...Entry) error
	// AppendSoon makes the entry durable with the next group commit. The channel
	// gets one value: nil, or why it could not be written.
	AppendSoon(entry Entry) <-chan error
}
