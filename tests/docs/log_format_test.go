package docs

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// byThePage verifies an export with the program that was written from
// app/docs/log-format.md, and ours. They must agree.
func byThePage(t *testing.T, export, key, want string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "export.jsonl")
	if err := os.WriteFile(file, []byte(export), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("node", "verify-export.mjs", file, key).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	ours, err := sqlite.VerifyExport(strings.NewReader(export), key)
	if err != nil {
		t.Fatal(err)
	}
	_, word, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if word != want || string(ours.State) != want {
		t.Errorf("by the page: %s; by us: %s; expected %s", out, ours.State, want)
	}
}

func TestALogVerifiesByItsDocumentation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 20 {
		run := fmt.Sprint("run-", i/4)
		e := app.Entry{At: at.AddDate(0, 0, i), Kind: app.CallSettled, RunID: run, CallID: "c\u00e9\u0001😀", Seq: i%4 + 1, Fn: "a.b",
			Body: json.RawMessage(`{"z":1e21,"a":[1.5,null,{"é":"\u2028<&>\\\"\n"}],"value":-0.1}`)}
		if i%4 == 0 {
			e = app.Entry{At: e.At, Kind: app.RunBegan, RunID: run, Body: json.RawMessage(`{"request":"Ünïcode"}`)}
		} else if i%4 == 3 {
			e = app.Entry{At: e.At, Kind: app.RunEnded, RunID: run}
		} else if i%4 == 2 {
			e.Kind, e.Body, e.Secrets = app.CallStarted, json.RawMessage(`{"digest":"00","input":{"pin":4711}}`), []string{"/input/pin", "/digest"}
		}
		if err := log.Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	export := func() (string, string) {
		t.Helper()
		r, err := sqlite.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var out bytes.Buffer
		if err := r.Export(t.Context(), sqlite.Filter{}, func(line []byte) error {
			_, err := out.Write(append(line, '\n'))
			return err
		}); err != nil {
			t.Fatal(err)
		}
		key, err := sqlite.LoadKey(path + ".key")
		if err != nil {
			t.Fatal(err)
		}
		return out.String(), key.Public()
	}
	text, key := export()
	lines := strings.SplitAfter(text, "\n")
	byThePage(t, text, key, "intact")
	byThePage(t, "[\n"+strings.ReplaceAll(strings.TrimSpace(text), "\n", ",\n")+"\n]\n", key, "intact")
	byThePage(t, strings.Replace(text, "-0.1", "-0.2", 1), key, "entry changed")
	byThePage(t, strings.Join(append(lines[:5:5], lines[6:]...), ""), key, "entry changed")
	byThePage(t, strings.Join(append(lines[:20:20], lines[21:]...), ""), key, "tail cut")
	byThePage(t, strings.Join(lines[:15], ""), key, "tail cut")
	byThePage(t, text, strings.Repeat("0", 64), "chain rewritten")

	if p, err := log.Prune(t.Context(), at.AddDate(0, 0, 9)); err != nil || p.Removed != 8 {
		t.Fatalf("%+v, %v", p, err)
	}
	text, key = export()
	byThePage(t, text, key, "intact")
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	database, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	if _, err := database.Exec("DROP TRIGGER entries_never_go; DELETE FROM entries WHERE number > 18"); err != nil {
		t.Fatal(err)
	}
	text, key = export()
	byThePage(t, text, key, "tail cut")
	if err := os.Remove(path + ".head"); err != nil {
		t.Fatal(err)
	}
	text, key = export()
	byThePage(t, text, key, "anchor missing")
}
