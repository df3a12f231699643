//go:build desktoptest

package desk

import (
	"fmt"
)

// Settles waits until the page has loaded what it loads behind its first paint, and
// so has asked what it asks by itself. Go delivers an answer that comes late with
// whichever call is open, be it the page's or a test's: each would take the other's.
func (d *Desk) Settles() {
	d.t.Helper()
	d.Do("eval", `
	  const loaded = () => performance.getEntriesByType('resource').length
	  let before = -1
	  for (let still = 0; still < 10; ) {
	    const now = loaded()
	    still = now === before ? still + 1 : 0
	    before = now
	    await new Promise((resolve) => setTimeout(resolve, 50))
	  }
	  return before`)
}

// OverTheBridge calls ops as the page's own script could, with its secret, and
// returns what was answered to each.
func (d *Desk) OverTheBridge(ops ...string) []string {
	d.t.Helper()
	d.Settles()
	var answers []string
	for i, op := range ops {
		raw := d.Do("eval", fmt.Sprintf(`
		  const secret = document.querySelector('meta[name=countersign-secret]').content
		  const id = %d
		  let out = JSON.parse(await window.go.bridge.Bridge.Call(JSON.stringify({ secret, submit: [{ id, ...%s }] })))
		  for (let i = 0; i < 100 && !out.refused && !(out.done ?? []).some((each) => each.id === id); i++)
		    out = JSON.parse(await window.go.bridge.Bridge.Call(JSON.stringify({ secret, submit: [] })))
		  return out.refused ?? out.done.find((each) => each.id === id)`, 900000+i+d.id*100, op))
		answers = append(answers, string(raw))
	}
	return answers
}
