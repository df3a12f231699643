package sqlite_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

func waitingRun(run string, ids ...string) app.WaitingRun {
	w := app.WaitingRun{Run: app.Run{ID: run, Request: "request of " + run, Code: "…", Model: "m"}, Since: time.Now().UTC(),
		Continuation: app.Value(`{"countersign":1}`)}
	for i, id := range ids {
		input := app.Value(`{"id":1}`)
		w.Rows = append(w.Rows, app.WaitingRow{CallID: id, Seq: i + 1, Fn: "orders.cancel", Input: input, Digest: input.Digest()})
	}
	return w
}

// killedWaiting is a log of a process that was killed while the cards of these
// runs waited.
func killedWaiting(t *testing.T, runs ...app.WaitingRun) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.db")
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range runs {
		if err := log.Waiting().Keep(t.Context(), w); err != nil {
			t.Fatal(err)
		}
		entries := []app.Entry{{Kind: app.RunBegan, RunID: w.ID, Body: body(t, app.RunBeganBody{Request: w.Request, Code: w.Code, Model: w.Model})}}
		for _, r := range w.Rows {
			entries = append(entries, app.Entry{Kind: app.CallRequested, RunID: w.ID, CallID: r.CallID, Seq: r.Seq, Fn: r.Fn,
				Body: body(t, app.CallRequestedBody{Input: r.Input, Digest: r.Digest})})
		}
		if err := log.Append(t.Context(), entries...); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// add writes entries as the process did before it was killed.
func add(t *testing.T, log *sqlite.Log, entries ...app.Entry) {
	t.Helper()
	if err := log.Append(t.Context(), entries...); err != nil {
		t.Fatal(err)
	}
}

func kindsOf(t *testing.T, log *sqlite.Log, run string) (kinds []app.Kind) {
	t.Helper()
	entries, err := log.Entries(t.Context(), sqlite.Filter{RunID: run})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

func TestARunWhoseCardWaitedAtAKillWaitsOn(t *testing.T) {
	path := killedWaiting(t, waitingRun("r1", "a", "b"))
	for range 3 { // told once, however often the app starts
		log, err := sqlite.Open(path, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := kindsOf(t, log, "r1"); !slices.Equal(got, []app.Kind{app.RunBegan, app.CallRequested, app.CallRequested, app.RunSuspended}) {
			t.Errorf("the log has %v", got)
		}
		list, err := log.Waiting().List(t.Context())
		if err != nil || len(list) != 1 || list[0].ID != "r1" || list[0].Continuation != nil {
			t.Errorf("waiting: %+v, %v", list, err)
		}
		w, err := log.Waiting().Read(t.Context(), "r1")
		if err != nil || w.Continuation.String() != `{"countersign":1}` {
			t.Errorf("read: %+v, %v", w, err)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if r := verify(t, path); r.State != sqlite.Intact {
		t.Errorf("got %+v", r)
	}
	if p := prune(t, path, time.Now().AddDate(1, 0, 0)); p.Removed != 0 {
		t.Errorf("pruning took a run that waits: %+v", p)
	}
}

func TestWhatTheLogSaysIsDecidedOrOverDoesNotWait(t *testing.T) {
	for name, c := range map[string]struct {
		more  []app.Entry
		touch func(t *testing.T, file string)
		kept  func(*app.WaitingRun)
		ended string // in the reason
	}{
		"decided":     {more: []app.Entry{{Kind: app.CallDecided, RunID: "r1", CallID: "a", Seq: 1, Fn: "orders.cancel", Body: []byte(`{"verdict":"approve","by":"user"}`)}}},
		"in mid-call": {more: []app.Entry{{Kind: app.CallStarted, RunID: "r1", CallID: "x", Seq: 9, Fn: "orders.list"}}},
		"damaged": {touch: func(t *testing.T, file string) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			write(t, file, bytes.Replace(text, []byte(`"id":1`), []byte(`"id":2`), 1))
		}, ended: "damaged"},
		"cut":                 {touch: func(t *testing.T, file string) { write(t, file, []byte("abc")) }, ended: "damaged"},
		"gone":                {touch: func(t *testing.T, file string) { os.Remove(file) }},
		"of another request":  {kept: func(w *app.WaitingRun) { w.Request = "something else" }},
		"of another program":  {kept: func(w *app.WaitingRun) { w.Code = "something else" }},
		"with another input":  {kept: func(w *app.WaitingRun) { w.Rows[0].Input, w.Rows[0].Digest = app.Value("2"), app.Value("2").Digest() }},
		"with a wrong digest": {kept: func(w *app.WaitingRun) { w.Rows[0].Input = app.Value("2") }},
		"with a row too many": {kept: func(w *app.WaitingRun) { w.Rows = append(w.Rows, app.WaitingRow{CallID: "z", Seq: 7}) }},
		"with a row too few":  {kept: func(w *app.WaitingRun) { w.Rows = w.Rows[:1] }},
		"without rows":        {kept: func(w *app.WaitingRun) { w.Rows = nil }},
	} {
		t.Run(name, func(t *testing.T) {
			path := killedWaiting(t, waitingRun("r1", "a", "b"), waitingRun("other", "c"))
			if c.more != nil || c.kept != nil {
				log, err := sqlite.Open(path, sqlite.Options{})
				if err != nil {
					t.Fatal(err)
				}
				add(t, log, c.more...)
				if c.kept != nil {
					w := waitingRun("r1", "a", "b")
					c.kept(&w)
					if err := log.Waiting().Keep(t.Context(), w); err != nil {
						t.Fatal(err)
					}
				}
				if err := log.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if c.touch != nil {
				c.touch(t, kept(t, path, "r1"))
			}
			log := open(t, path)
			got := kindsOf(t, log, "r1")
			if got[len(got)-1] != app.RunEnded {
				t.Errorf("the log has %v", got)
			}
			entries, err := log.Entries(t.Context(), sqlite.Filter{RunID: "r1"})
			if err != nil || !strings.Contains(string(entries[len(entries)-1].Body), c.ended) {
				t.Errorf("ended with %s, %v; expected a reason with %q", entries[len(entries)-1].Body, err, c.ended)
			}
			list, err := log.Waiting().List(t.Context())
			if err != nil || len(list) != 1 || list[0].ID != "other" {
				t.Errorf("waiting: %+v, %v", list, err)
			}
		})
	}
}

// kept is the file that holds a waiting run.
func kept(t *testing.T, path, run string) string {
	t.Helper()
	files, err := filepath.Glob(sqlite.WaitingFor(path) + "/*.run")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && bytes.Contains(text, []byte(`"runId":"`+run+`"`)) {
			return file
		}
	}
	t.Fatalf("nothing is kept of %s in %v", run, files)
	return ""
}

func TestWaitingRunsAreForTheOwnerOnlyAndForgotten(t *testing.T) {
	path := killedWaiting(t, waitingRun("r1", "a"))
	file := kept(t, path, "r1")
	for name, want := range map[string]os.FileMode{filepath.Dir(file): 0o700, file: 0o600} {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; expected %o", name, info.Mode(), err, want)
		}
	}
	write(t, filepath.Join(filepath.Dir(file), ".new-123"), []byte("half"))
	log := open(t, path)
	for range 2 {
		if err := log.Waiting().Drop(t.Context(), "r1"); err != nil {
			t.Error(err)
		}
	}
	left, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	if _, err := log.Waiting().Read(t.Context(), "r1"); app.CodeOf(err) != app.NotWaiting {
		t.Errorf("read: %v", err)
	}
}

func TestAWaitingRunThatIsTooLargeOrHasNoRoomIsRefused(t *testing.T) {
	path := killedWaiting(t)
	log := open(t, path)
	w := waitingRun("r1", "a")
	w.Continuation = app.Value(`"` + strings.Repeat("x", sqlite.MaxWaiting) + `"`)
	if err := log.Waiting().Keep(t.Context(), w); app.CodeOf(err) != app.CannotWait {
		t.Errorf("too large: %.200v", err)
	}
	write(t, sqlite.WaitingFor(path), []byte("no folder"))
	if err := log.Waiting().Keep(t.Context(), waitingRun("r1", "a")); app.CodeOf(err) != app.CannotWait {
		t.Errorf("no room: %v", err)
	}
}
