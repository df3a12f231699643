package settings

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// ask does an operation as the bridge does.
func ask(ctx context.Context, s *Store, name, args string) (string, error) {
	for _, op := range s.Operations() {
		if op.Name == name {
			answer, err := op.Do(ctx, json.RawMessage(args))
			if err != nil {
				return "", err
			}
			text, err := json.Marshal(answer)
			return string(text), err
		}
	}
	return "", app.Errorf(app.BadRequest, "no operation %s", name)
}

type answer struct {
	Applied  bool
	Loosened []Change
	State    struct {
		Revision int64
		Settings json.RawMessage
	}
	Revision int64
	Settings json.RawMessage
}

func read1(t *testing.T, text string, err error) answer {
	t.Helper()
	var a answer
	if err == nil {
		err = json.Unmarshal([]byte(text), &a)
	}
	if err != nil {
		t.Fatal(err, text)
	}
	return a
}

func TestThePageNeverSeesASecretAndKeepsIt(t *testing.T) {
	d := newDesk(t)
	d.write(`{"mcp": [{"name": "wiki", "url": "https://wiki.example", "headers": {"Authorization": "s3cret", "X": "s3cret2"}}]}`)
	s := d.open()
	text, err := ask(t.Context(), s, "settings.read", `{}`)
	a := read1(t, text, err)
	if strings.Contains(text, "s3cret") || !strings.Contains(text, `"Authorization":null`) {
		t.Fatal(text)
	}
	change := func(settings string) (string, error) {
		body, err := json.Marshal(map[string]any{"revision": s.Status().Revision, "settings": json.RawMessage(settings), "confirmed": true})
		if err != nil {
			t.Fatal(err)
		}
		return ask(t.Context(), s, "settings.change", string(body))
	}
	dark := strings.Replace(string(a.Settings), `"system"`, `"dark"`, 1)
	if text, err = change(dark); err != nil || strings.Contains(text, "s3cret") || s.Current().Theme != Dark {
		t.Fatal(text, err)
	}
	if got := s.Current().Servers[0].Headers["Authorization"]; got != "s3cret" {
		t.Errorf("the header is %q", got)
	}
	stolen := strings.Replace(dark, "https://wiki.example", "https://elsewhere.example", 1)
	if text, err = change(stolen); err == nil || !strings.Contains(err.Error(), "write the value of Authorization again") {
		t.Errorf("another address got the header: %s, %v", text, err)
	}
	fresh := strings.Replace(dark, `"Authorization":null`, `"Authorization":"n3w"`, 1)
	if text, err = change(fresh); err != nil || strings.Contains(text, "n3w") || s.Current().Servers[0].Headers["Authorization"] != "n3w" {
		t.Errorf("%s, %v", text, err)
	}
	for _, e := range d.log.Entries() {
		if strings.Contains(string(e.Body), "n3w") || strings.Contains(string(e.Body), "s3cret") {
			t.Errorf("the log has a secret: %s", e.Body)
		}
	}
}

func TestAWatchAnswersWhenSomethingChanges(t *testing.T) {
	d := newDesk(t)
	s := d.open()
	before := s.Status().Revision
	type result struct {
		text string
		err  error
	}
	done := make(chan result, 1)
	since, err := json.Marshal(map[string]int64{"since": before})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		text, err := ask(t.Context(), s, "settings.watch", string(since))
		done <- result{text, err}
	}()
	d.write(`{"theme": "dark"}`)
	select {
	case r := <-done:
		if a := read1(t, r.text, r.err); a.Revision <= before || !strings.Contains(string(a.Settings), `"dark"`) {
			t.Error(r.text)
		}
	case <-time.After(time.Minute):
		t.Fatal("no answer")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	now, err := json.Marshal(map[string]int64{"since": s.Status().Revision})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ask(ctx, s, "settings.watch", string(now)); err == nil {
		t.Error("a cancelled watch answered")
	}
}
