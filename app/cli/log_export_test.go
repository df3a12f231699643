package cli

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/faustine-ai/countersign/app/review"
	"github.com/faustine-ai/countersign/app/sqlite"
)

func TestAnExportVerifiesWithoutTheLog(t *testing.T) {
	path := logged(t)
	for _, format := range []string{"jsonl", "json"} {
		file := filepath.Join(t.TempDir(), "log."+format)
		if out, _, err := countersign("export", "--db", path, "--format", format, "--output", file); err != nil || out != "" {
			t.Fatalf("%v\n%s", err, out)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the export has mode %v, %v", info.Mode(), err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if format == "json" && !json.Valid(text) {
			t.Errorf("no JSON:\n%s", text)
		}
		key, err := sqlite.LoadKey(path + ".key")
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := countersign("verify", "--export", file, "--key", key.Public())
		if err != nil || !strings.HasPrefix(out, "intact: all 13 entries") {
			t.Errorf("%s: %v\n%s", format, err, out)
		}
		out, _, err = countersign("verify", "--export", file, "--key", strings.Repeat("ab", 32))
		if err == nil || !strings.HasPrefix(out, "chain rewritten: ") {
			t.Errorf("another key: %v\n%s", err, out)
		}
		changed := bytes.Replace(text, []byte("x is not a function"), []byte("y is not a function"), 1)
		if err := os.WriteFile(file, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		out, _, err = countersign("verify", "--export", file)
		if err == nil || !strings.HasPrefix(out, "entry changed: entry 12 was changed") {
			t.Errorf("%s: %v\n%s", format, err, out)
		}
	}
}

func TestAnExportOfSomeEntriesVerifiesAsThose(t *testing.T) {
	path := logged(t)
	out, _, err := countersign("export", "--db", path, "--fn", "orders.*")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "some.jsonl")
	if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	key, err := sqlite.LoadKey(path + ".key")
	if err != nil {
		t.Fatal(err)
	}
	found, _, err := countersign("verify", "--export", file, "--key", key.Public())
	if err != nil || !strings.Contains(found, "chosen entries are unchanged") {
		t.Errorf("%v\n%s", err, found)
	}
	lines := strings.SplitAfter(out, "\n")
	if err := os.WriteFile(file, []byte(strings.Join(append(lines[:2:2], lines[3:]...), "")), 0o600); err != nil {
		t.Fatal(err)
	}
	if found, _, err = countersign("verify", "--export", file, "--key", key.Public()); err == nil {
		t.Errorf("one was taken out: %s", found)
	}
}

func TestAnExportAsCSVHasTheChainAndNoFormula(t *testing.T) {
	out, _, err := countersign("export", "--db", logged(t), "--format", "csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) != 14 || rows[0][9] != "hash" {
		t.Fatalf("%d rows, %v\n%s", len(rows), err, out)
	}
	for i, row := range rows[1:] {
		if i > 0 && row[8] != rows[i][9] {
			t.Errorf("row %d names %s as previous, expected %s", i+1, row[8], rows[i][9])
		}
		for _, cell := range row {
			if cell != "" && strings.Contains("=+-@\t\r", cell[:1]) {
				t.Errorf("a formula: %q", cell)
			}
		}
	}
}

func TestWhoReadsALogWhoseEndIsGoneIsTold(t *testing.T) {
	for _, c := range []struct {
		want string
		do   func(path string) error
	}{
		{"warning: the log is not intact: tail cut: the log ends with entry 9, but its anchor knows 13 entries", func(path string) error {
			db, err := sql.Open("sqlite3", path)
			if err != nil {
				return err
			}
			_, err = db.Exec("DROP TRIGGER entries_never_go; DELETE FROM entries WHERE number > 9")
			return errors.Join(err, db.Close())
		}},
		{"warning: the log is not intact: anchor missing", func(path string) error { return os.Remove(path + ".head") }},
	} {
		path := logged(t)
		if err := c.do(path); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"list"}, {"stats"}, {"head"}, {"show", "4"}, {"export"}, {"export", "--format", "csv"}} {
			if out, stderr, err := countersign(append(args, "--db", path)...); err != nil || out == "" || !strings.Contains(stderr, c.want) {
				t.Errorf("%v: %v\n%s", args, err, stderr)
			}
		}
	}
}

