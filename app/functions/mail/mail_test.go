package mail

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
)

const collect = "http://127.0.0.1:9/"

func open(t *testing.T) *Store {
	t.Helper()
	store, err := Open(filepath.Join(t.TempDir(), "mail"), collect)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// call runs a function as the dispatcher does, after its own check.
func call(t *testing.T, store *Store, fn, input string) (string, error) {
	t.Helper()
	for _, f := range store.Functions() {
		if f.Name != fn {
			continue
		}
		if err := f.Check(app.Value(input)); err != nil {
			return "", err
		}
		value, err := f.Run(t.Context(), app.Call{Fn: fn, Input: app.Value(input)})
		return string(value), err
	}
	t.Fatalf("no function %s", fn)
	return "", nil
}

func TestOnlySendingIsMarked(t *testing.T) {
	for _, f := range open(t).Functions() {
		if marked := f.Approval != app.ApprovalNever; f.Defect != nil || marked != (f.Name == "mail.send") {
			t.Errorf("%s: approval %s, defect %v", f.Name, f.Approval, f.Defect)
		}
	}
}

func TestAListHasNoBodiesAndALetterHasItsOwn(t *testing.T) {
	store := open(t)
	for input, want := range map[string]int{`{}`: 4, `{"unread":true}`: 3} {
		text, err := call(t, store, "mail.list", input)
		var letters []Letter
		if err != nil || json.Unmarshal([]byte(text), &letters) != nil || len(letters) != want {
			t.Fatalf("%s: %s, %v", input, text, err)
		}
		for _, l := range letters {
			if l.Body != "" || l.From == "" || l.Subject == "" || l.Date == "" {
				t.Errorf("%+v", l)
			}
		}
	}
	text, err := call(t, store, "mail.read", `{"id":3}`)
	if err != nil || !strings.Contains(text, collect+"collect") {
		t.Errorf("%s, %v", text, err)
	}
	if _, err := call(t, store, "mail.read", `{"id":5}`); app.CodeOf(err) != app.FunctionFailed {
		t.Errorf("a letter that is not there: %v", err)
	}
}

func TestWhatIsSentIsKeptAsItWas(t *testing.T) {
	store := open(t)
	for i, letter := range []sendInput{
		{"ada@lovelace.example", "Notes", "One line.\nAnother, with ä = ü, a . alone\n.\nand a very long line: " + strings.Repeat("x", 400)},
		{`"Lovelace, Ada" <ada@lovelace.example>`, "Grüße = {{.Collect}}", "Bcc: nobody@vale.example\n\nFrom me"},
	} {
		input, err := json.Marshal(letter)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := call(t, store, "mail.send", string(input)); err != nil {
			t.Fatal(err)
		}
		sent, err := store.Sent()
		if err != nil || len(sent) != i+1 {
			t.Fatalf("%+v, %v", sent, err)
		}
		got := sent[i]
		if got.Subject != letter.Subject || got.Body != letter.Body || !strings.Contains(got.To, "ada@lovelace.example") || got.From != owner {
			t.Errorf("sent %+v\n got %+v", letter, got)
		}
	}
}

func TestWhatCouldBecomeAHeaderIsRefusedAndNothingIsSent(t *testing.T) {
	store := open(t)
	for _, input := range []string{
		`{"to":"ada","subject":"s","body":"b"}`,
		`{"to":"a@b.example, c@d.example","subject":"s","body":"b"}`,
		`{"to":"a@b.example\nBcc: c@d.example","subject":"s","body":"b"}`,
		`{"to":"a@b.example","subject":"s\nBcc: c@d.example","body":"b"}`,
		`{"to":"a@b.example","subject":"s"}`,
	} {
		if _, err := call(t, store, "mail.send", input); app.CodeOf(err) != app.InvalidInput {
			t.Errorf("%s: %v", input, err)
		}
	}
	if sent, err := store.Sent(); err != nil || len(sent) > 0 {
		t.Errorf("sent %+v, %v", sent, err)
	}
}

func TestAMailboxIsFilledOnce(t *testing.T) {
	store := open(t)
	if err := os.Remove(filepath.Join(store.folder, "inbox", "1.eml")); err != nil {
		t.Fatal(err)
	}
	again, err := Open(store.folder, collect)
	if err != nil {
		t.Fatal(err)
	}
	if letters, err := again.letters("inbox"); err != nil || len(letters) != 3 {
		t.Errorf("%d letters, %v", len(letters), err)
	}
}
