package keys

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"github.com/faustine-ai/countersign/app"
)

const text = "sk-test-0123456789abcdef-WXYZ"

func secret(t *testing.T, text string) Secret {
	t.Helper()
	s, err := NewSecret(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newRing is a ring with a keychain in memory and this environment.
func newRing(t *testing.T, env map[string]string) *Ring {
	t.Helper()
	keyring.MockInit()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	r := New(filepath.Join(t.TempDir(), "countersign", "keys.json"))
	r.env = func(name string) string { return env[name] }
	return r
}

func TestAKeyIsLookedForInOrder(t *testing.T) {
	own := SlotFor("openai", "https://api.openai.com/v1", true)
	elsewhere := SlotFor("openai", "https://Proxy.example/v1", false)
	for _, c := range []struct {
		name        string
		env         map[string]string
		chain, file string // keys there
		slot        Slot
		from        Source
		want        string
	}{
		{"nowhere", nil, "", "", own, None, ""},
		{"the app's variable", map[string]string{"COUNTERSIGN_API_KEY_OPENAI": "a", "OPENAI_API_KEY": "b"}, "c", "d", own, Environment, "a"},
		{"the usual variable", map[string]string{"OPENAI_API_KEY": " b\n"}, "c", "d", own, Environment, "b"},
		{"the usual variable is for the own service only", map[string]string{"OPENAI_API_KEY": "b"}, "", "", elsewhere, None, ""},
		{"the app's variable is for any address", map[string]string{"COUNTERSIGN_API_KEY_OPENAI": "a"}, "", "", elsewhere, Environment, "a"},
		{"the file", nil, "c", "d", own, File, "d"},
		{"the keychain", nil, "c", "", own, Keychain, "c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRing(t, c.env)
			if c.chain != "" {
				if err := r.Set(t.Context(), c.slot, secret(t, c.chain), Keychain); err != nil {
					t.Fatal(err)
				}
			}
			if c.file != "" {
				if err := r.Set(t.Context(), c.slot, secret(t, c.file), File); err != nil {
					t.Fatal(err)
				}
			}
			key, err := r.Find(t.Context(), c.slot)
			if err != nil || key.From != c.from || key.Secret.Reveal() != c.want {
				t.Errorf("%s %q, %v", key.From, key.Secret.Reveal(), err)
			}
		})
	}
}

func TestAKeyIsNotSentElsewhere(t *testing.T) {
	r := newRing(t, nil)
	own := SlotFor("openai", "https://api.openai.com/v1", true)
	for _, in := range []Source{Keychain, File} {
		if err := r.Set(t.Context(), own, secret(t, text), in); err != nil {
			t.Fatal(err)
		}
		for _, address := range []string{"https://api.openai.com.evil.example/v1", "http://api.openai.com/v1", "https://api.openai.com:444/v1", ""} {
			key, err := r.Find(t.Context(), SlotFor("openai", address, false))
			if err != nil || !key.Secret.Empty() {
				t.Errorf("%s got a key", address)
			}
		}
		if key, err := r.Find(t.Context(), SlotFor("anthropic", "", true)); err != nil || !key.Secret.Empty() {
			t.Error("another provider got the key")
		}
	}
}

func TestWhatWasChosenLastCounts(t *testing.T) {
	r := newRing(t, nil)
	slot := SlotFor("compatible", "http://127.0.0.1:11434/v1", false)
	for i, in := range []Source{Keychain, File, Keychain, File, File, Keychain} {
		want := fmt.Sprint("key", i)
		if err := r.Set(t.Context(), slot, secret(t, want), in); err != nil {
			t.Fatal(err)
		}
		if key, err := r.Find(t.Context(), slot); err != nil || key.Secret.Reveal() != want || key.From != in {
			t.Errorf("%d: %s %s, %v", i, key.From, key.Secret.Reveal(), err)
		}
	}
	if err := r.Set(t.Context(), slot, secret(t, "last"), File); err != nil {
		t.Fatal(err)
	}
	if err := r.Forget(t.Context(), slot); err != nil {
		t.Fatal(err)
	}
	if key, err := r.Find(t.Context(), slot); err != nil || key.From != None {
		t.Errorf("forgotten, and there: %s, %v", key.From, err)
	}
	if _, err := os.Stat(r.file.path); !os.IsNotExist(err) {
		t.Error("an empty file of keys was left")
	}
}

func TestTheFileIsForItsOwnerOnly(t *testing.T) {
	r := newRing(t, nil)
	slot := SlotFor("openai", "", true)
	if err := r.Set(t.Context(), slot, secret(t, text), File); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{r.file.path: 0o600, filepath.Dir(r.file.path): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if err := os.Chmod(r.file.path, 0o640); err != nil {
		t.Fatal(err)
	}
	if key, err := r.Find(t.Context(), slot); err == nil || !key.Secret.Empty() || !strings.Contains(err.Error(), "others can read") {
		t.Errorf("a file that others can read was used: %v", err)
	}
	if err := r.Set(t.Context(), slot, secret(t, text), File); err == nil {
		t.Error("a key was added to a file that others can read")
	}
}

func TestAKeychainThatDoesNotWorkIsSaid(t *testing.T) {
	r := newRing(t, nil)
	keyring.MockInitWithError(errors.New("locked"))
	slot := SlotFor("openai", "", true)
	if err := r.Set(t.Context(), slot, secret(t, text), Keychain); err == nil || strings.Contains(err.Error(), text) {
		t.Errorf("got %v", err)
	}
	if _, err := r.Find(t.Context(), slot); err == nil || !strings.Contains(err.Error(), "the keychain cannot be used: locked") {
		t.Errorf("got %v", err)
	}
	if err := r.Set(t.Context(), slot, secret(t, text), File); err != nil {
		t.Errorf("the file must work without a keychain: %v", err)
	}
	if key, err := r.Find(t.Context(), slot); err != nil || key.From != File {
		t.Errorf("%s, %v", key.From, err)
	}
	if err := r.Forget(t.Context(), slot); err != nil {
		t.Errorf("forgetting a key of the file: %v", err)
	}
}

func TestWithoutASessionBusNothingIsStarted(t *testing.T) {
	r := newRing(t, nil)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	s := r.Status(t.Context(), SlotFor("openai", "", true))
	if s.From != None || !strings.Contains(s.Problem, "no session bus") {
		t.Errorf("%+v", s)
	}
}

func TestWhatIsNoKeyIsRefused(t *testing.T) {
	for _, bad := range []string{"", "  ", "two words", "ключ", "line\nline", strings.Repeat("k", 2049)} {
		if _, err := NewSecret(bad); err == nil || bad != "" && strings.TrimSpace(bad) != "" && strings.Contains(err.Error(), bad) {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
}

func TestNothingPrintsAKey(t *testing.T) {
	key := Key{secret(t, text), Keychain, ""}
	asJSON, err := json.Marshal(map[string]any{"key": key, "list": []Secret{key.Secret}})
	if err != nil {
		t.Fatal(err)
	}
	all := string(asJSON) + fmt.Sprintf("%v %+v %#v %s %q %x %d", key, key, key, key.Secret, key.Secret, key.Secret, key.Secret) + fmt.Sprint(&key, errors.New(fmt.Sprint(key)))
	if strings.Contains(all, text) || strings.Contains(all, fmt.Sprintf("%x", text)) || strings.Contains(all, "WXYZ") {
		t.Error(all)
	}
}

func TestThePageGivesKeysAndNeverGetsThem(t *testing.T) {
	r := newRing(t, nil)
	slot := SlotFor("anthropic", "", true)
	ask := func(name, args string, is bool) (string, error) {
		for _, op := range r.Operations(func() (Slot, bool) { return slot, is }) {
			if op.Name == name {
				answer, err := op.Do(t.Context(), json.RawMessage(args))
				if err != nil {
					return "", err
				}
				text, err := json.Marshal(answer)
				return string(text), err
			}
		}
		t.Fatal("no operation ", name)
		return "", nil
	}
	for _, c := range []struct{ name, args, want string }{
		{"model.key.status", `{}`, `"from":"none"`},
		{"model.key.set", `{"key":"` + text + `","in":"keychain"}`, `"from":"keychain"`},
		{"model.key.status", `{}`, `"tail":"WXYZ"`},
		{"model.key.set", `{"key":"short-key","in":"file"}`, `"tail":""`},
		{"model.key.forget", `{}`, `"from":"none"`},
	} {
		got, err := ask(c.name, c.args, true)
		if err != nil || !strings.Contains(got, c.want) || strings.Contains(got, text) || strings.Contains(got, "short-key") {
			t.Errorf("%s %s: %s, %v", c.name, c.args, got, err)
		}
	}
	for args, code := range map[string]app.Code{
		`{"key":"` + text + `","in":"cloud"}`:    app.BadRequest,
		`{"key":"` + text + `","int":"file"}`:    app.BadRequest,
		`{"key":"` + text + ` x","in":"file"}`:   app.InvalidInput,
		`{"key":{"` + text + `":1},"in":"file"}`: app.BadRequest,
	} {
		if _, err := ask("model.key.set", args, true); app.CodeOf(err) != code || strings.Contains(fmt.Sprintf("%v %+v %v", err, err, errors.Unwrap(err)), text) {
			t.Errorf("%s: %v", args, err)
		}
	}
	if _, err := ask("model.key.set", `{"key":"`+text+`","in":"file"}`, false); err == nil {
		t.Error("a key was taken for the offline model")
	}
}
