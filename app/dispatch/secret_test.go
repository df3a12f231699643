package dispatch_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/registry"
)

type login struct {
	User     string `json:"user"`
	Password string `json:"password"`
}

type token struct {
	Token string `json:"token"`
}

// What the schema marks secret reaches the function and nobody who reads the log,
// on every way that an input can take.
func TestASecretReachesTheFunctionAndNotTheLog(t *testing.T) {
	var got []string
	open := func(_ context.Context, in login) (token, error) {
		got = append(got, in.Password)
		return token{"tok-" + in.Password}, nil
	}
	b := begun(t,
		registry.Define("vault.peek", open, registry.Secret("password"), registry.SecretResult("token")),
		registry.Define("vault.open", open, registry.Secret("password"), registry.SecretResult("token"), registry.Marked()))
	const input = `{"password":"hunter2","user":"ada"}`
	unmarked, marked := call(1, "vault.peek", input), call(2, "vault.open", input)
	if v, err := b.Call(t.Context(), unmarked); err != nil || v.String() != `{"token":"tok-hunter2"}` {
		t.Errorf("got %s, %v", v, err)
	}
	b.approve(t, marked)
	if v, err := b.Call(t.Context(), marked); err != nil || v.String() != `{"token":"tok-hunter2"}` {
		t.Errorf("got %s, %v", v, err)
	}
	for _, refused := range []app.Call{call(3, "vault.open", input), call(4, "vault.peek", `{"password":"hunter2"}`), call(5, "vault.peek", `{"password":["hunter2"],"user":"x"}`)} {
		if _, err := b.Call(t.Context(), refused); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("got %v", err)
		}
	}
	if len(got) != 2 || got[0] != "hunter2" || got[1] != "hunter2" {
		t.Errorf("the function got %q", got)
	}
	digest := string(app.Value(input).Digest())
	for _, e := range b.log.Entries() {
		if strings.Contains(string(e.Body), "hunter2") || strings.Contains(string(e.Body), digest) {
			t.Errorf("the log has %s %s", e.Kind, e.Body)
		}
		if e.Kind == app.CallRequested && !strings.Contains(string(e.Body), `"user":"ada"`) {
			t.Errorf("what is not secret is missing: %s", e.Body)
		}
		if !json.Valid(e.Body) {
			t.Errorf("%s", e.Body)
		}
	}
}
