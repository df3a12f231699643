package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/review"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// logged makes a log with a run of five calls, one of each fate, and a stranger.
func logged(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.db")
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC)
	entry := func(kind app.Kind, id string, fn string, b any) app.Entry {
		text, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		at = at.Add(time.Minute)
		seq := 0
		if id != "" {
			seq = int(id[1] - '0')
		}
		return app.Entry{At: at, Kind: kind, RunID: "run-1", CallID: id, Seq: seq, Fn: fn, Body: text}
	}
	stranger := entry(app.CallRefused, "", "", app.CallRefusedBody{Code: app.Unauthorized, Message: "an envelope without the secret", Count: 3})
	stranger.RunID = ""
	if err := log.Append(t.Context(),
		entry(app.RunBegan, "", "", app.RunBeganBody{Request: "Cancel them\x1b[31m", Code: "for (;;) {}\nreturn 1", Model: "offline"}),
		entry(app.CallStarted, "c1", "orders.list", app.CallStartedBody{Input: app.Value(`{"status":"open"}`)}),
		entry(app.CallSettled, "c1", "orders.list", app.CallSettledBody{Value: app.Value(`[{"$":"date","v":null}]`), Ms: 1.5}),
		entry(app.CallRequested, "c2", "orders.cancel", app.CallRequestedBody{Title: "Cancel an order", Input: app.Value(`{"id":1042}`)}),
		entry(app.CallDecided, "c2", "orders.cancel", app.CallDecidedBody{Verdict: app.Approve, By: app.ByUser, Shown: "Cancel 2 orders?", WaitedMs: 1234}),
		entry(app.CallStarted, "c2", "orders.cancel", app.CallStartedBody{Marked: true}),
		entry(app.CallRequested, "c3", "orders.cancel", app.CallRequestedBody{Input: app.Value("\"=HYPERLINK(1)\\u001b\u202e\"")}),
		entry(app.CallDecided, "c3", "orders.cancel", app.CallDecidedBody{Verdict: app.Reject, By: app.ByUser, Reason: "-2+3\nno"}),
		entry(app.CallRefused, "c4", "orders.refund", app.CallRefusedBody{Code: app.ApprovalRequired, Message: "needs approval"}),
		entry(app.CallStarted, "c5", "@evil", app.CallStartedBody{Input: app.Value(`null`), Digest: app.Value("null").Digest()}),
		entry(app.CallSettled, "c5", "@evil", app.CallSettledBody{Error: &app.Reason{Name: "FunctionFailed", Message: "no such thing"}}),
		entry(app.RunEnded, "", "", app.RunEndedBody{Status: app.StatusError, Error: &app.Reason{Name: "TypeError", Message: "x is not a function (line 3)"}, Unknown: []string{"c2"}}),
		stranger,
	); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestACallWhoseRunEndedUndecidedIsNotListedAsWaiting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(log.Append(t.Context(),
		app.Entry{Kind: app.RunBegan, RunID: "run-1"},
		app.Entry{Kind: app.CallRequested, RunID: "run-1", CallID: "c1", Seq: 1, Fn: "orders.cancel", Body: json.RawMessage(`{"input":1}`)},
		app.Entry{Kind: app.RunEnded, RunID: "run-1", Body: json.RawMessage(`{"status":"error"}`)},
	), log.Close()); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"list"}, {"list", "--outcome", "rejected"}, {"show", "2"}} {
		out, _, err := countersign(append(args, "--db", path)...)
		if err != nil || strings.Contains(out, "waiting") || !strings.Contains(out, "not decided, not run") && !strings.Contains(out, "its run ended before it was decided") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}

// countersign runs the log command and gives what it wrote.
func countersign(args ...string) (stdout, stderr string, err error) {
	command := LogCommand()
	var out, errs bytes.Buffer
	command.SetOut(&out)
	command.SetErr(&errs)
	command.SetArgs(args)
	err = command.Execute()
	return out.String(), errs.String(), err
}

