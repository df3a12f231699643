package app

import (
	"context"
	"encoding/json"
)

// Operation is something the page may ask for beside what a run needs: to read
// settings, to list the log. The bridge carries it; whoever owns the data offers it.
type Operation struct {
	Name string // dotted, as the page asks for it: “settings.read”
	// Do reads its arguments with operation.Args and returns what encoding/json
	// takes. An *Error reaches the page with its code and message; any other error
	// is shown as internal. ctx ends when the request is cancelled, when the page
	// is loaded anew, and when the app quits.
	Do func(ctx context.Context, args json.RawMessage) (any, error)
}
