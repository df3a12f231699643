package app

import (
	"context"
	"encoding/json"
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
	Title       string
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
	// Run executes the call. It is given only inputs that passed Check.
	Run func(ctx context.Context, call Call) (Value, error)
}

// Functions finds functions by name. The registry implements it.
type Functions interface {
	// Find returns the function with exactly this name.
	Find(name string) (*Function, bool)
	// All returns every function, sorted by name.
	All() []*Function
}