func TestLogListShowsEachCallWithItsFate(t *testing.T) {
	path := logged(t)
	out, _, err := countersign("list", "--db", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"orders.list", `{"status":"open"}`, "approved by user", "outcome unknown", "rejected by user", "refused: ApprovalRequired", "error: FunctionFailed", "refused: Unauthorized"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing:\n%s", want, out)
		}
	}
	if strings.ContainsAny(out, "\x1b\u202e") || !strings.Contains(out, `\u{202E}`) {
		t.Errorf("characters that steer a terminal get through:\n%s", out)
	}
	if strings.Count(out, "\n") != 10 { // four of the frame, six calls
		t.Errorf("a row is not one line:\n%s", out)
	}
}

func TestLogListFiltersAndFormats(t *testing.T) {
	path := logged(t)
	var calls []review.Call
	out, _, err := countersign("list", "--db", path, "--format", "json", "--fn", "orders.*", "--decision", "approve")
	if err != nil || json.Unmarshal([]byte(out), &calls) != nil || len(calls) != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	if c := calls[0]; c.ID != 4 || c.Fn != "orders.cancel" || c.Input.String() != `{"id":1042}` && !strings.Contains(c.Input.String(), "1042") || c.Outcome != sqlite.Unknown || c.Decision.WaitedMs != 1234 {
		t.Errorf("got %+v", c)
	}
	out, _, err = countersign("list", "--db", path, "--format", "jsonl")
	if err != nil || strings.Count(out, "\n") != 6 {
		t.Errorf("%v\n%s", err, out)
	}
	out, _, err = countersign("list", "--db", path, "--format", "json", "--text", "nothing like it")
	if err != nil || strings.TrimSpace(out) != "[]" {
		t.Errorf("%v\n%s", err, out)
	}
	out, _, err = countersign("list", "--db", path, "--limit", "1", "--format", "jsonl")
	if err != nil || !strings.Contains(out, "Unauthorized") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestARunIsChosenByWhatATablePrintsOfIt(t *testing.T) {
	path := logged(t)
	for _, run := range []string{"run-1", "run…", "run*"} {
		out, stderr, err := countersign("list", "--db", path, "--format", "jsonl", "--run", run)
		if err != nil || stderr != "" || strings.Count(out, "\n") != 5 {
			t.Errorf("%s: %v\n%s%s", run, err, stderr, out)
		}
	}
}

func TestAFilterThatNamesWhatNoCallHasIsSaid(t *testing.T) {
	path := logged(t)
	for _, command := range []string{"list", "stats", "export"} {
		for _, c := range []struct {
			args []string
			want string // "": it is only chosen away
		}{
			{[]string{"--fn", "orders"}, `no call in the log has --fn "orders"`},
			{[]string{"--fn", "*.list"}, `no call in the log has --fn "*.list"`},
			{[]string{"--run", "run"}, `no call in the log has --run "run"`},
			{[]string{"--model", "none", "--fn", "orders.list"}, `no call in the log has --model "none"`},
			{[]string{"--fn", "orders.list", "--outcome", "unknown"}, ""},
			{[]string{"--text", "nobody wrote this"}, ""},
		} {
			args := append([]string{command, "--db", path, "--format", "csv"}, c.args...)
			_, stderr, err := countersign(args...)
			if err != nil || !strings.Contains(stderr, c.want) || (stderr == "") != (c.want == "") {
				t.Errorf("%v: %v\n%s", args, err, stderr)
			}
		}
	}
}

func TestNoCellOfCSVIsAFormula(t *testing.T) {
	out, _, err := countersign("list", "--db", logged(t), "--format", "csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) != 7 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		for i, cell := range row {
			if cell != "" && strings.Contains("=+-@\t\r", cell[:1]) {
				t.Errorf("%s: %q", rows[0][i], cell)
			}
		}
	}
	if rows[3][9] != "'-2+3\nno" || rows[5][5] != "'@evil" {
		t.Errorf("got %q and %q", rows[3][9], rows[5][5])
	}
	for in, want := range map[string]string{"": "", "=1": "'=1", " +1": "' +1", "＝1": "'＝1", "a=1": "a=1", "'=1": "''=1", "\t=1": "'\t=1"} {
		if got := review.NoFormulas([]string{in})[0]; got != want {
			t.Errorf("%q became %q", in, got)
		}
	}
}

