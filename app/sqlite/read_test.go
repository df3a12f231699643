package sqlite_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

func body(t *testing.T, b any) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// crash copies a log's files as the death of the process would leave them.
func crash(t *testing.T, log *sqlite.Log, path string) string {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "log.db")
	for _, suffix := range []string{"", "-wal", ".head", ".key"} {
		copyFile(t, path+suffix, copied+suffix)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return copied
}

func TestWhatAnEarlierProcessLeftOpenIsClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	call := func(kind app.Kind, id string, b any) app.Entry {
		return app.Entry{Kind: kind, RunID: "r1", CallID: id, Seq: int(id[1] - '0'), Fn: "orders.cancel", Body: body(t, b)}
	}
	if err := log.Append(t.Context(),
		app.Entry{Kind: app.RunBegan, RunID: "r0"}, app.Entry{Kind: app.RunEnded, RunID: "r0"},
		app.Entry{Kind: app.RunBegan, RunID: "r1", Body: body(t, app.RunBeganBody{Request: "Cancel them"})},
		call(app.CallRequested, "c1", app.CallRequestedBody{Input: app.Value("1")}),
		call(app.CallDecided, "c1", app.CallDecidedBody{Verdict: app.Approve, By: app.ByUser}),
		call(app.CallStarted, "c1", app.CallStartedBody{Marked: true}),
		call(app.CallRequested, "c2", app.CallRequestedBody{Input: app.Value("2")}),
		call(app.CallStarted, "c3", app.CallStartedBody{}), call(app.CallSettled, "c3", app.CallSettledBody{Value: app.Value("3")}),
	); err != nil {
		t.Fatal(err)
	}
	path = crash(t, log, path)
	for range 2 { // a second start has nothing left to do
		log = open(t, path)
		calls, err := log.Calls(t.Context(), sqlite.Filter{RunID: "r1"})
		if err != nil {
			t.Fatal(err)
		}
		var outcomes []sqlite.Outcome
		for _, c := range calls {
			outcomes = append(outcomes, c.Outcome())
		}
		if len(outcomes) != 3 || outcomes[0] != sqlite.Unknown || outcomes[1] != sqlite.Rejected || outcomes[2] != sqlite.OK {
			t.Errorf("got %v, want unknown, rejected, ok", outcomes)
		}
		if d := calls[1].Decision(); d.By != app.ByAborted {
			t.Errorf("the waiting call was decided by %s, want aborted", d.By)
		}
		entries, err := log.Entries(t.Context(), sqlite.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		last := entries[len(entries)-1]
		var ended app.RunEndedBody
		if err := json.Unmarshal(last.Body, &ended); err != nil {
			t.Fatal(err)
		}
		if len(entries) != 11 || last.Kind != app.RunEnded || last.RunID != "r1" || ended.Status != app.StatusAborted || len(ended.Unknown) != 1 || ended.Unknown[0] != "c1" {
			t.Errorf("%d entries, the last %+v", len(entries), last)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFiltersChooseCalls(t *testing.T) {
	log := open(t, place(t))
	at := time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC)
	entry := func(kind app.Kind, run, id, fn string, hour int, b any) app.Entry {
		return app.Entry{At: at.Add(time.Duration(hour) * time.Hour), Kind: kind, RunID: run, CallID: id, Fn: fn, Body: body(t, b)}
	}
	if err := log.Append(t.Context(),
		entry(app.RunBegan, "run-1", "", "", 0, app.RunBeganBody{Request: "Cancel every open order"}),
		entry(app.CallStarted, "run-1", "c1", "orders.list", 0, app.CallStartedBody{Input: app.Value(`{"q":"\"quoted\"\n100%"}`)}),
		entry(app.CallSettled, "run-1", "c1", "orders.list", 0, app.CallSettledBody{Value: app.Value(`[]`)}),
		entry(app.CallRequested, "run-1", "c2", "orders.cancel", 1, app.CallRequestedBody{Input: app.Value(`{"id":7}`)}),
		entry(app.CallDecided, "run-1", "c2", "orders.cancel", 1, app.CallDecidedBody{Verdict: app.Reject, By: app.ByUser}),
		entry(app.RunBegan, "run-2", "", "", 2, app.RunBeganBody{Request: "Mail it"}),
		entry(app.CallRequested, "run-2", "c1", "mail.send", 2, app.CallRequestedBody{Input: app.Value(`null`), Digest: app.Value("null").Digest()}),
		entry(app.CallDecided, "run-2", "c1", "mail.send", 2, app.CallDecidedBody{Verdict: app.Approve, By: app.ByDemo}),
		entry(app.CallRefused, "", "", "", 3, app.CallRefusedBody{Code: app.Unauthorized}),
		entry(app.CallRefused, "", "", "", 4, app.CallRefusedBody{Code: app.Unauthorized}),
	); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		filter sqlite.Filter
		want   []int64
	}{
		{"all", sqlite.Filter{}, []int64{2, 4, 7, 9, 10}},
		{"function", sqlite.Filter{Fn: "orders.list"}, []int64{2}},
		{"family", sqlite.Filter{Fn: "orders.*"}, []int64{2, 4}},
		{"no wildcard of SQL", sqlite.Filter{Fn: "orders_list"}, nil},
		{"verdict", sqlite.Filter{Decision: "reject"}, []int64{4}},
		{"decider", sqlite.Filter{Decision: "demo"}, []int64{7}},
		{"run", sqlite.Filter{RunID: "run-2"}, []int64{7}},
		{"beginning of a run", sqlite.Filter{RunID: "run-*"}, []int64{2, 4, 7}},
		{"text in an input", sqlite.Filter{Text: `"QUOTED"` + "\n100%"}, []int64{2}},
		{"text in the request", sqlite.Filter{Text: "open order"}, []int64{2, 4}},
		{"text in a function", sqlite.Filter{Text: "mail.s*"}, []int64{7}},
		{"text that is SQL", sqlite.Filter{Text: "' OR 1=1 --"}, nil},
		{"since", sqlite.Filter{Since: at.Add(2 * time.Hour)}, []int64{7, 9, 10}},
		{"until", sqlite.Filter{Until: at.Add(time.Hour)}, []int64{2}},
		{"newest", sqlite.Filter{Limit: 2}, []int64{9, 10}},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls, err := log.Calls(t.Context(), c.filter)
			if err != nil {
				t.Fatal(err)
			}
			var got []int64
			for _, call := range calls {
				got = append(got, call.Number)
			}
			if len(got) != len(c.want) {
				t.Fatalf("got %v, want %v", got, c.want)
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Fatalf("got %v, want %v", got, c.want)
				}
			}
		})
	}
	calls, err := log.Calls(t.Context(), sqlite.Filter{Fn: "mail.send"})
	if err != nil || calls[0].Input().String() != "null" || calls[0].Outcome() != sqlite.Approved {
		t.Errorf("got input %q, outcome %s, %v", calls[0].Input(), calls[0].Outcome(), err)
	}
}