func TestAnExportOfSomeEntriesSaysThatItIsNotAll(t *testing.T) {
	path := logged(t)
	key, err := sqlite.LoadKey(sqlite.KeyFor(path))
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := countersign("export", "--db", path, "--fn", "orders.cancel", "--output", "-")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "some.jsonl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, err := countersign("verify", "--export", file, "--key", key.Public())
	if err != nil || !strings.Contains(out, "is told by verifying the log") || strings.Contains(out, "Nothing was changed, removed") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestLogStatsCounts(t *testing.T) {
	path := logged(t)
	var stats []review.FunctionStats
	out, _, err := countersign("stats", "--db", path, "--format", "json")
	if err != nil || json.Unmarshal([]byte(out), &stats) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	byName := map[string]review.FunctionStats{}
	for _, s := range stats {
		byName[s.Fn] = s
	}
	if s := byName["orders.cancel"]; s.Calls != 2 || s.Approved != 1 || s.Rejected != 1 || s.By["user"] != 2 || s.Outcomes["unknown"] != 1 || s.WaitedMs != 1234 {
		t.Errorf("got %+v", s)
	}
	if s := byName["orders.list"]; s.Calls != 1 || s.Outcomes["ok"] != 1 || s.Ms != 1.5 {
		t.Errorf("got %+v", s)
	}
	for format, want := range map[string]string{"table": "orders.refund", "jsonl": `{"fn":"","calls":1`, "csv": "'@evil,1,0,0,0,1,0,0,0,0,0,0"} {
		if out, _, err := countersign("stats", "--db", path, "--format", format); err != nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v\n%s", format, err, out)
		}
	}
	if out, _, err := countersign("stats", "--db", path, "--until", "2020-01-01"); err != nil || out != "No calls.\n" {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestPruneRemovesWholeRunsAndSaysSo(t *testing.T) {
	path := logged(t)
	out, _, err := countersign("prune", "--db", path, "--before", "2026-11-29T10:13:30Z")
	if err != nil || out[:26] != "Removed 12 entries, up to " {
		t.Fatalf("%v\n%s", err, out)
	}
	out, _, err = countersign("verify", "--db", path)
	if err != nil || !strings.Contains(out, "intact: all 2 entries") || !strings.Contains(out, "entries 1 to 12 were removed on purpose") {
		t.Errorf("%v\n%s", err, out)
	}
	if data, err := os.ReadFile(path); err != nil || bytes.Contains(data, []byte("orders.refund")) {
		t.Errorf("what was removed is still in the file (%v)", err)
	}
	if out, _, err := countersign("prune", "--db", path, "--before", "2020-01-01"); err != nil || !strings.HasPrefix(out, "Nothing was removed") {
		t.Errorf("%v\n%s", err, out)
	}
	out, _, err = countersign("export", "--db", path)
	if err != nil {
		t.Fatal(err)
	}
	report, err := sqlite.VerifyExport(strings.NewReader(out), "")
	if err != nil || report.State != sqlite.Consistent || report.Checkpoint == nil {
		t.Errorf("the export of what is left: %+v, %v", report, err)
	}
}

func TestExitCodesTellWhatWentWrong(t *testing.T) {
	path := logged(t)
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cut := logged(t)
	if err := os.Remove(cut + ".head"); err != nil {
		t.Fatal(err)
	}
	gone := logged(t)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	export := filepath.Join(t.TempDir(), "log.jsonl")
	if _, _, err := countersign("export", "--db", path, "--output", export); err != nil {
		t.Fatal(err)
	}
	key, err := sqlite.LoadKey(path + ".key")
	if err != nil {
		t.Fatal(err)
	}
	keyless := logged(t)
	if err := os.Remove(keyless + ".key"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"log", "list", "--db", path}, 0},
		{[]string{"log", "verify", "--db", path}, 0},
		{[]string{"log", "list", "--db", path + ".no"}, 1},
		{[]string{"log", "verify", "--db", empty}, 1},
		{[]string{"log", "show", "99", "--db", path}, 1},
		{[]string{"log", "list", "--since", "yesterday"}, 2},
		{[]string{"log", "list", "--nonsense"}, 2},
		{[]string{"log", "list", "--format", "xml"}, 2},
		{[]string{"log", "list", "--limit", "abc"}, 2},
		{[]string{"log", "list", "--db", ""}, 2},
		{[]string{"log", "nonsense"}, 2},
		{[]string{"log", "verify", "--export", export, "--key", "zz"}, 2},
		{[]string{"log", "verify", "--export", export, "--key", key.Public()}, 0},
		{[]string{"log", "verify", "--export", export}, 4},
		{[]string{"log", "verify", "--export", export, "--key", strings.Repeat("0", 64)}, 3},
		{[]string{"log", "export", "--db", keyless}, 1},
		{[]string{"log", "export", "--db", keyless, "--format", "csv"}, 0},
		{[]string{"log", "format"}, 0},
		{[]string{"log", "verify", "--db", cut}, 3},
		{[]string{"log", "verify", "--db", gone}, 3},
		{[]string{"log", "list", "--db", gone}, 1},
	} {
		root := Root(Program{}, LogCommand())
		var out, errs bytes.Buffer
		root.SetOut(&out)
		root.SetArgs(c.args)
		if got := Execute(t.Context(), root, &errs); got != c.want {
			t.Errorf("%v: exit code %d, want %d\n%s", c.args, got, c.want, errs.String())
		}
		if c.want != 0 && errs.Len() == 0 {
			t.Errorf("%v: nothing on standard error", c.args)
		}
	}
}

