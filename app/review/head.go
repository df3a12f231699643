package review

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// HeadNote is the last entry of a log, to be noted down where nobody can change it.
type HeadNote struct {
	sqlite.Head
	At   string `json:"at"`   // of that entry; "" of an empty log
	Text string `json:"text"` // what to note: one line, which Compare takes
}

// NoteHead gives the head of a log.
func NoteHead(ctx context.Context, log *sqlite.Reader) (HeadNote, error) {
	head, err := log.Head(ctx)
	if err != nil {
		return HeadNote{}, err
	}
	note := HeadNote{Head: head}
	if head.Number > 0 {
		entries, err := log.Entries(ctx, sqlite.Filter{Number: head.Number})
		if err != nil {
			return note, err
		}
		if len(entries) == 1 {
			note.At = entries[0].At.UTC().Format(WireTime)
		}
	}
	text, err := json.Marshal(head)
	note.Text = string(text)
	return note, err
}

// Comparison is how a log stands to a head that was noted or exported earlier.
type Comparison struct {
	// Finding is same, goes on, differs, ends before, removed or another log.
	Finding string      `json:"finding"`
	Text    string      `json:"text"`
	Weight  string      `json:"weight"` // good, doubt, bad
	Given   sqlite.Head `json:"given"`  // as it was read; Log is "" where none was given
	Head    sqlite.Head `json:"head"`
}

// Compare looks for a head in a log. text is a line of NoteHead, the last line of
// an export or a whole one, or a number and a hash as somebody wrote them down.
func Compare(ctx context.Context, log *sqlite.Reader, text string) (Comparison, error) {
	given, err := readHead(text)
	if err != nil {
		return Comparison{}, err
	}
	head, err := log.Head(ctx)
	if err != nil {
		return Comparison{}, err
	}
	c := Comparison{Given: given, Head: head}
	say := func(finding, weight, format string, args ...any) (Comparison, error) {
		c.Finding, c.Weight, c.Text = finding, weight, fmt.Sprintf(format, args...)
		return c, nil
	}
	if given.Log != "" && given.Log != head.Log {
		return say("another log", "bad", "That is the head of another log: its id is %s, and this one is %s.", given.Log, head.Log)
	}
	if given.Number > head.Number {
		return say("ends before", "bad", "This log ends with entry %d, before entry %d: what came later was cut off, or this is an older copy.", head.Number, given.Number)
	}
	entries, err := log.Entries(ctx, sqlite.Filter{Number: given.Number})
	if err != nil {
		return c, err
	}
	switch {
	case len(entries) == 0:
		return say("removed", "doubt", "Entry %d is not in this log any more. If it was removed on purpose, verifying says so; what lies before a checkpoint can be compared with an export made earlier only.", given.Number)
	case entries[0].Hash != given.Hash || !sqlite.Fits(entries[0]):
		return say("differs", "bad", "Entry %d has another hash in this log: it, or something before it, was changed since that head was noted, or it is another log.", given.Number)
	case given.Number == head.Number:
		return say("same", "good", "This log ends with exactly that entry: nothing was added since, and nothing before it was changed if verifying finds the chain in order.")
	}
	return say("goes on", "good", "Entry %d is in this log with exactly that hash, and %d more follow it. Nothing up to it was changed if verifying finds the chain in order.", given.Number, head.Number-given.Number)
}

var (
	hashForm   = regexp.MustCompile(`(?i)\b[0-9a-f]{64}\b`)
	numberForm = regexp.MustCompile(`(?:^|[^-.\w])([0-9]{1,18})\b`)
)

// maxHead bounds what is taken as a head: the last line of an export is short.
const maxHead = 1 << 20

func readHead(text string) (sqlite.Head, error) {
	bad := app.Errorf(app.BadRequest, "no head is in that text: expected what “Head” shows (a number and a hash of 64 hex digits), or the last line of an export")
	if len(text) > maxHead {
		return sqlite.Head{}, bad
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	var plain sqlite.Head
	var nested struct{ Head sqlite.Head }
	last := []byte(strings.Trim(lines[len(lines)-1], " ,\r]"))
	if json.Unmarshal(last, &nested) == nil && nested.Head.Hash != "" {
		return nested.Head, nil
	}
	if json.Unmarshal(last, &plain) == nil && plain.Hash != "" && plain.Number > 0 {
		return plain, nil
	}
	hash := hashForm.FindString(text)
	found := numberForm.FindStringSubmatch(hashForm.ReplaceAllString(text, " "))
	if hash == "" || found == nil {
		return sqlite.Head{}, bad
	}
	number, err := strconv.ParseInt(found[1], 10, 64)
	if err != nil || number < 1 {
		return sqlite.Head{}, bad
	}
	return sqlite.Head{Number: number, Hash: strings.ToLower(hash)}, nil
}
