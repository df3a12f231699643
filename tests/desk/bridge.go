//go:build desktoptest

package desk

import (
	"fmt"
)

// OverTheBridge calls ops as the page's own script could, with its secret, and
// returns what was answered to each.
func (d *Desk) OverTheBridge(ops ...string) []string {
	d.t.Helper()
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