func TestAShellCompletesFlagsFromTheLog(t *testing.T) {
	path := logged(t)
	complete := func(args ...string) string {
		root := Root(Program{Open: func(context.Context) error { return nil }}, LogCommand())
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetErr(&bytes.Buffer{})
		root.SetArgs(append([]string{cobra.ShellCompNoDescRequestCmd}, args...))
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"log", ""}, "verify"},
		{[]string{"log", "list", "--format", ""}, "jsonl"},
		{[]string{"log", "list", "--decision", "ap"}, "approve"},
		{[]string{"log", "list", "--db", path, "--fn", "orders."}, "orders.cancel"},
		{[]string{"log", "list", "--db", path, "--run", ""}, "run-1"},
	} {
		if out := complete(c.args...); !strings.Contains(out, c.want) {
			t.Errorf("%v: %q is missing in\n%s", c.args, c.want, out)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		root := Root(Program{}, LogCommand())
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetArgs([]string{"completion", shell})
		if err := root.Execute(); err != nil || !strings.Contains(out.String(), "countersign") {
			t.Errorf("%s: %v", shell, err)
		}
	}
}

func TestAnExportWithoutASignatureIsNotMadeByAccident(t *testing.T) {
	path := logged(t)
	if err := os.Remove(path + ".key"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "log.jsonl")
	if _, _, err := countersign("export", "--db", path, "--output", file); err == nil || !strings.Contains(err.Error(), "--unsigned") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("a file was written: %v", err)
	}
	_, stderr, err := countersign("export", "--db", path, "--output", file, "--unsigned")
	if err != nil || !strings.Contains(stderr, "warning: the key of the log is missing") {
		t.Errorf("%v\n%s", err, stderr)
	}
	out, _, err := countersign("verify", "--export", file)
	if err == nil || !strings.HasPrefix(out, "anchor missing: ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The document is what an auditor has: it must name every member of an export.
func TestTheFormatOfAnExportIsPrinted(t *testing.T) {
	path := logged(t)
	out, _, err := countersign("format")
	if err != nil {
		t.Fatal(err)
	}
	export, _, err := countersign("export", "--db", path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(export) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &members); err != nil {
			t.Fatal(err)
		}
		for name := range members {
			if !strings.Contains(out, "`"+name+"`") && !strings.Contains(out, `"`+name+`"`) {
				t.Errorf("the format says nothing of %s", name)
			}
		}
		var kind string
		if json.Unmarshal(members["kind"], &kind); kind != "" && !strings.Contains(out, kind) {
			t.Errorf("the format says nothing of entries of the kind %s", kind)
		}
	}
}

func TestALogThatIsGoneIsNotIntact(t *testing.T) {
	path := logged(t)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	out, _, err := countersign("verify", "--db", path)
	if err == nil || !strings.Contains(out, "the log "+path+" is gone: its anchor "+path+".head says that it held") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, stderr, err := countersign("list", "--db", path); err == nil || !strings.Contains(stderr, "is gone: its anchor") {
		t.Errorf("%v\n%s", err, stderr)
	}
	if err := os.Remove(path + ".head"); err != nil {
		t.Fatal(err)
	}
	if _, stderr, err := countersign("verify", "--db", path); err == nil || !strings.Contains(stderr, "there is no log at") {
		t.Errorf("%v\n%s", err, stderr)
	}
}

func TestNothingIsPrunedWithoutTheKeyOfTheLog(t *testing.T) {
	path := logged(t)
	if err := os.Remove(path + ".key"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := countersign("prune", "--db", path, "--before", "0d"); err == nil || !strings.Contains(err.Error(), "nothing was removed: restore the key") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(path + ".key"); !os.IsNotExist(err) {
		t.Errorf("a key was made: %v", err)
	}
}
