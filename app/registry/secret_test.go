package registry

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
)

type login struct {
	User     string `json:"user"`
	Password string `json:"password"`
	Keys     []struct {
		Pin int `json:"pin"`
	} `json:"keys,omitempty"`
	Vault *struct {
		Token string `json:"token"`
	} `json:"vault,omitempty"`
}

type session struct {
	Token string `json:"token"`
}

func vault(t *testing.T) *app.Function {
	t.Helper()
	f := Define("vault.open", func(_ context.Context, in login) (session, error) { return session{in.Password}, nil },
		Secret("password", "keys.pin", "vault.token"), SecretResult("token"))
	if f.Defect != nil {
		t.Fatal(f.Defect)
	}
	return f
}

func TestTheSchemaSaysWhatIsSecret(t *testing.T) {
	f := vault(t)
	if n := strings.Count(string(f.Input), `"writeOnly":true`); n != 3 {
		t.Errorf("%d members are secret in %s", n, f.Input)
	}
	for input, want := range map[string][]string{
		`{"password":"x","user":"ada"}`:                                {"/digest", "/input/password"},
		`{"keys":[{"pin":1},{"pin":2}],"password":"x","user":"ada"}`:   {"/digest", "/input/keys/0/pin", "/input/keys/1/pin", "/input/password"},
		`{"password":{"a":1},"user":"ada"}`:                            {"/digest", "/input/password"},
		`{"$":"object","v":[["$",1],["password","x"],["user","ada"]]}`: {"/digest", "/input/v/1/1"},
		`{"user":"ada","vault":{"token":"t"}}`:                         {"/digest", "/input/vault/token"},
		`{"user":"ada"}`:                                               nil,
		`7`:                                                            nil,
	} {
		got := f.InputSecrets(app.Value(input))
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", input, got, want)
		}
	}
	if got := f.OutputSecrets(app.Value(`{"token":"x"}`)); !slices.Equal(got, []string{"/value/token", "/digest"}) {
		t.Errorf("of the result: %v", got)
	}
}

func TestAnErrorAboutAnInputDoesNotRepeatASecret(t *testing.T) {
	f := vault(t)
	for _, input := range []string{
		`{"password":4711,"user":"ada"}`,
		`{"password":"4711","user":1}`,
		`{"keys":[{"pin":"4711"}],"password":"4711","user":"ada"}`,
		`{"keys":[{"pin":47.11}],"password":"4711","user":"ada"}`,
		`{"password":"4711"}`,
		`{"password":["4711"],"user":"ada"}`,
	} {
		if err := f.Check(app.Value(input)); app.CodeOf(err) != app.InvalidInput || strings.Contains(err.Error(), "4711") || strings.Contains(err.Error(), "47.11") {
			t.Errorf("%s: %v", input, err)
		}
	}
}

func TestASecretThatIsNotInTheSchemaIsADefect(t *testing.T) {
	run := func(context.Context, login) (session, error) { return session{}, nil }
	for name, option := range map[string]Option{"input": Secret("pasword"), "result": SecretResult("user")} {
		if f := Define("a.b", run, option); f.Defect == nil {
			t.Errorf("%s: no defect", name)
		}
	}
	if f := Define("a.b", func(context.Context, app.Value) (app.Value, error) { return nil, nil }, Secret("x")); f.Defect == nil {
		t.Error("an input of any kind: no defect")
	}
}
