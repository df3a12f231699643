package app

import "context"

// Decider says who or what made a decision.
type Decider string

const (
	ByUser    Decider = "user"    // the person, on the card
	ByPolicy  Decider = "policy"  // a rule of ours, without a card
	ByDemo    Decider = "demo"    // --decide of a headless demo
	ByClosed  Decider = "closed"  // the card was closed or could not be shown
	ByAborted Decider = "aborted" // the run or the app ended first
)

// Verdict is the answer to one call.
type Verdict string

const (
	Approve Verdict = "approve"
	Reject  Verdict = "reject"
)

// Decision is a verdict bound to one call: its run, seq, function and exact
// input. An approval can be consumed once.
type Decision struct {
	Call    Call
	Digest  Digest
	Verdict Verdict
	Reason  string
	By      Decider
}

// Card is what the person sees and decides on. Title and rows come from the
// host's own definitions and stored inputs; Request is the person's own words.
type Card struct {
	ID      string
	RunID   string
	Title   string // “Cancel 3 orders?”
	Request string
	Rows    []Row
}

// Row is one call on a card.
type Row struct {
	CallID string
	Seq    int
	Fn     string
	Title  string // the function's own title: “Cancel an order”
	Words  string // the function's own words for this call, by what the host knows; may be ""
	Input  Value
}

// Answer is what came back from a card. Rows that are not approved are
// rejected.
type Answer struct {
	Approve []string // call ids
	Reason  string   // for the rejected rows
	By      Decider
}

// Presenter shows one card and waits for its answer. It returns when the
// person has answered, when ctx is done (the card closes, By is ByAborted) or
// when it cannot show (an error: nothing is approved).
type Presenter interface {
	Present(ctx context.Context, card Card) (Answer, error)
}
