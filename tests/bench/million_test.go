package bench

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

const million = 1_000_000

// millionLog is one log for all benchmarks, since it takes a minute to write:
// runs of 125 calls, each read with an input of its own, every tenth failed.
var millionLog = sync.OnceValues(func() (string, error) {
	path := filepath.Join(folder, "million.db")
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		return "", err
	}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var waiting []<-chan error
	add := func(kind app.Kind, run, call, seq int, fn, body string) {
		e := app.Entry{At: at.Add(time.Duration(len(waiting)) * 20 * time.Millisecond), Kind: kind, RunID: fmt.Sprint("run-", run), Seq: seq, Fn: fn, Body: []byte(body)}
		if call > 0 {
			e.CallID = fmt.Sprintf("run-%d.%d", run, call)
		}
		waiting = append(waiting, log.AppendSoon(e))
	}
	began := time.Now()
	for i, run := 0, 0; len(waiting) < million; run++ {
		add(app.RunBegan, run, 0, 0, "", fmt.Sprintf(`{"request":"Look at the orders of customer %d","code":"return 1","model":"offline"}`, run))
		for call := 1; call <= 125; call++ {
			i++
			add(app.CallStarted, run, call, call, "orders.get", fmt.Sprintf(`{"digest":"5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9","input":{"id":%d,"note":"open order %d"},"marked":false}`, i, i%977))
			end := `{"ms":1.5,"value":{"id":7,"status":"open"}}`
			if i%10 == 0 {
				end = `{"error":{"message":"there is no such order","name":"FunctionFailed"},"ms":1}`
			}
			add(app.CallSettled, run, call, call, "orders.get", end)
		}
		add(app.RunEnded, run, 0, 0, "", `{"status":"ok"}`)
	}
	for _, w := range waiting {
		if err := <-w; err != nil {
			return "", err
		}
	}
	fmt.Printf("wrote %d entries at %.0f entries/s\n", len(waiting), float64(len(waiting))/time.Since(began).Seconds())
	return path, log.Close()
})

func openMillion(b *testing.B) *sqlite.Reader {
	b.Helper()
	path, err := millionLog()
	if err != nil {
		b.Fatal(err)
	}
	r, err := sqlite.OpenReader(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := r.Close(); err != nil {
			b.Error(err)
		}
	})
	return r
}

// The newest fifty calls of a log with a million entries, by what a person looks for.
func BenchmarkMillionFirstPage(b *testing.B) {
	for _, c := range []struct {
		name   string
		filter sqlite.Filter
		want   int
	}{
		{"all", sqlite.Filter{}, 50},
		{"function", sqlite.Filter{Fn: "orders.get"}, 50},
		{"family", sqlite.Filter{Fn: "orders.*"}, 50},
		{"one run", sqlite.Filter{RunID: "run-2000"}, 50},
		{"before a time", sqlite.Filter{Until: time.Date(2026, 1, 1, 2, 0, 0, 0, time.UTC)}, 50},
		{"text in one call", sqlite.Filter{Text: "123457"}, 1},
		{"text in five hundred calls", sqlite.Filter{Text: "open order 7"}, 50},
		{"text in every call", sqlite.Filter{Text: "open order"}, 50},
		{"text in one request", sqlite.Filter{Text: "customer 1234"}, 50},
		{"text of an error", sqlite.Filter{Text: "no such order"}, 50},
		{"text that is nowhere", sqlite.Filter{Text: "refund everything"}, 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := openMillion(b)
			c.filter.Limit = 50
			for b.Loop() {
				calls, err := r.Calls(b.Context(), c.filter)
				if err != nil || len(calls) != c.want {
					b.Fatal(len(calls), err)
				}
			}
		})
	}
}

func BenchmarkMillionVerify(b *testing.B) {
	r := openMillion(b)
	for b.Loop() {
		if report, err := r.Verify(b.Context()); err != nil || report.State != sqlite.Intact {
			b.Fatal(report, err)
		}
	}
	b.ReportMetric(float64(million*b.N)/b.Elapsed().Seconds(), "entries/s")
}
