package sqlite_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

func benchLog(b *testing.B) *sqlite.Log {
	b.Helper()
	log, err := sqlite.Open(filepath.Join(b.TempDir(), "log.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := log.Close(); err != nil {
			b.Error(err)
		}
	})
	return log
}

func benchEntry(i int) app.Entry {
	return app.Entry{Kind: app.CallStarted, RunID: "6656a7aa6b45", CallID: fmt.Sprint("c", i), Seq: i + 1, Fn: "orders.get",
		Body: json.RawMessage(`{"digest":"5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9","input":{"id":1042,"reason":"Open order over $100 from last week"},"marked":false}`)}
}

// One after the other, each on disk before the next: what a marked call waits for.
func BenchmarkAppend(b *testing.B) {
	log := benchLog(b)
	for i := 0; b.Loop(); i++ {
		if err := log.Append(b.Context(), benchEntry(i)); err != nil {
			b.Fatal(err)
		}
	}
}

// Many at once: group commit.
func BenchmarkAppendSoon(b *testing.B) {
	log := benchLog(b)
	const inFlight = 256
	var waiting []<-chan error
	for i := 0; b.Loop(); i++ {
		waiting = append(waiting, log.AppendSoon(benchEntry(i)))
		if len(waiting) == inFlight {
			for _, w := range waiting {
				if err := <-w; err != nil {
					b.Fatal(err)
				}
			}
			waiting = waiting[:0]
		}
	}
	for _, w := range waiting {
		if err := <-w; err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}

func BenchmarkVerify(b *testing.B) {
	const entries = 50_000
	log := benchLog(b)
	var waiting []<-chan error
	for i := range entries {
		waiting = append(waiting, log.AppendSoon(benchEntry(i)))
	}
	for _, w := range waiting {
		if err := <-w; err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if report, err := log.Verify(b.Context()); err != nil || report.State != sqlite.Intact {
			b.Fatal(report, err)
		}
	}
	b.ReportMetric(float64(entries*b.N)/b.Elapsed().Seconds(), "entries/s")
}
