package review

import (
	"fmt"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// DecisionWords is a decision in a few words; "" where there was none.
func DecisionWords(verdict app.Verdict, by app.Decider) string {
	if verdict == "" && by == "" {
		return ""
	}
	word := map[app.Verdict]string{app.Approve: "approved", app.Reject: "rejected"}[verdict]
	switch by { // nobody decided these
	case app.ByClosed:
		return word + ": card closed"
	case app.ByAborted:
		return word + ": run stopped"
	}
	return word + " by " + string(by)
}

// OutcomeWords is how far a call came in a few words. verdict is "" where there was
// no decision; failure is the name of its error or the code of its refusal.
func OutcomeWords(outcome sqlite.Outcome, verdict app.Verdict, failure string) string {
	switch {
	case outcome == sqlite.Unknown:
		return "outcome unknown"
	case outcome == sqlite.Approved:
		return "approved, not run"
	case outcome == sqlite.Rejected && verdict == "":
		return "not decided, not run"
	case failure != "":
		return string(outcome) + ": " + failure
	}
	return string(outcome)
}

// Meaning says in plain words what a finding of verifying means, and what to do.
type Meaning struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	// Good: nothing contradicts the log. Doubt: nothing contradicts it, and something
	// that would prove it is missing. Bad: something was changed.
	Weight string `json:"weight"` // good, doubt, bad
}

var meanings = map[sqlite.State]Meaning{
	sqlite.Intact: {"The log is whole and untouched",
		"Every entry holds the hash of the one before it, every hash fits what the entry says, and the last entry is the one that is anchored outside the log. Nothing was changed, removed or put in since it was written, unless by somebody who could also write the anchor and the key.", "good"},
	sqlite.EntryChanged: {"An entry was changed, removed or put in",
		"From the entry that is named on, the log cannot be relied on; what stands before it is in order. Keep the file as it is, compare it with a copy or an export made earlier, and find out who could write it.", "bad"},
	sqlite.TailCut: {"The newest entries are missing",
		"What is there is in order, but the log once held more: its anchor, or the end of the export, knows later entries. They were cut off, or an older copy was put in its place.", "bad"},
	sqlite.Rewritten: {"This is not the log that was anchored",
		"The entries form one chain, but another one than the anchor or the signature knows: somebody wrote the log anew, or put another one in its place. Nothing in it can be relied on.", "bad"},
	sqlite.AnchorMissing: {"The entries are in order; whether the log is whole cannot be known",
		"No entry was changed or taken out of the middle. But the anchor, or the key, is missing that would tell whether entries were cut off at the end. If you have noted the head of this log earlier, compare it below.", "doubt"},
	sqlite.Consistent: {"The export is consistent in itself; whose signature it has was not checked",
		"Nothing in it was changed since it was signed. But whoever makes an export anew can sign it with a key of their own: compare the key with the one you know the log by.", "doubt"},
}

// ofChosen is what it means that an export of chosen calls is intact.
var ofChosen = Meaning{"The chosen entries are untouched",
	"Every entry in this export is as it was hashed, all of them are signed together with the key of the log, and the log had its anchored end when it was exported. What lies between the entries is not in it: whether an entry there was changed is told by verifying the log, or an export of all of it.", "good"}

// MeaningOf says what was found.
func MeaningOf(report sqlite.Report) Meaning {
	state := report.State
	if state == sqlite.Intact && report.Chosen {
		return ofChosen
	}
	if m, ok := meanings[state]; ok {
		return m
	}
	return Meaning{string(state), "This version does not know this finding.", "bad"}
}

// FindingWords is what a person has noted, in a few words.
func FindingWords(f app.Finding) string {
	switch f {
	case app.TookEffect:
		return "noted: it took effect"
	case app.TookNoEffect:
		return "noted: it took no effect"
	case app.CannotBeKnown:
		return "noted: it cannot be known"
	}
	return fmt.Sprintf("noted: %s", f)
}