func TestTheLogIsReadWhileItIsWritten(t *testing.T) {
	path := place(t)
	log := open(t, path)
	r, err := sqlite.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		defer close(stop)
		for range 100 {
			if err := log.Append(t.Context(), app.Entry{Kind: app.RunBegan, RunID: "r"}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for done := false; !done; {
		select {
		case <-stop:
			done = true
		default:
		}
		if report, err := r.Verify(t.Context()); err != nil || report.State != sqlite.Intact {
			t.Fatalf("got %+v, %v", report, err)
		}
	}
	wg.Wait()
	if entries, err := r.Entries(t.Context(), sqlite.Filter{}); err != nil || len(entries) != 100 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}

func TestReadingMakesAndChangesNothing(t *testing.T) {
	if _, err := sqlite.OpenReader(filepath.Join(t.TempDir(), "no.db")); err == nil || !strings.Contains(err.Error(), "no log at") {
		t.Errorf("got %v", err)
	}
	path := filled(t, 3)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if r := verify(t, path); r.State != sqlite.Intact {
		t.Errorf("a closed log: got %+v", r)
	}
	after, err := os.ReadFile(path)
	if err != nil || string(before) != string(after) {
		t.Errorf("the file changed (%v)", err)
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		if info, err := os.Stat(path + suffix); err == nil && info.Size() > 0 {
			t.Logf("%s stays with %d bytes", suffix, info.Size())
		}
	}
}
