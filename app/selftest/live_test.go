package selftest_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/functions/probe"
	"github.com/faustine-ai/countersign/app/selftest"
)

func TestTheCanaryListensOnlyWhileTheChecksRun(t *testing.T) {
	live := selftest.NewLive(func() (selftest.Canary, error) { return probe.Open() })
	ask := func(name string) (map[string]any, error) {
		t.Helper()
		for _, o := range live.Operations() {
			if o.Name != name {
				continue
			}
			value, err := o.Do(t.Context(), json.RawMessage(`{}`))
			text, _ := json.Marshal(value)
			var answer map[string]any
			if err == nil {
				err = json.Unmarshal(text, &answer)
			}
			return answer, err
		}
		t.Fatalf("no operation %s", name)
		return nil, nil
	}
	for _, early := range []string{"isolation.heard", "isolation.knock"} {
		if _, err := ask(early); app.CodeOf(err) != app.BadRequest {
			t.Errorf("%s before the beginning: %v", early, err)
		}
	}
	begun, err := ask("isolation.begin")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ask("isolation.knock"); err != nil {
		t.Fatal(err)
	}
	if heard, err := ask("isolation.heard"); err != nil || heard["connections"] != 1.0 {
		t.Errorf("heard %v, %v", heard, err)
	}
	again, err := ask("isolation.begin")
	if err != nil || again["canary"] == "" {
		t.Fatalf("%v, %v", again, err)
	}
	if _, err := http.Get(begun["canary"].(string)); err == nil {
		t.Error("the first canary still listens")
	}
	if _, err := ask("isolation.end"); err != nil {
		t.Fatal(err)
	}
	if _, err := http.Get(again["canary"].(string)); err == nil {
		t.Error("it still listens after the end")
	}
}
