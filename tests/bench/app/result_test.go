//go:build desktoptest

package app_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"
)

// result is one row as bench.mjs reads it.
type result struct {
	Row     string         `json:"row"`
	Engine  string         `json:"engine"`
	Took    int64          `json:"took"` // ms
	Series  []series       `json:"series,omitempty"`
	Facts   map[string]any `json:"facts,omitempty"`
	Failure string         `json:"failure,omitempty"`
}

type series struct {
	Name    string               `json:"name"`
	Kind    string               `json:"kind"` // ours, floor
	Samples map[string][]float64 `json:"samples"`
	Failure string               `json:"failure,omitempty"`
}

// short is a run that proves that everything can be measured; its times mean nothing.
func short() bool { return os.Getenv("COUNTERSIGN_BENCH_SHORT") != "" }

// row measures one row and prints it, whatever becomes of it.
func row(t *testing.T, name string, measure func(t *testing.T) result) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		began := time.Now()
		r := result{Failure: "it ended without a result; the test's output says why"}
		defer func() {
			r.Row, r.Engine, r.Took = name, "app", time.Since(began).Milliseconds()
			text, err := json.Marshal(r)
			if err != nil {
				t.Error(err)
			}
			fmt.Printf("\nBENCH %s\n", text)
		}()
		r = measure(t)
		for _, s := range r.Series {
			if s.Failure != "" {
				t.Errorf("%s: %s", s.Name, s.Failure)
			}
		}
		if r.Failure != "" {
			t.Error(r.Failure)
		}
	})
}
