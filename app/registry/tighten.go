package registry

import "github.com/faustine-ai/countersign/app"

// Tighten gives the functions again, every call of those that asks names being
// marked. It never unmarks one.
func Tighten(functions []*app.Function, asks func(name string) bool) []*app.Function {
	tightened := make([]*app.Function, len(functions))
	for i, f := range functions {
		tightened[i] = f
		if f != nil && f.Approval != app.ApprovalAlways && asks(f.Name) {
			marked := *f
			marked.Approval, marked.Marked = app.ApprovalAlways, nil
			tightened[i] = &marked
		}
	}
	return tightened
}
