package app

import (
	"context"
	"time"
)

// WaitingRun is a pending run as it is kept while its card waits: everything
// that the gate and the page need to go on after the app, or the page, has gone.
// It holds inputs as they are, secret ones too, and is removed with the decision.
type WaitingRun struct {
	Run
	Since time.Time    `json:"since"` // UTC; when its rows were put before the person
	Title string       `json:"title"` // of the card: “Cancel 3 orders?”
	Rows  []WaitingRow `json:"rows"`
	// Functions are the definitions of all functions it has called, by name.
	Functions map[string]Digest `json:"functions"`
	Library   string            `json:"library"` // build of the sandbox that made the continuation
	Version   string            `json:"version"` // of the app
	Claimed   []WaitingID       `json:"claimed"` // calls that were decided in earlier rounds
	Started   []string          `json:"started"` // ids of the calls that were let in
	// Continuation is the page's: what the sandbox resumes from, in tagged form.
	Continuation Value `json:"continuation"`
}

// WaitingRow is one call that waits, with the input that was put on the card.
type WaitingRow struct {
	CallID string `json:"callId"`
	Seq    int    `json:"seq"`
	Fn     string `json:"fn"`
	Input  Value  `json:"input"`
	Digest Digest `json:"digest"`
	Line   int    `json:"line,omitempty"`
}

// WaitingID names a call of a run.
type WaitingID struct {
	CallID string `json:"callId"`
	Seq    int    `json:"seq"`
}

// Waiting keeps pending runs. What it holds is no part of the log, and the log
// has the last word: a run that the log says is decided or over does not wait.
type Waiting interface {
	// Keep returns when the run is on disk, in the place of what was kept of it
	// before. It refuses what is larger than it takes, saying so.
	Keep(ctx context.Context, run WaitingRun) error
	// List gives all that is kept, without continuations, the longest waiting first.
	List(ctx context.Context) ([]WaitingRun, error)
	// Read gives one whole. Its error has the code NotWaiting when there is none.
	Read(ctx context.Context, runID string) (WaitingRun, error)
	// Drop forgets a run; that there is none is no error.
	Drop(ctx context.Context, runID string) error
}
