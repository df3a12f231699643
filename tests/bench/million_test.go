package bench

import (
	"testing"

	"github.com/faustine-ai/countersign/app/sqlite"
)

func BenchmarkMillionVerify(b *testing.B) {
	path, err := varied()
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
	var entries int64
	for b.Loop() {
		report, err := r.Verify(b.Context())
		if err != nil || report.State != sqlite.Intact {
			b.Fatal(report, err)
		}
		entries += report.Entries
	}
	b.ReportMetric(float64(entries)/b.Elapsed().Seconds(), "entries/s")
}
