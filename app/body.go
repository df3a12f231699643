package app

import "encoding/json"

// What the entries of the log hold. Each kind has one body; readers must take
// unknown members and missing ones, since entries are never rewritten.

// RunBeganBody is the body of run.began.
type RunBeganBody struct {
	Request string `json:"request"`
	Code    string `json:"code"`
	Model   string `json:"model"`
	Version string `json:"version,omitempty"` // of the app
	Engine  string `json:"engine,omitempty"`  // of the webview
}

// CallRequestedBody is the body of call.requested: a marked call, or one that
// came as such, before anybody decides.
type CallRequestedBody struct {
	Title  string `json:"title,omitempty"`
	Input  Value  `json:"input"` // null when it was no value; then Text has it
	Text   string `json:"text,omitempty"`
	Digest Digest `json:"digest,omitempty"`
	Line   int    `json:"line,omitempty"` // of the program; 0: not known
}

// CallDecidedBody is the body of call.decided.
type CallDecidedBody struct {
	Verdict  Verdict `json:"verdict"`
	By       Decider `json:"by"`
	Reason   string  `json:"reason,omitempty"`
	Digest   Digest  `json:"digest,omitempty"` // of the input that was shown
	Card     string  `json:"card,omitempty"`   // id; rows of one card share it
	Shown    string  `json:"shown,omitempty"`  // the title of that card
	WaitedMs int64   `json:"waitedMs"`         // from the request to the decision
}

// CallStartedBody is the body of call.started. The input of a marked call is in
// its call.requested entry. Fields are in the order of the canonical form, in
// which the log keeps them.
type CallStartedBody struct {
	Digest Digest `json:"digest"`
	Input  Value  `json:"input,omitempty"`
	Marked bool   `json:"marked"`
}

// CallSettledBody is the body of call.settled: a value or an error. Fields are in
// the order of the canonical form: a value may be long, and is not written twice.
type CallSettledBody struct {
	Error *Reason `json:"error,omitempty"`
	// Late says that the caller had been told Cancelled before the function ended.
	Late  bool    `json:"late,omitempty"`
	Ms    float64 `json:"ms"` // from start to outcome
	Value Value   `json:"value,omitempty"`
}

// CallRefusedBody is the body of call.refused: the call did not run.
type CallRefusedBody struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Input   Value  `json:"input,omitempty"`
	Count   int64  `json:"count,omitempty"` // how many like it, since the last such entry
}

// CallNotedBody is the body of call.noted: what a person has found out about a call
// of which the log does not know how it ended. It changes no outcome.
type CallNotedBody struct {
	Finding Finding `json:"finding"`
	Reason  string  `json:"reason,omitempty"` // how they know, in their words
	By      Decider `json:"by"`
}

// Finding is what a person has found out about a call.
type Finding string

const (
	TookEffect    Finding = "took effect"
	TookNoEffect  Finding = "took no effect"
	CannotBeKnown Finding = "cannot be known"
)

// RunSuspendedBody is the body of run.suspended: nothing was decided.
type RunSuspendedBody struct {
	Reason  string   `json:"reason"`
	Waiting []string `json:"waiting"` // ids of the calls that wait
}

// RunResumedBody is the body of run.resumed.
type RunResumedBody struct {
	Waiting []string `json:"waiting"` // ids of the calls that wait
	Version string   `json:"version,omitempty"`
	Engine  string   `json:"engine,omitempty"`
}

// RunEndedBody is the body of run.ended.
type RunEndedBody struct {
	Status Status  `json:"status"`
	Error  *Reason `json:"error,omitempty"`
	// Unknown are the calls that had started and not settled: nobody knows
	// whether they took effect.
	Unknown []string `json:"unknown,omitempty"`
}

// Reason is an error as people and programs read it.
type Reason struct {
	Name    string `json:"name"`
	Message string `json:"message"`
}

// SettingsChangedBody is the body of settings.changed, which belongs to no run:
// how settings are about to become looser. It is written before they do.
type SettingsChangedBody struct {
	From    string           `json:"from"` // screen, file or start: found in the file when the app started
	Changes []SettingsChange `json:"changes"`
}

// SettingsChange is one way in which settings became looser. Before and After
// hold nothing secret; null: there was, or is, none.
type SettingsChange struct {
	Field  string          `json:"field"`
	Text   string          `json:"text"` // what it means, as it was put to the person
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
}

// LogAnchoredBody is the body of log.anchored: the head's anchor was missing
// when the log was opened, so what a cut before here took cannot be known.
type LogAnchoredBody struct {
	Reason string `json:"reason"`
}

// LogKeyedBody is the body of log.keyed: the key was missing when the log was
// opened. What it signed and committed to before is not that of Key.
type LogKeyedBody struct {
	Reason string `json:"reason"`
	Key    string `json:"key"` // the new one, public, in hex
}

// LogPrunedBody is the body of log.pruned: the checkpoint that stands for the
// entries up to Number.
type LogPrunedBody struct {
	Number    int64  `json:"number"`
	Hash      string `json:"hash"`
	At        string `json:"at"`
	Key       string `json:"key"`
	Signature string `json:"signature"`
}
