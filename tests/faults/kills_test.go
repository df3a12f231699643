//go:build desktoptest

package faults

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
	"github.com/faustine-ai/countersign/tests/desk"
)

// The kill campaign: the real program works on sixteen approved calls and is
// killed at a random moment, again and again, on one log. Each start is the
// restart after the kill before it. COUNTERSIGN_KILLS says how often (make kills:
// 200).
func TestAKilledProgramLosesNoDecisionAndRepeatsNoCall(t *testing.T) {
	t.Parallel() // it needs no focus
	rounds := 10
	if text := os.Getenv("COUNTERSIGN_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("COUNTERSIGN_KILLS: %v", err)
		}
		rounds = n
	}
	d := desk.At(t, t.TempDir(), "COUNTERSIGN_TEST_DECIDE=approve", "COUNTERSIGN_TEST_PAUSE=8")
	d.Start()
	d.Close()
	c := &campaign{desk: d, t: t, fates: map[string]int{}}
	c.witness()
	d.Env = append(d.Env, "COUNTERSIGN_TEST_SCENE=sixteen")
	for round := range rounds {
		c.reset()
		d.Launch()
		when := c.moment(round)
		d.Kill()
		c.check(fmt.Sprintf("round %d, killed %s", round+1, when))
		if t.Failed() {
			return
		}
	}
	// The last restart, and an end without a kill.
	c.reset()
	d.Env = append(d.Env, "COUNTERSIGN_TEST_SCENE=")
	d.Start()
	d.Close()
	c.check("after the last restart")
	if rounds >= 10 && (c.fates["executed"] == 0 || c.fates["killed between calls or in one"] == 0) {
		t.Errorf("no kill met a batch: %v", c.fates)
	}
	t.Logf("%d kills: %v", rounds, c.fates)
}

type campaign struct {
	t       *testing.T
	desk    *desk.Desk
	checked int64          // the last entry of earlier rounds
	fates   map[string]int // what the kills met
}

func (c *campaign) store() *sql.DB {
	c.t.Helper()
	db, err := sql.Open("sqlite3", "file:"+c.desk.DataFile("orders.db")+"?_busy_timeout=5000")
	if err != nil {
		c.t.Fatal(err)
	}
	return db
}

func (c *campaign) exec(statements ...string) {
	c.t.Helper()
	db := c.store()
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			c.t.Fatalf("%s: %v", s, err)
		}
	}
}

// witness makes the store note each cancelling in the transaction that does it.
func (c *campaign) witness() {
	c.exec(`CREATE TABLE executions (id INTEGER)`,
		`CREATE TRIGGER witness AFTER UPDATE OF status ON orders WHEN NEW.status = 'cancelled' BEGIN INSERT INTO executions VALUES (NEW.id); END`)
}

// reset opens all orders again, so that every round has sixteen.
func (c *campaign) reset() {
	c.exec(`UPDATE orders SET status = 'open' WHERE status = 'cancelled'`, `DELETE FROM executions`)
}

// executed counts what the store has done in this round, by order.
func (c *campaign) executed() map[int64]int {
	c.t.Helper()
	db := c.store()
	defer db.Close()
	rows, err := db.Query(`SELECT id, count(*) FROM executions GROUP BY id`)
	if err != nil {
		c.t.Fatal(err)
	}
	defer rows.Close()
	counts := map[int64]int{}
	for rows.Next() {
		var id int64
		var n int
		if err := rows.Scan(&id, &n); err != nil {
			c.t.Fatal(err)
		}
		counts[id] = n
	}
	return counts
}

// moment waits for a random one: anywhere from the start on, in the run before
// anything is decided, or in the batch.
func (c *campaign) moment(round int) string {
	c.t.Helper()
	delay := func(most int) time.Duration { return time.Duration(rand.IntN(most*1000)) * time.Microsecond }
	pause := func(d time.Duration) { time.Sleep(d) } // the moment is what is random
	switch round % 4 {
	case 0:
		after := delay(3000)
		pause(after)
		return fmt.Sprintf("%v after its start", after)
	case 1:
		c.until(func() bool { return c.newEntries(app.RunBegan) > 0 })
		after := delay(150)
		pause(after)
		return fmt.Sprintf("%v after the run began", after)
	default:
		n := 1 + rand.IntN(16)
		c.until(func() bool { return c.newEntries(app.CallStarted) > n }) // one of them is the list
		after := delay(12)
		pause(after)
		return fmt.Sprintf("%v after call %d started", after, n)
	}
}

// until polls closely: the batch takes a fraction of a second.
func (c *campaign) until(holds func() bool) {
	c.t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(60 * time.Second); !holds(); {
		select {
		case <-tick.C:
		case <-c.desk.Exited:
			c.t.Fatalf("the program ended by itself:\n%s", c.desk.Output)
		case <-late:
			c.t.Fatalf("the run did not come so far within a minute:\n%s", c.desk.Output)
		}
	}
}

// newEntries counts entries of this round. Each time it opens the log anew, or the
// kill would not be that of the last process that has it open.
func (c *campaign) newEntries(kind app.Kind) (n int) {
	c.t.Helper()
	for _, e := range c.entries() {
		if e.Number > c.checked && e.Kind == kind {
			n++
		}
	}
	return n
}

