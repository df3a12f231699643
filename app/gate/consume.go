package gate

import "github.com/faustine-ai/countersign/app"

// key is what an approval is bound to.
type key struct {
	seq    int
	fn     string
	digest app.Digest
}

func keyOf(call app.Call) key { return key{call.Seq, call.Fn, call.Input.Digest()} }

// Consume takes the unused approval for exactly this call: its run, seq,
// function and canonical input. It can be taken once. The decision's own Call
// is what was shown, and what must be executed.
func (g *Gate) Consume(call app.Call) (app.Decision, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.runs[call.RunID]
	if r == nil || !r.on {
		return app.Decision{}, notOn(call.RunID)
	}
	decision, ok := r.approved[keyOf(call)]
	if !ok {
		return app.Decision{}, app.Errorf(app.ApprovalRequired, "%s needs a person's approval, and there is no unused approval for call %d with this input; it did not run", call.Fn, call.Seq)
	}
	delete(r.approved, keyOf(call))
	return decision, nil
}
