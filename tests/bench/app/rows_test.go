//go:build desktoptest

package app_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
)

// page builds the bench's page once.
func page(t *testing.T) string {
	t.Helper()
	if folder := os.Getenv("COUNTERSIGN_BENCH_PAGE"); folder != "" {
		return folder
	}
	folder := t.TempDir()
	if out, err := exec.Command("node", "bundle.mjs", folder).CombinedOutput(); err != nil {
		t.Fatalf("building the page: %v\n%s", err, out)
	}
	return folder
}

// open starts the real program with the bench's page in place of its own.
func open(t *testing.T, env ...string) *desk.Desk {
	t.Helper()
	d := desk.At(t, t.TempDir(), append(env, "COUNTERSIGN_TEST_PAGE="+page(t))...)
	d.Launch()
	d.Connect()
	if got := string(d.Do("eval", "return await window.bench.ready()")); got != "true" {
		t.Fatalf("the bench's page is not ready: %s", got)
	}
	return d
}

// The rows that a program makes in the page, each against its floor.
func TestRows(t *testing.T) {
	d := open(t, "COUNTERSIGN_TEST_DECIDE=approve")
	for _, r := range []struct {
		name           string
		rounds, budget int // budget in ms
	}{
		{"call to Go and back", 12, 8000},
		{"500 calls at once to Go", 10, 8000},
		{"what logging adds", 20, 9000},
		{"20 MB from Go", 6, 15000},
		{"sixteen approved writes", 12, 6000},
	} {
		row(t, r.name, func(t *testing.T) result {
			if short() {
				r.rounds, r.budget = 1, 200
			}
			d.TimeoutMs = r.budget + 30000
			answer, failure := d.Ask("eval", fmt.Sprintf("return await window.bench.row(%q, { rounds: %d, budgetMs: %d, short: %t })", r.name, r.rounds, r.budget, short()))
			if failure != "" {
				return result{Failure: failure}
			}
			var measured result
			if err := json.Unmarshal(answer, &measured); err != nil {
				return result{Failure: err.Error()}
			}
			return measured
		})
	}
	d.Close()
	d.Verifies()
}
