package bridge

import (
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/faustine-ai/countersign/app"
)

const (
	// firstRefusals are logged one by one; then one entry a minute says how many
	// came, so that a flood cannot fill the log.
	firstRefusals  = 10
	refusalsPeriod = time.Minute
)

// refusals counts and logs calls that came without the secret.
type refusals struct {
	log app.Log
	now func() time.Time

	mu     sync.Mutex
	total  int64
	told   int64 // of total, how many the log knows
	lastAt time.Time
}

func newRefusals(log app.Log, now func() time.Time) *refusals { return &refusals{log: log, now: now} }

// add notes a refused call. It does not wait for the log: the caller is refused
// anyway, and must not learn how busy we are.
func (r *refusals) add(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total++
	if r.total > firstRefusals && r.now().Sub(r.lastAt) < refusalsPeriod {
		return
	}
	r.write(what)
}

// flush logs how many came since the last entry.
func (r *refusals) flush() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.total > r.told {
		r.write("more of the same")
	}
}

func (r *refusals) write(what string) {
	now := r.now()
	body, err := json.Marshal(app.CallRefusedBody{Code: app.Unauthorized, Count: r.total - r.told,
		Message: what + " was refused; nothing ran. Something other than the page tried to call the app"})
	if err != nil {
		panic("bridge: a body cannot fail to marshal: " + err.Error())
	}
	r.told, r.lastAt = r.total, now
	written := r.log.AppendSoon(app.Entry{At: now, Kind: app.CallRefused, Body: body})
	go func() {
		if err := <-written; err != nil {
			slog.Error("a refused call could not be logged", "error", err)
		}
	}()
}
