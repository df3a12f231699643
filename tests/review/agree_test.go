// Package review checks that the window, the command line and exports say the same
// of one log, in the same words and numbers.
package review

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/cli"
	"github.com/faustine-ai/countersign/app/review"
	"github.com/faustine-ai/countersign/tests/million"
)

// entries is how large the log is: large enough for pages, blocks and common words.
const entries = 60_000

// place answers every dialog of the window.
type place struct{ path string }

func (p *place) SaveFile(context.Context, string, string) (string, error) { return p.path, nil }
func (p *place) OpenFile(context.Context, string) (string, error)         { return p.path, nil }

// window asks as the page does.
type window struct {
	t    *testing.T
	ops  map[string]app.Operation
	save *place
}

func (w *window) ask(op string, args map[string]any, into any) {
	w.t.Helper()
	text, err := json.Marshal(args)
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := w.ops[op].Do(w.t.Context(), text)
	if err != nil {
		w.t.Fatalf("%s %s: %v", op, text, err)
	}
	if text, err = json.Marshal(out); err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// calls goes through every page, as scrolling does, and checks them with the marks
// by which a page anywhere is found.
func (w *window) calls(filter review.Filter) (rows []review.Row, count int64) {
	w.t.Helper()
	var survey review.Survey
	w.ask("log.count", map[string]any{"source": "", "filter": filter}, &survey)
	op := "log.calls"
	if filter.Text != "" {
		op = "log.search"
	}
	for page, before := 0, survey.Head+1; ; page++ {
		var got review.Page
		w.ask(op, map[string]any{"source": "", "filter": filter, "before": before, "limit": survey.Every}, &got)
		rows = append(rows, got.Rows...)
		if len(got.Rows) < survey.Every {
			return rows, survey.Count
		}
		before = got.Rows[len(got.Rows)-1].ID
		if before != survey.Marks[page] {
			w.t.Fatalf("%+v: page %d ends with %d, its mark is %d", filter, page, before, survey.Marks[page])
		}
	}
}

// export writes what the window lists to a file, and reads that.
func (w *window) export(filter review.Filter, format string) ([]byte, review.Exported) {
	w.t.Helper()
	var done review.Exported
	w.ask("log.export", map[string]any{"source": "", "filter": filter, "format": format}, &done)
	text, err := os.ReadFile(done.Path)
	if err != nil {
		w.t.Fatal(err)
	}
	return text, done
}

// terminal runs the command line on the log.
func terminal(t *testing.T, path, command string, filter review.Filter, format string) []byte {
	t.Helper()
	args := []string{command, "--db", path, "--format", format}
	values := reflect.ValueOf(filter)
	for i := range values.NumField() {
		if v := values.Field(i).String(); v != "" {
			args = append(args, "--"+strings.TrimSuffix(values.Type().Field(i).Tag.Get("json"), ",omitempty"), v)
		}
	}
	c := cli.LogCommand()
	var out bytes.Buffer
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetArgs(args)
	if err := c.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out.Bytes())
	}
	return out.Bytes()
}

func TestTheWindowTheCommandLineAndExportsSayTheSame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	if err := million.Write(path, entries); err != nil {
		t.Fatal(err)
	}
	w := &window{t: t, ops: map[string]app.Operation{}, save: &place{path: filepath.Join(t.TempDir(), "exported")}}
	r := review.New(review.Config{Path: path, Filters: filepath.Join(t.TempDir(), "filters.json"), Dialogs: w.save})
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, o := range r.Operations() {
		w.ops[o.Name] = o
	}
	day := func(n int) string { return million.Begin.Add(time.Duration(n) * 6 * time.Hour).Format(time.RFC3339) }
	for _, filter := range []review.Filter{
		{},
		{Decision: "reject", Since: day(1), Until: day(3)},
		{Fn: "orders.*", Outcome: "error", Model: "gpt-5.2"},
		{Outcome: "unknown"},
		{Outcome: "refused", Text: "customer*"},
		{Text: "zoe muller", Until: day(2)},
		{Decider: "policy", Decision: "approve"},
		{Run: "run-00017"},
		{Text: "nowhere to be found"},
	} {
		t.Run(fmt.Sprintf("%+v", filter), func(t *testing.T) {
			w.t = t
			rows, count := w.calls(filter)
			if filter.Text != "nowhere to be found" && len(rows) == 0 {
				t.Fatal("nothing is chosen, so nothing is compared")
			}
			slices.Reverse(rows) // the command line has the oldest first
			if int64(len(rows)) != count {
				t.Errorf("%d calls in pages, %d counted", len(rows), count)
			}
			sameCalls(t, rows, terminal(t, path, "list", filter, "json"))
			sameWords(t, rows, terminal(t, path, "list", filter, "table"))
			table, done := w.export(filter, "csv")
			if done.Calls != count || !bytes.Equal(table, terminal(t, path, "list", filter, "csv")) {
				t.Errorf("the table of %d calls is another one than the command line's", done.Calls)
			}
			sameStats(t, w, filter, count, terminal(t, path, "stats", filter, "json"))
			lines, done := w.export(filter, "jsonl")
			sameLines(t, filter, rows, lines, done, terminal(t, path, "export", filter, "jsonl"))
		})
	}
}

