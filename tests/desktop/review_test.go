//go:build desktoptest

package desktop

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app/sqlite"
	"github.com/faustine-ai/countersign/tests/desk"
	"github.com/faustine-ai/countersign/tests/million"
)

// A log of a million entries takes half a minute to write; one test asks it
// everything, since how fast the answers come is no claim of a test. It is logged,
// and tests/bench measures it.
const reviewed = 1_000_000

// reviewer is the app on a large log, with its log in front.
type reviewer struct {
	*desk.Desk
	t *testing.T
}

// logOf puts a log where the app has its own.
func logOf(t *testing.T, d *desk.Desk, entries int) {
	t.Helper()
	path := d.DataFile("log.db")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := million.Write(path, entries); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(d.Dir, "state", "countersign")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"head", "key"} {
		if err := os.Rename(path+"."+name, filepath.Join(state, "log."+name)); err != nil {
			t.Fatal(err)
		}
	}
}

// asked runs script in the page and reads what it gives. The script may use
// await frames(() => whether it is there): it waits frame by frame, and gives how
// long that took and the longest time between two frames, in ms.
func (r *reviewer) asked(what, script string, into any) {
	r.t.Helper()
	raw := r.Do("eval", `
	  const frames = async (there) => {
	    const began = performance.now()
	    let last = began, longest = 0
	    for (;;) {
	      await new Promise(requestAnimationFrame)
	      const now = performance.now()
	      longest = Math.max(longest, now - last)
	      last = now
	      if (there()) return { waited: Math.round(now - began), longest: Math.round(longest) }
	      if (now - began > 50000) throw new Error('it is not there after 50 s: ' + there + ' ' + [...document.querySelectorAll('.review-failure')].map((each) => each.textContent).join(' | '))
	    }
	  }
	  const one = (at) => document.querySelector(at)
	  const rows = () => [...document.querySelectorAll('.review-row')].filter((row) => !row.querySelector('.review-unread'))
	  const counted = () => one('.review-counted strong')?.textContent ?? ''
	  const fill = (field, text) => {
	    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, text)
	    field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }))
	  }
	  const choose = (label, value) => fill(one('.review-filters [aria-label="' + label + '"]'), value)
	  const tab = (name) => [...document.querySelectorAll('[role=tab]')].find((each) => each.textContent === name).click();
	`+script)
	if err := json.Unmarshal(raw, into); err != nil {
		r.t.Fatalf("%s: %v in %s", what, err, raw)
	}
}

type waited struct {
	Waited, Longest int
	Count           string
	Rows            int
}

// waits does something, waits until the page shows it, and logs how long that took.
func (r *reviewer) waits(what, do, there string) waited {
	r.t.Helper()
	var w waited
	r.asked(what, do+`
	  const waited = await frames(() => `+there+`)
	  return { ...waited, Count: counted(), Rows: rows().length }`, &w)
	r.t.Logf("%s: there after %d ms, longest frame %d ms, %d rows, %s", what, w.Waited, w.Longest, w.Rows, w.Count)
	return w
}

// count is how many calls a filter chooses, told by another reader of the log.
func count(t *testing.T, path string, f sqlite.Filter) string {
	t.Helper()
	reader, err := sqlite.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := sqlite.OpenCatalog(reader, sqlite.CatalogFor(path))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	n, _, err := c.Survey(context.Background(), f, 100)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text + map[bool]string{true: " call", false: " calls"}[n == 1]
}

