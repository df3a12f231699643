package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app/review"
	"github.com/faustine-ai/countersign/app/sqlite"
	"github.com/faustine-ai/countersign/tests/million"
)

// varied is a log of a million entries of all kinds; COUNTERSIGN_MILLION names a
// file that keeps it from one time to the next.
var varied = sync.OnceValues(func() (string, error) {
	path := os.Getenv("COUNTERSIGN_MILLION")
	if path == "" {
		path = filepath.Join(folder, "varied.db")
	} else if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	began := time.Now()
	err := million.Write(path, 1_000_000)
	fmt.Printf("wrote a varied log in %.0f s\n", time.Since(began).Seconds())
	return path, err
})

var catalog = sync.OnceValues(func() (*sqlite.Catalog, error) {
	path, err := varied()
	if err != nil {
		return nil, err
	}
	reader, err := sqlite.OpenReader(path)
	if err != nil {
		return nil, err
	}
	return sqlite.OpenCatalog(reader, filepath.Join(folder, "varied.calls"))
})

func openCatalog(b *testing.B) *sqlite.Catalog {
	b.Helper()
	c, err := catalog()
	if err != nil {
		b.Fatal(err)
	}
	if _, err := c.Fill(b.Context()); err != nil {
		b.Fatal(err)
	}
	return c
}

func BenchmarkReviewFill(b *testing.B) {
	path, err := varied()
	if err != nil {
		b.Fatal(err)
	}
	for _, own := range []bool{true, false} {
		b.Run(map[bool]string{true: "own log", false: "a copy, with a search index"}[own], func(b *testing.B) {
			for b.Loop() {
				reader, err := sqlite.OpenReader(path)
				if err != nil {
					b.Fatal(err)
				}
				at := ""
				if own {
					at = filepath.Join(b.TempDir(), "fill.calls")
				}
				c, err := sqlite.OpenCatalog(reader, at)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := c.Fill(b.Context()); err != nil {
					b.Fatal(err)
				}
				if err := c.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// questions are what a reviewer asks a log of a million entries.
var questions = []struct {
	name   string
	filter sqlite.Filter
}{
	{"all", sqlite.Filter{}},
	{"function", sqlite.Filter{Fn: "orders.get"}},
	{"family", sqlite.Filter{Fn: "orders.*"}},
	{"rejected", sqlite.Filter{Decision: "reject"}},
	{"by policy", sqlite.Filter{Decider: "policy"}},
	{"undecided", sqlite.Filter{Decision: sqlite.Undecided}},
	{"failed", sqlite.Filter{Outcome: sqlite.Failed}},
	{"unknown", sqlite.Filter{Outcome: sqlite.Unknown}},
	{"waiting", sqlite.Filter{Outcome: sqlite.Waiting}},
	{"model", sqlite.Filter{Model: "gpt-5.2"}},
	{"one run", sqlite.Filter{RunID: "run-02000"}},
	{"before a time", sqlite.Filter{Until: million.Begin.Add(24 * time.Hour)}},
	{"one old day", sqlite.Filter{Since: million.Begin.Add(48 * time.Hour), Until: million.Begin.Add(72 * time.Hour)}},
	{"rare together", sqlite.Filter{Fn: "orders.get", Outcome: sqlite.Failed, Model: "gpt-5.2", Until: million.Begin.Add(24 * time.Hour)}},
	{"text in one call", sqlite.Filter{Text: "123457"}},
	{"text in five hundred calls", sqlite.Filter{Text: "open order 7"}},
	{"text in every call", sqlite.Filter{Text: "open order"}},
	{"text in one request", sqlite.Filter{Text: "customer 1234"}},
	{"text of an error", sqlite.Filter{Text: "no such order"}},
	{"text and rejected", sqlite.Filter{Text: "customer*", Decision: "reject"}},
	{"text that is nowhere", sqlite.Filter{Text: "refund everything"}},
}

func BenchmarkReviewFirstPage(b *testing.B) {
	for _, q := range questions {
		b.Run(q.name, func(b *testing.B) {
			c := openCatalog(b)
			for b.Loop() {
				numbers, err := c.Numbers(b.Context(), q.filter, 0, 100)
				if err == nil {
					_, err = c.Rows(b.Context(), numbers, 400)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReviewMiddlePage(b *testing.B) {
	for _, q := range questions {
		b.Run(q.name, func(b *testing.B) {
			c := openCatalog(b)
			for b.Loop() {
				numbers, err := c.Numbers(b.Context(), q.filter, 500_000, 100)
				if err == nil {
					_, err = c.Rows(b.Context(), numbers, 400)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReviewCount(b *testing.B) {
	for _, q := range questions {
		b.Run(q.name, func(b *testing.B) {
			c := openCatalog(b)
			for b.Loop() {
				if _, _, err := c.Survey(b.Context(), q.filter, 100); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReviewExport(b *testing.B) {
	for _, q := range questions {
		switch q.name {
		case "rejected", "one run", "one old day", "unknown":
			b.Run(q.name, func(b *testing.B) {
				c := openCatalog(b)
				lines := 0
				for b.Loop() {
					if err := c.Export(b.Context(), q.filter, func([]byte) error { lines++; return nil }); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(lines)/b.Elapsed().Seconds(), "lines/s")
			})
		}
	}
}

func BenchmarkReviewStats(b *testing.B) {
	for _, q := range questions {
		switch q.name {
		case "all", "function", "rejected", "one old day", "text of an error":
			b.Run(q.name, func(b *testing.B) {
				c := openCatalog(b)
				for b.Loop() {
					if _, err := review.Count(b.Context(), c, q.filter); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
