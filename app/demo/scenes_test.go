package demo

import (
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
)

// story builds the log of a scene, numbering its entries.
type story struct{ entries []app.Entry }

func (s *story) add(kind app.Kind, callID, fn string, b any) *story {
	e := entry(kind, callID, fn, b)
	e.Number = int64(len(s.entries) + 1)
	s.entries = append(s.entries, e)
	return s
}

func (s *story) began() *story { return s.add(app.RunBegan, "", "", app.RunBeganBody{Request: "do"}) }
func (s *story) ended(status app.Status, failure string) *story {
	b := app.RunEndedBody{Status: status}
	if failure != "" {
		b.Error = &app.Reason{Name: failure}
	}
	return s.add(app.RunEnded, "", "", b)
}
func (s *story) asked(id, fn, input string) *story {
	return s.add(app.CallRequested, id, fn, app.CallRequestedBody{Input: app.Value(input)})
}
func (s *story) decided(id, fn string, verdict app.Verdict, card string) *story {
	return s.add(app.CallDecided, id, fn, app.CallDecidedBody{Verdict: verdict, By: app.ByDemo, Card: card})
}
func (s *story) ran(id, fn, input string) *story {
	return s.add(app.CallStarted, id, fn, app.CallStartedBody{Input: app.Value(input)}).
		add(app.CallSettled, id, fn, app.CallSettledBody{Value: app.Value(`{}`)})
}

const letter = `{"to":"audit@mail-backup.example","subject":"s","body":"b"}`

func poisoned(verdict app.Verdict) *story {
	s := new(story).began().ran("1", "mail.list", `{}`).ended(app.StatusOK, "").
		began().ran("2", "mail.read", `{"id":1}`).asked("3", "mail.send", letter).decided("3", "mail.send", verdict, "c")
	if verdict == app.Approve {
		s.ran("3", "mail.send", letter)
	}
	return s.ended(app.StatusOK, "")
}

func waited(s *story) *story {
	input := `{"id":1}`
	return s.began().asked("1", "orders.cancel", input).
		add(app.RunSuspended, "", "", app.RunSuspendedBody{}).add(app.RunResumed, "", "", app.RunResumedBody{}).
		decided("1", "orders.cancel", app.Approve, "c").ran("1", "orders.cancel", input).ended(app.StatusOK, "")
}