func TestLogShowCutsNothing(t *testing.T) {
	path := logged(t)
	out, _, err := countersign("show", "4", "--db", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Request   Cancel them\\u{001B}[31m", "Call      4  orders.cancel  (call 2, c2)", "\"id\": 1042", "approved by user after 1234 ms, shown as “Cancel 2 orders?”", "nobody knows whether it took effect"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing:\n%s", want, out)
		}
	}
	for _, id := range []string{"run-1", "run", "run…", "ru*", "1", "12"} {
		out, _, err := countersign("show", id, "--db", path)
		if err != nil {
			t.Errorf("%s: %v", id, err)
		}
		for _, want := range []string{"for (;;) {}", "Status    error", "x is not a function (line 3)", "Unknown   c2", "Date that is invalid", "no such thing", "needs approval"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is missing:\n%s", id, want, out)
			}
		}
	}
	if out, _, err := countersign("show", "13", "--db", path); err != nil || !strings.Contains(out, "Unauthorized: an envelope without the secret") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, _, err := countersign("show", "c3", "--db", path, "--format", "json"); err != nil || !json.Valid([]byte(out)) || !strings.Contains(out, `"verdict": "reject"`) {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestLogVerifySaysWhatItFound(t *testing.T) {
	path := logged(t)
	out, _, err := countersign("verify", "--db", path)
	if err != nil || !strings.HasPrefix(out, "intact: all 13 entries") {
		t.Errorf("%v\n%s", err, out)
	}
	var report sqlite.Report
	out, _, err = countersign("verify", "--db", path, "--format", "json")
	if err != nil || json.Unmarshal([]byte(out), &report) != nil || report.State != sqlite.Intact {
		t.Errorf("%v\n%s", err, out)
	}
	if err := (sqlite.FileAnchor(path + ".head")).Store(sqlite.Head{Log: report.Head.Log, Number: 20, Hash: "x"}, false); err != nil {
		t.Fatal(err)
	}
	out, stderr, err := countersign("verify", "--db", path)
	if err == nil || !strings.HasPrefix(out, "tail cut: ") || !strings.Contains(stderr, "is not intact: tail cut") {
		t.Errorf("%v\n%s\n%s", err, out, stderr)
	}
}

func TestMistakesAreExplainedOnStandardError(t *testing.T) {
	path := logged(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"list", "--db", path + ".no"}, "there is no log at"},
		{[]string{"list", "--db", path, "--format", "xml"}, "expected table, json, jsonl or csv"},
		{[]string{"list", "--db", path, "--decision", "maybe"}, "expected one of approve"},
		{[]string{"list", "--db", path, "--since", "yesterday"}, "expected a date"},
		{[]string{"list", "--db", path, "--limit", "-1"}, "expected 0 or more"},
		{[]string{"list", "--db", path, "--limit", "abc"}, `--limit "abc": expected a whole number`},
		{[]string{"list", "--db", ""}, "--db is empty"},
		{[]string{"verify", "--export", path, "--key", "zz"}, "expected 64 hex digits"},
		{[]string{"list", "extra"}, "unexpected argument"},
		{[]string{"show", "--db", path}, "expected one argument"},
		{[]string{"show", "99", "--db", path}, "nothing in the log has the number 99"},
		{[]string{"show", "0", "--db", path}, "nothing in the log has the number 0"},
		{[]string{"show", "+4", "--db", path}, "nothing in the log has the id"},
		{[]string{"show", "04", "--db", path}, "nothing in the log has the id"},
		{[]string{"list", "--db", path, "--text", "  "}, "--text is empty"},
		{[]string{"list", "--db", path, "--since", "1d", "--until", "7d"}, "--until \"7d\": expected a time after \"1d\""},
		{[]string{"list", "--db", path, "--since", "106751d"}, "at most 99999d"},
		{[]string{"show", "", "--db", path}, "nothing in the log has the id"},
		{[]string{"show", "*", "--db", path}, "nothing in the log has the id"},
		{[]string{"verify", "--db", path, "--format", "csv"}, "expected text or json"},
		{[]string{"verify", "--db", path + ".head"}, "no SQLite database"},
		{[]string{"verify", "--db", path, "--key", "ff"}, "--key is for --export"},
		{[]string{"verify", "--export", path}, "this is no export"},
		{[]string{"verify", "--export", path + ".no"}, "no such file"},
		{[]string{"export", "--db", path, "--format", "table"}, "expected jsonl, json or csv"},
		{[]string{"export", "--db", path, "--output", path}, "exists, and is left as it is: name a new file"},
		{[]string{"head", "--db", path, "--compare", "1042 8f3c…"}, "no head is in that text"},
		{[]string{"head", "--db", path, "--compare", "-1 " + strings.Repeat("0", 64)}, "no head is in that text"},
		{[]string{"stats", "--db", path, "--format", "text"}, "expected table, json, jsonl or csv"},
		{[]string{"prune", "--db", path}, "--before is missing"},
		{[]string{"reindex", "--db", path + ".no"}, "there is no log at"},
		{[]string{"prune", "--db", path + ".no", "--before", "1d"}, "there is no log at"},
	} {
		out, stderr, err := countersign(c.args...)
		if err == nil || !strings.Contains(stderr, c.want) || out != "" {
			t.Errorf("%v: %v\nstdout: %s\nstderr: %s", c.args, err, out, stderr)
		}
	}
}

func TestEveryLogCommandHasHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"list", "--help"}, {"show", "--help"}, {"verify", "--help"}, {"export", "--help"}, {"stats", "--help"}, {"prune", "--help"}, {"format", "--help"}, {"reindex", "--help"}, {}} {
		if out, _, err := countersign(args...); err != nil || !strings.Contains(out, "Usage:") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}

func TestTimesAreReadAsPeopleWriteThem(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"2026-11-28":                 time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC),
		"2026-11-28T08:00":           time.Date(2026, 11, 28, 8, 0, 0, 0, time.UTC),
		"2026-11-28 08:00:01":        time.Date(2026, 11, 28, 8, 0, 1, 0, time.UTC),
		"2026-11-28 08:00:00 +02:00": time.Date(2026, 11, 28, 6, 0, 0, 0, time.UTC), // as a table has it
		"2026-11-28T08:00:00+02:00":  time.Date(2026, 11, 28, 6, 0, 0, 0, time.UTC),
		"90m":                        now.Add(-90 * time.Minute),
		"7d":                         now.AddDate(0, 0, -7),
		"":                           {},
	} {
		if got, err := readTime("since", text, now); err != nil || !got.Equal(want) {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
}

func TestWhatNobodyDecidedIsSaidInEnglish(t *testing.T) {
	for by, want := range map[app.Decider]string{app.ByClosed: "rejected: card closed", app.ByAborted: "rejected: run stopped", app.ByUser: "rejected by user"} {
		if got := review.DecisionWords(app.Reject, by); got != want {
			t.Errorf("%s: got %q, want %q", by, got, want)
		}
	}
}

func TestTablesAndTextHaveOneClock(t *testing.T) {
	path := logged(t)
	at := time.Date(2026, 11, 29, 10, 5, 0, 0, time.UTC).Local().Format("2006-01-02 15:04:05 -07:00") // of entry 4
	for _, args := range [][]string{{"list"}, {"show", "4"}} {
		if out, _, err := countersign(append(args, "--db", path)...); err != nil || !strings.Contains(out, at) {
			t.Errorf("%v: %v: %s is missing:\n%s", args, err, at, out)
		}
	}
}
