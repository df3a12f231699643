package selftest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func reported(t *testing.T, checks, failed, told int) error {
	t.Helper()
	r := NewReport(nil)
	for i := range checks {
		if err := r.Add(json.RawMessage(fmt.Sprintf(`{"check":{"claim":"c","passed":%t}}`, i >= failed))); err != nil {
			t.Fatal(err)
		}
	}
	if told >= 0 {
		if err := r.Add(json.RawMessage(fmt.Sprintf(`{"done":%d}`, told))); err != nil {
			t.Fatal(err)
		}
	}
	_, err := r.Result()
	return err
}

func TestOnlyAWholeReportIsASuccess(t *testing.T) {
	for _, c := range []struct {
		name                 string
		checks, failed, told int
		want                 string
	}{
		{"all passed", least, 0, least, ""},
		{"one failed", least, 1, least, "1 of 60 checks failed"},
		{"one was lost on the way", least, 0, least + 1, "61 checks and 60"},
		{"the page died", least, 0, -1, "before it was through"},
		{"too few", least - 1, 0, least - 1, "at least 60"},
		{"none", 0, 0, 0, "at least 60"},
	} {
		err := reported(t, c.checks, c.failed, c.told)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, expected %q", c.name, err, c.want)
		}
	}
}

func TestACheckThatCouldNotBeMadeHasNotPassed(t *testing.T) {
	r := NewReport(nil)
	for i := range least {
		text := `{"check":{"claim":"c","passed":true}}`
		if i == 0 {
			text = `{"check":{"claim":"c","passed":false,"unmade":true}}`
		}
		if err := r.Add(json.RawMessage(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Add(json.RawMessage(fmt.Sprintf(`{"done":%d}`, least))); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Result(); err == nil {
		t.Error("the self-test passed")
	}
}

func TestWhatIsNoReportIsRefused(t *testing.T) {
	for _, text := range []string{``, `{}`, `[]`, `{"check":{},"done":1}`, `{"check":{"claim":"c","extra":1}}`, `{"done":"1"}`} {
		if err := NewReport(nil).Add(json.RawMessage(text)); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

func TestLongTextsAreCutForPeople(t *testing.T) {
	var out bytes.Buffer
	long := strings.Repeat("1+", 600)
	if err := Print(&out, Check{Group: "g", Claim: "c", Tried: long, Answered: long, Expected: long}, func(s string) string { return s }); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if len(line) > longest+60 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
	if !strings.Contains(out.String(), "… (1200 characters)") {
		t.Errorf("it is not said:\n%s", out.String())
	}
}

func TestOnlyTheProvokedPanicIsLeftOut(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(Quiet(slog.NewTextHandler(&out, nil)))
	log.Error("a function panicked", "fn", provoked, "stack", "goroutine 1")
	if out.Len() != 0 {
		t.Errorf("got %s", out.String())
	}
	log.Error("a function panicked", "fn", "orders.list", "stack", "goroutine 1")
	if !strings.Contains(out.String(), "orders.list") {
		t.Errorf("got %q", out.String())
	}
}