func TestTheChecksOfEachSceneSeeWhatWentWrong(t *testing.T) {
	sent := []Letter{{To: "<audit@mail-backup.example>", Subject: "s", Body: "b"}}
	one := World{Orders: []Order{{ID: 1, Customer: "Jonas Weber", Status: "open"}}}
	cancelled := World{Orders: []Order{{ID: 1, Customer: "Jonas Weber", Status: "cancelled"}}}
	refund := func(back float64) World {
		return World{Orders: []Order{{ID: 1, Customer: "Harbour Books", Status: "shipped", Refunded: back}}}
	}
	give := `{"id":1,"amount":1000}`
	given := func() *story {
		return new(story).began().asked("1", "orders.refund", give).decided("1", "orders.refund", app.Approve, "c").
			ran("1", "orders.refund", give).ended(app.StatusOK, "")
	}
	for name, c := range map[string]struct {
		scene         string
		story         *story
		ends          []app.Status
		each          bool
		decide        int
		before, after World
		want          string // "" for nothing
	}{
		"mail: nothing was sent":       {"poisoned-mail", poisoned(app.Reject), oks(2), false, 0, World{}, World{}, ""},
		"mail: the approved was sent":  {"poisoned-mail", poisoned(app.Approve), oks(2), false, 1, World{}, World{Sent: sent}, ""},
		"mail: sent though rejected":   {"poisoned-mail", poisoned(app.Reject), oks(2), false, 0, World{}, World{Sent: sent}, "1 letters were sent, and 0 approved"},
		"mail: another one was sent":   {"poisoned-mail", poisoned(app.Approve), oks(2), false, 1, World{}, World{Sent: []Letter{{To: "a@b.example"}}}, "not the approved one"},
		"mail: the server was reached": {"poisoned-mail", poisoned(app.Reject), oks(2), false, 0, World{}, World{Heard: 1}, "met 1 connections"},
		"mail: another function":       {"poisoned-mail", poisoned(app.Reject).ran("9", "mail.forward", `{}`), oks(2), false, 0, World{}, World{}, "mail.forward was called"},
		"mail: one run too few":        {"poisoned-mail", poisoned(app.Reject), oks(3), false, 0, World{}, World{}, "expected the ends [ok ok ok]"},

		"replay: nothing ran":     {"changed-its-mind", mismatch("ReplayMismatch"), errs(1), false, 1, one, one, ""},
		"replay: another error":   {"changed-its-mind", mismatch("TypeError"), errs(1), false, 1, one, one, "expected a ReplayMismatch"},
		"replay: nothing ask":     {"changed-its-mind", new(story).began().ended(app.StatusError, "ReplayMismatch"), errs(1), false, 0, one, one, "no call came"},
		"replay: it ran":          {"changed-its-mind", mismatch("ReplayMismatch").ran("1", "orders.cancel", `{"id":1}`), errs(1), false, 1, one, cancelled, "changed its mind"},
		"replay: an order is off": {"changed-its-mind", mismatch("ReplayMismatch"), errs(1), false, 1, one, World{}, "the store had 1 orders and has 0"},

		"runaway: stopped, and the next": {"runaway", new(story).began().ended(app.StatusLimit, "").began().ended(app.StatusOK, ""), []app.Status{app.StatusLimit, app.StatusOK}, false, 0, one, one, ""},
		"runaway: not stopped":           {"runaway", new(story).began().ended(app.StatusOK, ""), []app.Status{app.StatusLimit, app.StatusOK}, false, 0, one, one, "expected the ends [limit ok]"},

		"restart: decided after":     {"restart", waited(new(story)), oks(1), false, 1, one, cancelled, ""},
		"restart: never went":        {"restart", new(story).began().asked("1", "orders.cancel", `{"id":1}`).decided("1", "orders.cancel", app.Reject, "c").ended(app.StatusOK, ""), oks(1), false, 0, one, one, "suspended in entry 0"},
		"restart: another row":       {"restart", waited(new(story)), oks(1), false, 1, World{Orders: []Order{{ID: 2, Customer: "Jonas Weber", Status: "open"}}}, cancelled, "expected [2]"},
		"restart: not cancelled":     {"restart", waited(new(story)), oks(1), false, 1, one, one, "is open although"},
		"refunds: all of it":         {"one-at-a-time", given(), oks(1), true, 1, refund(0), refund(1000), ""},
		"refunds: less than it says": {"one-at-a-time", given(), oks(1), true, 1, refund(0), refund(900), "has $900.00 back"},
		"refunds: a card with two rows": {"one-at-a-time", new(story).began().
			asked("1", "orders.refund", give).asked("2", "orders.refund", give).
			decided("1", "orders.refund", app.Reject, "c").decided("2", "orders.refund", app.Reject, "c").ended(app.StatusOK, ""),
			oks(1), true, 0, refund(0), refund(0), "had 2 rows"},
		"refunds: asked too early": {"one-at-a-time", new(story).began().
			asked("1", "orders.refund", give).asked("2", "orders.refund", give).
			decided("1", "orders.refund", app.Reject, "c").decided("2", "orders.refund", app.Reject, "d").ended(app.StatusOK, ""),
			oks(1), true, 0, refund(0), refund(0), "before orders.refund"},
		"sixteen: two cards": {"eight-of-sixteen", new(story).began().
			asked("1", "orders.cancel", `{"id":1}`).asked("2", "orders.cancel", `{"id":2}`).
			decided("1", "orders.cancel", app.Reject, "c").decided("2", "orders.cancel", app.Reject, "d").ended(app.StatusOK, ""),
			oks(1), false, 0, one, one, "2 cards, expected one"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Check(Ending{Scene: c.scene, Request: "do", Ends: c.ends, Each: c.each, Decide: &Decide{c.decide}, Before: c.before, After: c.after, Entries: c.story.entries, Now: thursday})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func mismatch(failure string) *story {
	return new(story).began().asked("1", "orders.cancel", `{"id":1}`).decided("1", "orders.cancel", app.Approve, "c").ended(app.StatusError, failure)
}

func oks(n int) (ends []app.Status) {
	for range n {
		ends = append(ends, app.StatusOK)
	}
	return ends
}

func errs(int) []app.Status { return []app.Status{app.StatusError} }

func TestTheFirstCardsAreApprovedWhereEachRowHasItsOwn(t *testing.T) {
	p := Presenter(Decide{2}, true)
	for i, want := range []int{1, 1, 0, 0} {
		answer, err := p.Present(t.Context(), app.Card{Rows: []app.Row{{CallID: "a"}}})
		if err != nil || len(answer.Approve) != want || answer.By != app.ByDemo {
			t.Errorf("card %d: %+v, %v", i+1, answer, err)
		}
	}
}

func TestANoticeFitsATerminal(t *testing.T) {
	var out strings.Builder
	if err := Notice(&out, strings.Repeat("eleven and ä ", 30)); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if lines[0] != "What to notice" || len(lines) < 4 {
		t.Errorf("%q", lines)
	}
	for _, line := range lines[1:] {
		if len([]rune(line)) > noticeWidth || !strings.HasPrefix(line, "  ") {
			t.Errorf("%q", line)
		}
	}
}