func sameCalls(t *testing.T, rows []review.Row, text []byte) {
	t.Helper()
	var calls []review.Call
	if err := json.Unmarshal(text, &calls); err != nil {
		t.Fatal(err)
	}
	if len(calls) != len(rows) {
		t.Fatalf("%d calls on the command line, %d in the window", len(calls), len(rows))
	}
	for i, call := range calls {
		row := rows[i]
		if call.ID != row.ID || call.At != row.At || call.RunID != row.RunID || call.CallID != row.CallID || call.Seq != row.Seq || call.Fn != row.Fn || call.Outcome != row.Outcome ||
			call.DecisionWords() != row.DecisionWords || call.OutcomeWords() != row.OutcomeWords || compact(t, call.Input) != row.Input {
			t.Fatalf("the command line has %+v, the window %+v", call, row)
		}
	}
}

// compact is a value as the log has it; the command line's JSON is indented.
func compact(t *testing.T, v app.Value) string {
	t.Helper()
	if v == nil || v.String() == "null" {
		return ""
	}
	var out bytes.Buffer
	if err := json.Compact(&out, v); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func sameWords(t *testing.T, rows []review.Row, text []byte) {
	t.Helper()
	var lines []string
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(line, "│"); len(cells) > 7 && strings.TrimSpace(cells[1]) != "ID" {
			lines = append(lines, line)
		}
	}
	if len(lines) != len(rows) {
		t.Fatalf("%d rows in the terminal, %d in the window", len(lines), len(rows))
	}
	for i, line := range lines {
		cells := strings.Split(line, "│")
		if got := []string{strings.TrimSpace(cells[1]), strings.TrimSpace(cells[6]), strings.TrimSpace(cells[7])}; got[0] != strconv.FormatInt(rows[i].ID, 10) || got[1] != rows[i].DecisionWords || got[2] != rows[i].OutcomeWords {
			t.Fatalf("the terminal says %q, the window %q and %q", got, rows[i].DecisionWords, rows[i].OutcomeWords)
		}
	}
}

func sameStats(t *testing.T, w *window, filter review.Filter, count int64, text []byte) {
	t.Helper()
	var stats review.Stats
	w.ask("log.stats", map[string]any{"source": "", "filter": filter}, &stats)
	var functions []review.FunctionStats
	if err := json.Unmarshal(text, &functions); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(functions, stats.Functions) {
		t.Errorf("the command line counts %+v, the window %+v", functions, stats.Functions)
	}
	sums := map[string]int64{"calls": stats.Calls, "decisions": stats.Approved + stats.Rejected + stats.Undecided}
	for _, n := range stats.Outcomes {
		sums["outcomes"] += n
	}
	for _, fn := range functions {
		sums["functions"] += fn.Calls
	}
	for _, span := range stats.Activity.Spans {
		sums["activity"] += span.Free + span.Approved + span.Rejected + span.Refused
	}
	for what, n := range sums {
		if n != count {
			t.Errorf("%s: %d in all, want %d", what, n, count)
		}
	}
}

// sameLines compares exports but for what each says of itself: when it was made.
func sameLines(t *testing.T, filter review.Filter, rows []review.Row, text []byte, done review.Exported, other []byte) {
	t.Helper()
	one, two := bytes.Split(bytes.TrimSpace(text), []byte("\n")), bytes.Split(bytes.TrimSpace(other), []byte("\n"))
	if len(one) != len(two) || !slices.EqualFunc(one[1:len(one)-1], two[1:len(two)-1], bytes.Equal) {
		t.Fatalf("the window exports %d lines, the command line %d, or others", len(one), len(two))
	}
	if done.Entries != int64(len(one)-2) || !done.Signed {
		t.Errorf("told %+v of %d entries", done, len(one)-2)
	}
	// Exactly the calls that are listed are in it.
	listed, exported := map[string]bool{}, map[string]bool{}
	for _, row := range rows {
		listed[row.RunID+" "+row.CallID] = true
	}
	for _, line := range one[1 : len(one)-1] {
		var e app.Entry
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(string(e.Kind), "call.") {
			exported[e.RunID+" "+e.CallID] = true
		}
	}
	if !reflect.DeepEqual(listed, exported) {
		t.Errorf("%d calls are listed, %d are in the export", len(listed), len(exported))
	}
}

// The table of entries has what the lines have.
func TestATableOfEntriesHasTheChain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	if err := million.Write(path, 2000); err != nil {
		t.Fatal(err)
	}
	w := &window{t: t, ops: map[string]app.Operation{}, save: &place{path: filepath.Join(t.TempDir(), "exported")}}
	r := review.New(review.Config{Path: path, Dialogs: w.save})
	defer r.Close()
	for _, o := range r.Operations() {
		w.ops[o.Name] = o
	}
	text, done := w.export(review.Filter{}, "entries")
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || int64(len(rows)-1) != done.Entries {
		t.Fatalf("%d rows, %+v, %v", len(rows), done, err)
	}
	for i, row := range rows[2:] {
		if row[8] != rows[i+1][9] {
			t.Fatalf("row %d does not name the hash of the one before", i+2)
		}
	}
}
