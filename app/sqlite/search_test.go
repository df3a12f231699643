package sqlite_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// The newest calls with a common word are found by another road than all of them.
func TestTheNewestHitsAreTheLastOfAllHits(t *testing.T) {
	log := open(t, place(t))
	random := rand.New(rand.NewPCG(1, 2))
	var waiting []<-chan error
	add := func(e app.Entry) { waiting = append(waiting, log.AppendSoon(e)) }
	type call struct{ run, id string }
	var open []call
	for i := range 6000 {
		run := fmt.Sprint("run-", i/1000)
		if i%1000 == 0 {
			add(app.Entry{Kind: app.RunBegan, RunID: run, Body: body(t, app.RunBeganBody{Request: []string{"pears", "common apples"}[i/1000%2]})})
		}
		c := call{run, fmt.Sprint("c", i)}
		input := []string{`{"what":"common"}`, `{"what":"rare"}`}[random.IntN(2)]
		add(app.Entry{Kind: app.CallStarted, RunID: run, CallID: c.id, Seq: i + 1, Fn: "a.b", Body: body(t, app.CallStartedBody{Input: app.Value(input)})})
		open = append(open, c)
		for len(open) > 0 && random.IntN(3) > 0 { // some end long after they began
			j := random.IntN(len(open))
			add(app.Entry{Kind: app.CallSettled, RunID: open[j].run, CallID: open[j].id, Fn: "a.b", Body: body(t, app.CallSettledBody{Error: &app.Reason{Name: "E", Message: []string{"common", "odd"}[random.IntN(2)]}})})
			open = slices.Delete(open, j, j+1)
		}
	}
	for _, w := range waiting {
		if err := <-w; err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []sqlite.Filter{{Text: "common"}, {Text: "comm*"}, {Text: "common", RunID: "run-2"}, {Text: "common", Fn: "a.*"}} {
		all, err := log.Calls(t.Context(), f)
		if err != nil || len(all) < 100 {
			t.Fatalf("%d calls, %v", len(all), err)
		}
		for _, limit := range []int{1, 7, 50, 1500} {
			f.Limit = limit
			some, err := log.Calls(t.Context(), f)
			want := all[max(0, len(all)-limit):]
			if err != nil || !slices.EqualFunc(some, want, func(a, b sqlite.Call) bool { return a.Number == b.Number }) {
				t.Errorf("%+v: %d calls, %v; expected the last %d of all", f, len(some), err, len(want))
			}
		}
	}
}