func TestAReviewerFindsWhatHappenedAmongAMillionEntries(t *testing.T) {
	export := filepath.Join(t.TempDir(), "chosen.jsonl")
	d := desk.At(t, t.TempDir(), "COUNTERSIGN_TEST_DIALOG="+export)
	d.TimeoutMs = 60_000
	logOf(t, d, reviewed)
	d.Start()
	r := &reviewer{d, t}
	path := d.DataFile("log.db")

	desk.Eventually(t, "the calls are listed", func() bool {
		return string(d.Do("eval", `
		  if (!document.querySelector('.review')) document.dispatchEvent(new KeyboardEvent('keydown', { key: 'l', code: 'KeyL', ctrlKey: true, bubbles: true }))
		  return document.querySelectorAll('.review-row').length > 5`)) == "true"
	})
	// Away and back: the calls are listed by now, so this is what opening costs.
	d.Do("eval", `document.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', code: 'KeyN', ctrlKey: true, bubbles: true })); return 1`)
	r.waits("first page", `document.dispatchEvent(new KeyboardEvent('keydown', { key: 'l', code: 'KeyL', ctrlKey: true, bubbles: true }))`, `rows().length > 5`)
	all := r.waits("count", ``, `!counted().startsWith('Counting')`)
	if want := count(t, path, sqlite.Filter{}); all.Count != want {
		t.Errorf("the page counts %s, want %s", all.Count, want)
	}

	t.Run("any place is a scroll away, and what is passed is forgotten", func(t *testing.T) {
		r.t = t
		for i := range 12 {
			w := r.waits(fmt.Sprintf("scroll to %d/12", i), fmt.Sprintf(`
			  const lane = one('.review-grid')
			  lane.scrollTop = lane.scrollHeight * %d / 12`, i), `rows().length > 5 && document.querySelectorAll('.review-unread').length === 0`)
			if w.Rows > 60 {
				t.Errorf("%d rows are kept in the page", w.Rows)
			}
		}
		var last string
		r.asked("the oldest", `
		  one('.review-grid').focus()
		  one('.review-grid').dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }))
		  await frames(() => rows().at(-1)?.getAttribute('aria-rowindex') === one('.review-grid').getAttribute('aria-rowcount'))
		  return rows().at(-1).querySelector('time').getAttribute('datetime')`, &last)
		if !strings.HasPrefix(last, "2026-01-05T08:00:0") {
			t.Errorf("the oldest call is of %s", last)
		}
		t.Logf("memory of the page's process: %s", memory(t, d))
	})
	t.Run("filters choose, and are counted exactly", func(t *testing.T) {
		r.t = t
		for _, c := range []struct {
			label, value string
			filter       sqlite.Filter
		}{
			{"Outcome", "refused", sqlite.Filter{Outcome: sqlite.Refused}},
			{"Outcome", "", sqlite.Filter{}},
			{"Function", "files.*", sqlite.Filter{Fn: "files.*"}},
			{"Decision", "reject", sqlite.Filter{Fn: "files.*", Decision: "reject"}},
			{"Model", "gpt-5.2", sqlite.Filter{Fn: "files.*", Decision: "reject", Model: "gpt-5.2"}},
		} {
			want := count(t, path, c.filter)
			r.waits(c.label+" "+c.value, fmt.Sprintf(`choose(%q, %q)`, c.label, c.value), `rows().length > 5`)
			r.waits("counted", ``, fmt.Sprintf(`counted() === %q`, want))
		}
	})
	t.Run("a text is found and marked", func(t *testing.T) {
		r.t = t
		d.Do("eval", `[...document.querySelectorAll('.review-counted button')].find((each) => each.textContent === 'Clear').click(); return 1`)
		r.waits("a rare text", `fill(one('.review-search input'), 'order 123457')`, `true`)
		r.waits("a text in one call", `fill(one('.review-search input'), '123457')`, `rows().length === 1 && one('mark')?.textContent === '123457'`)
		r.waits("a text in hundreds of thousands", `fill(one('.review-search input'), 'open order')`, `rows().length > 5 && one('mark')?.textContent === 'open order'`)
		r.waits("a text without its accents", `fill(one('.review-search input'), 'zoe muller 31')`, `one('mark')?.textContent === 'Zoë Müller 31'`)
	})
	t.Run("a call is shown in full, with its hashes", func(t *testing.T) {
		r.t = t
		r.waits("filter", `fill(one('.review-search input'), ''); choose('Outcome', 'unknown')`, `rows().length > 2 && rows()[0].className.includes('doubt')`)
		var said struct {
			Points, Entries []string
			Line            string
		}
		r.asked("detail", `
		  one('.review-grid').focus()
		  one('.review-grid').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
		  await frames(() => document.querySelectorAll('.review-entries li').length > 0)
		  const texts = (at) => [...document.querySelectorAll(at)].map((each) => each.textContent)
		  return { Points: texts('.review-point strong'), Entries: texts('.review-entry-kind'), Line: one('.faulty')?.textContent ?? '' }`, &said)
		if strings.Join(said.Points, ", ") != "Outcome unknown" || strings.Join(said.Entries, ", ") != "call.requested, call.decided, call.started" || !strings.Contains(said.Line, "sdk.orders.cancel") {
			t.Errorf("it says %+v", said)
		}
	})
	t.Run("what is found out is noted in the log", func(t *testing.T) {
		r.t = t
		r.waits("note", `
		  one('.review-note input[value="took effect"]').click()
		  await frames(() => !one('.review-note button').disabled)
		  fill(one('.review-note textarea'), 'the shop says so')
		  one('.review-note button').click()`, `one('.review-facts') && document.body.textContent.includes('noted: it took effect')`)
		d.Verifies()
	})
	t.Run("what is listed is exported, and opens read-only", func(t *testing.T) {
		r.t = t
		r.waits("filter", `choose('Outcome', 'refused')`, `rows().length > 5 && counted().endsWith('calls')`)
		listed := r.waits("counted", ``, `!counted().startsWith('Counting')`).Count
		r.waits("export", `
		  [...document.querySelectorAll('.review-counted button')].find((each) => each.textContent.includes('Export')).click()
		  await frames(() => one('.review-export button'))
		  one('.review-export button').click()`, `one('.review-done')`)
		if info, err := os.Stat(export); err != nil || info.Mode().Perm() != 0o600 {
			t.Fatalf("the export: %v", err)
		}
		r.waits("open", `[...document.querySelectorAll('.review-source button')].at(-1).click()`, `one('.review-banner')?.textContent.includes('Read-only') && rows().length > 5`)
		r.waits("counted", ``, fmt.Sprintf(`counted() === %q`, listed))
		answer := d.OverTheBridge(`{"op":"log.note","args":{"source":"1","id":1,"finding":"took effect","reason":""}}`)[0]
		if !strings.Contains(answer, "read-only") {
			t.Errorf("a note in it: %s", answer)
		}
		r.waits("verify", `
		  tab('Trust')
		  await frames(() => one('.review-trust .send'))
		  one('.review-trust .send').click()`, `one('.review-verdict-doubt h4')?.textContent.includes('consistent in itself')`)
		r.waits("close", `one('.review-banner button').click()`, `!one('.review-banner')`)
	})
	t.Run("the own log is whole, and its head compares", func(t *testing.T) {
		r.t = t
		r.waits("verify", `
		  tab('Trust')
		  await frames(() => one('.review-trust .send') && !one('.review-trust .send').disabled)
		  one('.review-trust .send').click()`, `one('.review-verdict-good h4')?.textContent === 'The log is whole and untouched'`)
		r.waits("compare", `
		  await frames(() => one('.review-head-note code'))
		  fill(one('.review-trust textarea'), one('.review-head-note strong').textContent.replaceAll(',', '') + ' ' + one('.review-head-note code').textContent)
		  await frames(() => !one('.review-trust form button').disabled)
		  one('.review-trust form button').click()`, `document.body.textContent.includes('The same head')`)
	})
	t.Run("pictures are drawn under the page's policy, each with its table", func(t *testing.T) {
		r.t = t
		var found struct {
			Pictures, Tables int
			Broken           []string
		}
		r.asked("pictures", `
		  const broken = []
		  document.addEventListener('securitypolicyviolation', (event) => broken.push(event.violatedDirective + ' ' + event.blockedURI))
		  tab('Pictures')
		  await frames(() => document.querySelectorAll('.review-picture svg.recharts-surface').length >= 4)
		  return { Pictures: document.querySelectorAll('.review-picture[role=img]').length, Tables: document.querySelectorAll('.review-chart table').length, Broken: broken }`, &found)
		if found.Pictures != 4 || found.Tables != 4 || len(found.Broken) > 0 {
			t.Errorf("found %+v", found)
		}
	})
	d.Close()
}

// memory tells what the page's process holds, by the system.
func memory(t *testing.T, d *desk.Desk) string {
	t.Helper()
	for _, pid := range d.WebProcesses() {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "VmRSS:") {
				return strings.Join(strings.Fields(line)[1:], " ")
			}
		}
	}
	return "not known"
}
