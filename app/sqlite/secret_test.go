package sqlite_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

func TestASecretIsNotInTheFileAndItsCommitmentHolds(t *testing.T) {
	path := t.TempDir() + "/log.db"
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	input := app.Value(`{"password":"hunter2","user":"ada"}`)
	secrets := []string{"/input/password", "/digest"}
	requested := app.Entry{Kind: app.CallRequested, RunID: "r", CallID: "c", Seq: 1, Fn: "vault.open", Secrets: secrets,
		Body: body(t, app.CallRequestedBody{Input: input, Digest: input.Digest()})}
	decided := app.Entry{Kind: app.CallDecided, RunID: "r", CallID: "c", Seq: 1, Fn: "vault.open", Secrets: secrets,
		Body: body(t, app.CallDecidedBody{Verdict: app.Approve, By: app.ByUser, Digest: input.Digest()})}
	again := requested
	again.CallID, again.Seq = "d", 2
	if err := log.Append(t.Context(), requested, decided, again); err != nil {
		t.Fatal(err)
	}
	calls, err := log.Calls(t.Context(), sqlite.Filter{})
	if err != nil || len(calls) != 2 {
		t.Fatalf("%+v, %v", calls, err)
	}
	if found, err := log.Calls(t.Context(), sqlite.Filter{Text: "hunter2"}); err != nil || len(found) != 0 {
		t.Errorf("the secret is found: %v, %v", found, err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	var first, second struct {
		User     string
		Password struct{ V string }
	}
	if json.Unmarshal(calls[0].Input(), &first) != nil || json.Unmarshal(calls[1].Input(), &second) != nil || first.User != "ada" {
		t.Fatalf("got %s and %s", calls[0].Input(), calls[1].Input())
	}
	key, err := sqlite.LoadKey(path + ".key")
	if err != nil {
		t.Fatal(err)
	}
	if !key.Commits(first.Password.V, []byte(`"hunter2"`)) || key.Commits(first.Password.V, []byte(`"hunter3"`)) || first.Password.V == second.Password.V {
		t.Errorf("the commitments %s, %s", first.Password.V, second.Password.V)
	}
	var asked app.CallRequestedBody
	if err := json.Unmarshal(calls[0].Requested.Body, &asked); err != nil || asked.Digest != calls[0].Decision().Digest || !strings.HasPrefix(string(asked.Digest), "hmac-sha256:") {
		t.Errorf("the digests %q and %q (%v)", asked.Digest, calls[0].Decision().Digest, err)
	}
	data, err := os.ReadFile(path)
	if err != nil || bytes.Contains(data, []byte("hunter2")) || bytes.Contains(data, []byte(input.Digest())) {
		t.Errorf("the file holds the secret or its digest (%v)", err)
	}
	if r := verify(t, path); r.State != sqlite.Intact {
		t.Errorf("got %+v", r)
	}
}
