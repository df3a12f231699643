// Package registry defines functions from Go types and finds them by name. It
// refuses what is unknown: a name, a schema, a definition that is wrong.
package registry

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/faustine-ai/countersign/app"
)

// Registry holds the functions of the app. It never changes once made, so a
// card, a log entry and an execution always mean the same definition.
type Registry struct {
	byName map[string]*app.Function
	all    []*app.Function // sorted by name
}

var _ app.Functions = (*Registry)(nil)

// New makes a registry. It refuses, naming each: a name that breaks the rules,
// one used twice, one that is also a prefix of another (orders and
// orders.list), and a definition with a defect.
func New(functions ...*app.Function) (*Registry, error) {
	r := &Registry{byName: make(map[string]*app.Function, len(functions))}
	var wrong []error
	for _, f := range functions {
		if err := checkFunction(f); err != nil {
			wrong = append(wrong, err)
			continue
		}
		if r.byName[f.Name] != nil {
			wrong = append(wrong, fmt.Errorf("function %s is defined twice; give one of them another name", f.Name))
			continue
		}
		held := *f // the caller cannot change it afterwards
		r.byName[f.Name] = &held
	}
	for _, name := range slices.Sorted(maps.Keys(r.byName)) {
		for prefix := parent(name); prefix != ""; prefix = parent(prefix) {
			if r.byName[prefix] != nil {
				wrong = append(wrong, fmt.Errorf("function %s: %s is a function too, so it cannot also hold functions; rename one", name, prefix))
			}
		}
		r.all = append(r.all, r.byName[name])
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	return r, nil
}

func parent(name string) string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i]
	}
	return ""
}

// Find returns the function with exactly this name.
func (r *Registry) Find(name string) (*app.Function, bool) {
	f, ok := r.byName[name]
	return f, ok
}

// All returns every function, sorted by name.
func (r *Registry) All() []*app.Function { return slices.Clone(r.all) }

func checkFunction(f *app.Function) error {
	switch {
	case f == nil:
		return errors.New("a function is nil")
	case CheckName(f.Name) != nil:
		return CheckName(f.Name)
	case f.Defect != nil:
		return fmt.Errorf("function %s: %w", f.Name, f.Defect)
	case f.Check == nil || f.Run == nil:
		return fmt.Errorf("function %s: Check and Run are required", f.Name)
	case len(f.Input) == 0 || len(f.Output) == 0:
		return fmt.Errorf("function %s: the JSON Schemas Input and Output are required; {} allows anything", f.Name)
	case f.Approval == app.ApprovalDepends && f.Marked == nil:
		return fmt.Errorf("function %s: approval depends on the input, so Marked is required", f.Name)
	case f.Approval != app.ApprovalNever && f.Approval != app.ApprovalAlways && f.Approval != app.ApprovalDepends:
		return fmt.Errorf("function %s: approval is %q; expected never, always or depends", f.Name, f.Approval)
	case f.Plural != "" && !strings.Contains(f.Plural, "{n}"):
		return fmt.Errorf("function %s: the plural title %q has no {n}", f.Name, f.Plural)
	}
	return nil
}