func (c *campaign) entries() []app.Entry {
	c.t.Helper()
	r, err := sqlite.OpenReader(c.desk.DataFile("log.db"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer r.Close()
	list, err := r.Entries(c.t.Context(), sqlite.Filter{})
	if err != nil {
		c.t.Fatal(err)
	}
	return list
}

// fate is what the log has about one marked call.
type fate struct {
	order                                 int64
	requested, approved, started, settled int
	ok                                    bool
}

func (c *campaign) check(when string) {
	c.t.Helper()
	if out, err := c.desk.Command("log", "verify"); err != nil {
		c.t.Errorf("%s: log verify: %v\n%s", when, err, out)
		return
	}
	all := c.entries()
	fates, ended, last := map[string]*fate{}, map[string]app.RunEndedBody{}, map[string]app.Kind{}
	fresh := map[string]bool{} // runs of this round
	for _, e := range all {
		if e.RunID == "" {
			continue
		}
		if _, over := ended[e.RunID]; over {
			c.t.Errorf("%s: entry %d, %s, stands behind the end of its run", when, e.Number, e.Kind)
		}
		last[e.RunID] = e.Kind
		id := e.RunID + " " + e.CallID
		switch {
		case e.Kind == app.RunBegan:
			fresh[e.RunID] = e.Number > c.checked
		case e.Kind == app.RunEnded:
			var body app.RunEndedBody
			c.read(e, &body)
			ended[e.RunID] = body
		case e.Fn == "orders.cancel":
			if fates[id] == nil {
				fates[id] = &fate{}
			}
			c.note(e, fates[id])
		}
	}
	c.tell(when, fates, fresh)
	// A start that is killed before it opened the log has ended nothing yet.
	latest := c.checked
	if len(all) > 0 {
		latest = all[len(all)-1].Number
	}
	restarted := latest > c.checked
	for run, kind := range last {
		body, over := ended[run]
		if restarted && !over && !fresh[run] && kind != app.RunSuspended {
			c.t.Errorf("%s: the run %s of an earlier round has neither ended nor does it wait: %s", when, run, kind)
		}
		unknown := 0
		for id, f := range fates {
			if strings.HasPrefix(id, run+" ") && f.started > f.settled {
				unknown++
				if over && !slices.Contains(body.Unknown, strings.TrimPrefix(id, run+" ")) {
					c.t.Errorf("%s: call %s may have run, and the end of its run does not say so", when, id)
				}
			}
		}
		if unknown > 1 || over && len(body.Unknown) > 1 {
			c.t.Errorf("%s: %d calls of the run %s are outcome unknown: %v", when, unknown, run, body.Unknown)
		}
	}
	c.checked = latest
}

func (c *campaign) note(e app.Entry, f *fate) {
	c.t.Helper()
	switch e.Kind {
	case app.CallRequested:
		var body struct{ Input struct{ ID int64 } }
		c.read(e, &body)
		f.requested, f.order = f.requested+1, body.Input.ID
	case app.CallDecided:
		var body app.CallDecidedBody
		c.read(e, &body)
		if body.Verdict == app.Approve {
			f.approved++
		}
	case app.CallStarted:
		if f.requested != 1 || f.approved != 1 {
			c.t.Errorf("entry %d: a call started with %d requests and %d approvals before it", e.Number, f.requested, f.approved)
		}
		f.started++
	case app.CallSettled:
		var body app.CallSettledBody
		c.read(e, &body)
		f.settled, f.ok = f.settled+1, body.Error == nil
	}
}

func (c *campaign) read(e app.Entry, body any) {
	c.t.Helper()
	if err := json.Unmarshal(e.Body, body); err != nil {
		c.t.Fatalf("entry %d: %v", e.Number, err)
	}
}

// tell compares the log with the store: each order that was cancelled has a call
// that ran, or that may have run; each call that ended ok has cancelled its order.
func (c *campaign) tell(when string, fates map[string]*fate, fresh map[string]bool) {
	c.t.Helper()
	executed := c.executed()
	claimed := map[int64]bool{}
	requested, started, settled := 0, 0, 0
	for id, f := range fates {
		if f.started > 1 || f.settled > 1 || f.approved > 1 || f.settled > f.started {
			c.t.Errorf("%s: the call %s: %+v", when, id, *f)
		}
		if f.settled == 1 && !f.ok {
			c.t.Errorf("%s: the call %s failed, though its order was open", when, id)
		}
		if run, _, _ := strings.Cut(id, " "); !fresh[run] {
			continue
		}
		requested, started, settled = requested+f.requested, started+f.started, settled+f.settled
		if f.started == 1 {
			claimed[f.order] = true
		}
		if f.ok && executed[f.order] != 1 {
			c.t.Errorf("%s: the log says that order %d was cancelled, and the store did it %d times", when, f.order, executed[f.order])
		}
	}
	for order, n := range executed {
		if n != 1 || !claimed[order] {
			c.t.Errorf("%s: the store cancelled order %d %d times; in the log: %v", when, order, n, claimed[order])
		}
	}
	c.fates["executed"] += len(executed)
	switch {
	case len(fresh) == 0 || !slices.Contains(slices.Collect(maps.Values(fresh)), true):
		c.fates["killed before a run"]++
	case requested == 0:
		c.fates["killed before a request"]++
	case started == 0:
		c.fates["killed before a call"]++
	case settled < 16:
		c.fates["killed between calls or in one"]++
	default:
		c.fates["killed after the batch"]++
	}
	if started > settled {
		c.fates["outcome unknown"]++
	}
}
