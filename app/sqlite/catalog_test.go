package sqlite_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// mixed is a log of random runs, with calls in every state, attempts that belong
// to none, and a clock that goes back.
func mixed(t *testing.T, runs int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.db")
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	at := time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)
	var waiting []<-chan error
	add := func(kind app.Kind, run, id, fn string, b any) {
		at = at.Add(time.Duration(random.IntN(3000)-200) * time.Millisecond)
		waiting = append(waiting, log.AppendSoon(app.Entry{At: at, Kind: kind, RunID: run, CallID: id, Fn: fn, Body: body(t, b)}))
	}
	for r := range runs {
		if r == runs/2 {
			at = at.Add(-10 * time.Minute) // the clock was set
		}
		run := fmt.Sprintf("run-%03d", r)
		add(app.RunBegan, run, "", "", app.RunBeganBody{Request: []string{"pears", "common apples"}[r%2], Model: fmt.Sprint("model-", r%3)})
		var open []func()
		for i := range random.IntN(40) {
			id, fn := fmt.Sprint("c", i), []string{"a.b", "a.c", "d.e"}[random.IntN(3)]
			input := app.Value([]string{`{"what":"common"}`, `{"what":"rare"}`, `null`}[random.IntN(3)])
			kind := random.IntN(10)
			if kind == 0 {
				add(app.CallRefused, run, []string{id, ""}[random.IntN(2)], fn, app.CallRefusedBody{Code: app.InvalidInput, Message: "common mistake", Input: input})
				continue
			}
			if kind < 5 {
				add(app.CallRequested, run, id, fn, app.CallRequestedBody{Input: input})
				if random.IntN(9) > 0 {
					d := app.CallDecidedBody{Verdict: []app.Verdict{app.Approve, app.Approve, app.Reject}[random.IntN(3)], By: []app.Decider{app.ByUser, app.ByPolicy, app.ByClosed}[random.IntN(3)], WaitedMs: int64(random.IntN(9000)), Reason: "odd"}
					add(app.CallDecided, run, id, fn, d)
					if d.Verdict == app.Reject || random.IntN(9) == 0 {
						continue
					}
				} else {
					continue
				}
			}
			add(app.CallStarted, run, id, fn, app.CallStartedBody{Input: input, Marked: kind < 5})
			open = append(open, func() {
				settled := app.CallSettledBody{Ms: float64(random.IntN(100)), Value: app.Value("1")}
				if random.IntN(4) == 0 {
					settled = app.CallSettledBody{Error: &app.Reason{Name: "E", Message: []string{"common", "odd"}[random.IntN(2)]}}
				}
				add(app.CallSettled, run, id, fn, settled)
			})
			for len(open) > 0 && random.IntN(3) > 0 {
				j := random.IntN(len(open))
				open[j]()
				open = slices.Delete(open, j, j+1)
			}
		}
		if random.IntN(10) > 0 {
			add(app.RunEnded, run, "", "", app.RunEndedBody{Status: app.StatusOK})
		}
		add(app.CallRefused, "", "", "", app.CallRefusedBody{Code: app.Unauthorized, Message: "odd"})
	}
	for _, w := range waiting {
		if err := <-w; err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func cataloged(t *testing.T, path, at string) *sqlite.Catalog {
	t.Helper()
	reader, err := sqlite.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := sqlite.OpenCatalog(reader, at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := c.Fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// What the catalog chooses is what reading every entry chooses.
func TestTheCatalogSaysWhatTheEntriesSay(t *testing.T) {
	path := mixed(t, 120)
	reader, err := sqlite.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	all, err := reader.Calls(t.Context(), sqlite.Filter{})
	if err != nil || len(all) < 1500 {
		t.Fatalf("%d calls, %v", len(all), err)
	}
	middle := all[len(all)/2].First().At
	filters := []sqlite.Filter{
		{}, {Fn: "a.b"}, {Fn: "a.*"}, {RunID: "run-007"}, {RunID: "run-1*"}, {Decision: "reject"}, {Decision: "policy"}, {Decision: sqlite.Undecided}, {Decider: "user", Decision: "approve"},
		{Outcome: sqlite.Waiting}, {Outcome: sqlite.Rejected}, {Outcome: sqlite.Approved}, {Outcome: sqlite.Refused}, {Outcome: sqlite.Unknown}, {Outcome: sqlite.OK}, {Outcome: sqlite.Failed},
		{Model: "model-1"}, {Model: "model-*", Fn: "d.e", Outcome: sqlite.OK},
		{Since: middle}, {Until: middle}, {Since: middle.Add(-time.Minute), Until: middle.Add(time.Minute)}, {Until: middle, Fn: "a.b", Decider: "closed"},
		{Text: "common"}, {Text: "comm*"}, {Text: "common", Outcome: sqlite.Failed}, {Text: "apples"}, {Text: "rare", Since: middle}, {Text: `"what"`}, {Text: `{"`}, {Text: "nowhere"}, {Text: "odd", Decision: "reject"},
	}
	for _, at := range []string{filepath.Join(t.TempDir(), "own.calls"), ""} {
		c := cataloged(t, path, at)
		for _, f := range filters {
			var want []int64
			models := map[string]string{}
			began, err := reader.Entries(t.Context(), sqlite.Filter{})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range began {
				if e.Kind == app.RunBegan {
					models[e.RunID] = "model-" + strings.TrimPrefix(string(e.Body[strings.Index(string(e.Body), "model-")+6:])[:1], "")
				}
			}
			plain := f
			plain.Outcome, plain.Model, plain.Decider = "", "", ""
			if f.Decision == sqlite.Undecided {
				plain.Decision = ""
			}
			found, err := reader.Calls(t.Context(), plain)
			if err != nil {
				t.Fatal(err)
			}
			for _, call := range found {
				model := models[call.RunID]
				if f.Outcome != "" && call.Outcome() != f.Outcome || f.Decider != "" && string(call.Decision().By) != f.Decider || f.Decision == sqlite.Undecided && call.Decided != nil ||
					f.Model != "" && f.Model != model && !(strings.HasSuffix(f.Model, "*") && strings.HasPrefix(model, strings.TrimSuffix(f.Model, "*"))) {
					continue
				}
				want = append(want, call.Number)
			}
			slices.Reverse(want)
			name := fmt.Sprintf("%+v (%q)", f, at)
			got, err := c.Numbers(t.Context(), f, 0, 0)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s: %d calls, want %d, %v", name, len(got), len(want), err)
			}
			const every = 20
			count, marks, err := c.Survey(t.Context(), f, every)
			if err != nil || count != int64(len(want)) || len(marks) != len(want)/every {
				t.Fatalf("%s: counted %d with %d marks, want %d, %v", name, count, len(marks), len(want), err)
			}
			// Page by page, forwards by the last number and anywhere by the marks.
			var paged []int64
			for before := int64(0); ; {
				page, err := c.Numbers(t.Context(), f, before, every)
				if err != nil {
					t.Fatal(err)
				}
				paged = append(paged, page...)
				if len(page) < every {
					break
				}
				before = page[len(page)-1]
				if before != marks[len(paged)/every-1] {
					t.Fatalf("%s: page %d ends with %d, its mark is %d", name, len(paged)/every, before, marks[len(paged)/every-1])
				}
			}
			if !slices.Equal(paged, want) {
				t.Fatalf("%s: the pages hold %d calls, want %d", name, len(paged), len(want))
			}
			groups, err := c.Groups(t.Context(), f)
			var sum int64
			for _, g := range groups {
				sum += g.Calls
			}
			if err != nil || sum != count {
				t.Fatalf("%s: the groups hold %d calls, want %d, %v", name, sum, count, err)
			}
		}
		whole, err := c.Whole(t.Context(), []int64{all[3].Number, all[1].Number})
		if err != nil || len(whole) != 2 || whole[0].Number != all[3].Number || whole[1].Outcome() != all[1].Outcome() {
			t.Errorf("whole calls: %+v, %v", whole, err)
		}
	}
}

// Pages are also right where the common text is found by newestCalls.
func TestPagesOfACommonTextAreThoseOfAllHits(t *testing.T) {
	path := mixed(t, 400)
	for _, at := range []string{filepath.Join(t.TempDir(), "own.calls"), ""} {
		c := cataloged(t, path, at)
		for _, f := range []sqlite.Filter{{Text: "common"}, {Text: "comm*", Fn: "a.*"}, {Text: "common", Outcome: sqlite.OK}} {
			want, err := c.Numbers(t.Context(), f, 0, 0)
			if err != nil || len(want) < 500 {
				t.Fatalf("%d calls, %v", len(want), err)
			}
			var paged []int64
			for before := int64(0); ; {
				page, err := c.Numbers(t.Context(), f, before, 37)
				if err != nil {
					t.Fatal(err)
				}
				paged = append(paged, page...)
				if len(page) < 37 {
					break
				}
				before = page[len(page)-1]
			}
			if !slices.Equal(paged, want) {
				for i := range min(len(paged), len(want)) {
					if paged[i] != want[i] {
						t.Fatalf("%+v: call %d of the pages is %d, want %d", f, i, paged[i], want[i])
					}
				}
				t.Fatalf("%+v: %d calls in pages, want %d", f, len(paged), len(want))
			}
		}
	}
}

func TestTheCatalogFollowsItsLog(t *testing.T) {
	path := place(t)
	log := open(t, path)
	at := sqlite.CatalogFor(path)
	c := cataloged(t, path, at)
	outcome := func(want string) {
		t.Helper()
		if _, err := c.Fill(t.Context()); err != nil {
			t.Fatal(err)
		}
		numbers, err := c.Numbers(t.Context(), sqlite.Filter{}, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := c.Rows(t.Context(), numbers, 5)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, r := range rows {
			got = append(got, fmt.Sprintf("%s %s %s", r.CallID, r.Outcome, r.Input))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("got %q, want %q", strings.Join(got, ", "), want)
		}
	}
	outcome("")
	call := func(kind app.Kind, b any) {
		t.Helper()
		if err := log.Append(t.Context(), app.Entry{Kind: kind, RunID: "r1", CallID: "c1", Seq: 1, Fn: "a.b", Body: body(t, b)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Append(t.Context(), app.Entry{Kind: app.RunBegan, RunID: "r1", Body: body(t, app.RunBeganBody{Request: "R"})}); err != nil {
		t.Fatal(err)
	}
	outcome("")
	call(app.CallRequested, app.CallRequestedBody{Input: app.Value(`"long enough"`)})
	outcome(`c1 waiting "long`)
	call(app.CallDecided, app.CallDecidedBody{Verdict: app.Approve, By: app.ByUser})
	outcome(`c1 approved "long`)
	call(app.CallStarted, app.CallStartedBody{Marked: true})
	outcome(`c1 unknown "long`)
	ends, err := c.OpenEnds(t.Context())
	if err != nil || len(ends.Runs) != 1 || len(ends.Unknown) != 0 {
		t.Errorf("open: %+v, %v", ends, err)
	}
	if err := log.Append(t.Context(), app.Entry{Kind: app.RunEnded, RunID: "r1", Body: body(t, app.RunEndedBody{Status: app.StatusAborted, Unknown: []string{"c1"}})}); err != nil {
		t.Fatal(err)
	}
	outcome(`c1 unknown "long`)
	if ends, err = c.OpenEnds(t.Context()); err != nil || len(ends.Runs) != 0 || len(ends.Unknown) != 1 {
		t.Errorf("open: %+v, %v", ends, err)
	}
	call(app.CallNoted, app.CallNotedBody{Finding: app.TookEffect, By: app.ByUser})
	outcome(`c1 unknown "long`) // a note changes no outcome
	if ends, err = c.OpenEnds(t.Context()); err != nil || len(ends.Unknown) != 0 || len(ends.Noted) != 1 {
		t.Errorf("open: %+v, %v", ends, err)
	}
	info, err := os.Stat(at)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the catalog: %v, %v", info, err)
	}
}

// A log from before such calls were rejected at the end of their run, or the moment
// between that end and the entry.
func TestACallWaitsNoLongerThanItsRun(t *testing.T) {
	path := place(t)
	log := open(t, path)
	entry := func(kind app.Kind, call string, b any) app.Entry {
		return app.Entry{Kind: kind, RunID: "r1", CallID: call, Body: body(t, b)}
	}
	c := cataloged(t, path, sqlite.CatalogFor(path))
	outcomes := func(want ...sqlite.Outcome) {
		t.Helper()
		calls, err := log.Calls(t.Context(), sqlite.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Fill(t.Context()); err != nil {
			t.Fatal(err)
		}
		var found []sqlite.Outcome
		if err := c.EachCall(t.Context(), sqlite.Filter{}, func(call sqlite.Call) error {
			found = append(found, call.Outcome())
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for i, call := range calls {
			if call.Outcome() != want[i] || found[i] != want[i] {
				t.Errorf("%s is %s by its entries and %s in the catalog; want %s", call.CallID, call.Outcome(), found[i], want[i])
			}
			if n, err := c.Numbers(t.Context(), sqlite.Filter{Outcome: want[i], CallID: call.CallID}, 0, 0); err != nil || len(n) != 1 {
				t.Errorf("%s is not found as %s: %v, %v", call.CallID, want[i], n, err)
			}
		}
	}
	append := func(entries ...app.Entry) {
		t.Helper()
		if err := log.Append(t.Context(), entries...); err != nil {
			t.Fatal(err)
		}
	}
	append(entry(app.RunBegan, "", app.RunBeganBody{}), entry(app.CallRequested, "c1", app.CallRequestedBody{Input: app.Value("1")}), entry(app.CallRequested, "c2", app.CallRequestedBody{Input: app.Value("2")}))
	outcomes(sqlite.Waiting, sqlite.Waiting)
	append(entry(app.RunEnded, "", app.RunEndedBody{Status: app.StatusError}))
	outcomes(sqlite.Rejected, sqlite.Rejected)
	append(entry(app.CallDecided, "c1", app.CallDecidedBody{Verdict: app.Reject, By: app.ByAborted}))
	outcomes(sqlite.Rejected, sqlite.Rejected)
}

func TestACatalogOfAnotherLogOrADamagedOneIsMadeAnew(t *testing.T) {
	at := filepath.Join(t.TempDir(), "calls")
	one, other := mixed(t, 20), mixed(t, 10)
	want := func(path string) int {
		return len(must(cataloged(t, path, "").Numbers(t.Context(), sqlite.Filter{}, 0, 0)))
	}
	for name, spoil := range map[string]func(){
		"of another log": func() {},
		"damaged": func() {
			if err := os.WriteFile(at, []byte(strings.Repeat("x", 5000)), 0o600); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{one, other, one} {
				reader, err := sqlite.OpenReader(path)
				if err != nil {
					t.Fatal(err)
				}
				c, err := sqlite.OpenCatalog(reader, at)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := c.Fill(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := len(must(c.Numbers(t.Context(), sqlite.Filter{}, 0, 0))); got != want(path) {
					t.Errorf("%d calls, want %d", got, want(path))
				}
				if err := c.Close(); err != nil {
					t.Fatal(err)
				}
				spoil()
			}
		})
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func TestAnOpenedExportIsReadAsALogAndVerifiesAsAnExport(t *testing.T) {
	path := mixed(t, 30)
	own := cataloged(t, path, "")
	for name, f := range map[string]sqlite.Filter{"whole": {}, "some": {Decision: "reject"}} {
		t.Run(name, func(t *testing.T) {
			var lines strings.Builder
			if err := own.Export(t.Context(), f, func(line []byte) error {
				lines.Write(append(line, '\n'))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "log.jsonl")
			if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			reader, err := sqlite.OpenExport(t.Context(), file)
			if err != nil {
				t.Fatal(err)
			}
			c := must(sqlite.OpenCatalog(reader, ""))
			defer c.Close()
			must(c.Fill(t.Context()))
			want := must(own.Numbers(t.Context(), f, 0, 0))
			if got := must(c.Numbers(t.Context(), f, 0, 0)); !slices.Equal(got, want) || len(want) == 0 {
				t.Errorf("%d calls, want %d", len(got), len(want))
			}
			// Nothing but the chosen calls is in it.
			if got := must(c.Numbers(t.Context(), sqlite.Filter{}, 0, 0)); !slices.Equal(got, want) {
				t.Errorf("%d calls in all, want %d", len(got), len(want))
			}
			if report := must(reader.VerifyTelling(t.Context(), "", nil)); report.State != sqlite.Consistent {
				t.Errorf("verifying: %+v", report)
			}
			key := must(sqlite.LoadKey(path + ".key")).Public()
			var told int64
			report := must(reader.VerifyTelling(t.Context(), key, func(done, total int64) { told = total }))
			if report.State != sqlite.Intact {
				t.Errorf("verifying with the key: %+v", report)
			}
			_ = told
		})
	}
}
