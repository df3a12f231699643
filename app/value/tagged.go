package value

import (
	"crypto/rand"

	"github.com/faustine-ai/countersign/app"
)

// Tagged is a value inside a Go value that From writes: a struct's member that is
// a Date, bytes or undefined for the program. Everything else that From is given
// is data and never a tag.
type Tagged app.Value

// keptKey stands around a Tagged while it goes through JSON. It is chosen anew in
// each process, so that no data can pose as one.
var keptKey = "tagged " + rand.Text()

// MarshalJSON writes what From takes for a tagged value.
func (t Tagged) MarshalJSON() ([]byte, error) {
	if len(t) == 0 {
		t = Tagged(Undefined)
	}
	return []byte(`{"` + keptKey + `":` + string(t) + `}`), nil
}

// kept gives what a Tagged wrote, if the object is one.
func kept(node map[string]any) (any, bool) {
	inner, ok := node[keptKey]
	return inner, ok && len(node) == 1
}
