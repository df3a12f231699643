//go:build desktoptest

package app_test

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/tests/desk"
)

// bomb is a program that makes one call and then fills memory until it is ended.
const bomb = `await sdk.test.echo(1); const kept = []; for (;;) kept.push(new Uint8Array(32e6).fill(1))`

// A program that fills memory is ended by the shell; its run ends as limit, the
// app goes on, and the next program runs.
func TestBomb(t *testing.T) {
	row(t, "memory bomb", func(t *testing.T) result {
		d := open(t)
		ours := series{Name: "countersign", Kind: "ours", Samples: map[string][]float64{}}
		rounds := 3 // a fourth loss within a minute is not loaded again by itself
		if short() {
			rounds = 1
		}
		for range rounds {
			before := d.WebProcesses()
			began := time.Now()
			d.Do("eval", "return await window.bench.start("+strconv.Quote(bomb)+")")
			most := 0.0
			desk.Eventually(t, "the page's process has ended", func() bool {
				alive := false
				for until := time.Now().Add(40 * time.Millisecond); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
					alive = false
					for _, pid := range before {
						if now := residentMB(pid); now > 0 {
							alive, most = true, max(most, now)
						}
					}
				}
				return !alive
			})
			ours.add("s to its end", time.Since(began).Seconds())
			ours.add("MB at most", most)
			desk.Eventually(t, "the page is there again", func() bool {
				answer, failure := d.Ask("eval", "return await window.bench.ready()")
				return failure == "" && string(answer) == "true"
			})
			d.RunEnded("limit")
			d.Do("eval", `return await window.bench.start("return (await sdk.test.echo(7)) * 6")`)
			desk.Eventually(t, "the next program has run", func() bool {
				var last struct{ Status string }
				return json.Unmarshal(d.Do("eval", "return window.bench.last()"), &last) == nil && last.Status == "ok"
			})
		}
		d.Close()
		d.Verifies()
		if t.Failed() {
			return result{Failure: "the run did not end as limit, or the app did not go on", Series: []series{ours}}
		}
		return result{Series: []series{ours}, Facts: map[string]any{"ended as limit, of all": 1}}
	})
}

// residentMB is how much memory a process holds, in MB; 0 when it has ended.
func residentMB(pid int) float64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseFloat(fields[1], 64)
	return pages * float64(os.Getpagesize()) / 1e6
}
