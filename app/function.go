package app

import (
	"context"
	"encoding/json"
	"fmt"
)

// Approval says when calls of a function need a person's approval.
type Approval string

const (
	ApprovalNever   Approval = "never"   // no call is marked
	ApprovalAlways  Approval = "always"  // every call is marked
	ApprovalDepends Approval = "depends" // decided from the input of each call
)

// Function is a capability that the host defines. Its name is dotted
// (orders.cancel); title and description are what cards and prompts show, so
// they come from here and never from a program.
type Function struct {
	Name        string
	Title       string // one call on a card: “Cancel an order”
	Plural      string // several: “Cancel {n} orders”; empty: “Cancel an order (3 calls)”
	Description string
	Approval    Approval
	Input       json.RawMessage // JSON Schema of the input
	Output      json.RawMessage // JSON Schema of the result

	// Check validates an input against the schema. Its error is an *Error with
	// code InvalidInput that names the path inside the value.
	Check func(input Value) error
	// Marked decides whether a call with this (valid) input is marked. An error
	// means marked: what cannot be judged is not let through.
	Marked func(input Value) (bool, error)
	// Row words a call for its row on a card, from its (valid) input and what the
	// host knows of it: “Order 1042 · Ada Lovelace · $129.00”. nil or "": the input
	// speaks for itself. The card shows the exact input beside it all the same.
	Row func(ctx context.Context, input Value) string
	// Run executes the call. It is given only inputs that passed Check.
	Run func(ctx context.Context, call Call) (Value, error)

	// SecretInput and SecretOutput give the parts of an input or result that its
	// schema marks secret, as JSON pointers into the value. nil: none.
	SecretInput, SecretOutput func(Value) []string

	// Defect says why the definition is wrong; the registry refuses it.
	Defect error
}

// Judge checks an input and says whether a call with it is marked. Gate and
// dispatch both ask here, so that they can never disagree. It fails closed: an
// input that is not valid comes back as marked with the error, and a predicate
// that errs or panics marks.
func (f *Function) Judge(input Value) (marked bool, err error) {
	if err := f.check(input); err != nil {
		return true, err
	}
	switch f.Approval {
	case ApprovalNever:
		return false, nil
	case ApprovalDepends:
		return f.marked(input), nil
	default:
		return true, nil
	}
}

// JudgeAlso is Judge for a function that a run has had since it began, where now is
// what the name stands for today: nil, the same, or another definition. What is
// marked today is marked, so that a person who has functions ask more often is
// heard at once. What is no longer marked stays so for this run.
func (f *Function) JudgeAlso(now *Function, input Value) (marked bool, err error) {
	marked, err = f.Judge(input)
	if marked || err != nil || now == nil || now == f {
		return marked, err
	}
	marked, _ = now.Judge(input) // an input that fits it no more is marked
	return marked, nil
}

func (f *Function) check(input Value) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Error{Code: InvalidInput, Cause: fmt.Errorf("panic: %v", p),
				Message: "checking the input of " + f.Name + " failed unexpectedly; nothing was run"}
		}
	}()
	return f.Check(input)
}

func (f *Function) marked(input Value) (marked bool) {
	defer func() {
		if recover() != nil {
			marked = true
		}
	}()
	marked, err := f.Marked(input)
	return marked || err != nil
}

// InputSecrets are the parts of an entry's body that must not be stored as they
// are, when its member input holds this input. The digest is one of them, or a
// short secret could be guessed from it.
func (f *Function) InputSecrets(input Value) []string {
	if f == nil || f.SecretInput == nil {
		return nil
	}
	return within("/input", f.SecretInput(input))
}

// OutputSecrets is the same for a body whose member value holds this result.
func (f *Function) OutputSecrets(result Value) []string {
	if f == nil || f.SecretOutput == nil {
		return nil
	}
	return within("/value", f.SecretOutput(result))
}

func within(member string, parts []string) []string {
	if len(parts) == 0 {
		return nil
	}
	pointers := make([]string, len(parts), len(parts)+1)
	for i, p := range parts {
		pointers[i] = member + p
	}
	return append(pointers, "/digest")
}

// Functions finds functions by name. The registry implements it.
type Functions interface {
	// Find returns the function with exactly this name.
	Find(name string) (*Function, bool)
	// All returns every function, sorted by name.
	All() []*Function
}

// Changing are functions whose list changes while the app runs, as when the person
// adds a server. A run keeps the list that it began with.
type Changing interface {
	Functions
	// Now returns the list as it is, which does not change any more.
	Now() Functions
}

// Now is the list of functions as it is.
func Now(functions Functions) Functions {
	if changing, ok := functions.(Changing); ok {
		return changing.Now()
	}
	return functions
}
