package selftest

import (
	"encoding/json"
	"fmt"
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

func TestWhatIsNoReportIsRefused(t *testing.T) {
	for _, text := range []string{``, `{}`, `[]`, `{"check":{},"done":1}`, `{"check":{"claim":"c","extra":1}}`, `{"done":"1"}`} {
		if err := NewReport(nil).Add(json.RawMessage(text)); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}
