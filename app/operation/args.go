// Package operation reads what the page sends along with an operation.
package operation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gowebpki/jcs"

	"github.com/faustine-ai/countersign/app"
)

// Args reads the arguments of an operation: one JSON object with no member that
// T does not name. Text that is logged or shown must be whole: encoding/json would
// repair lone surrogates and let the last of two equal keys win, so jcs looks first.
// The error is a BadRequest that names the operation.
func Args[T any](name string, raw json.RawMessage) (T, error) {
	var a T
	if len(raw) == 0 {
		return a, app.Errorf(app.BadRequest, "%s: args are missing", name)
	}
	if _, err := jcs.Transform(raw); err != nil {
		return a, Bad(name+": args", err)
	}
	if err := Strict(raw, &a); err != nil {
		return a, Bad(name+": args", err)
	}
	return a, nil
}

// None is the arguments of an operation that takes none: {}.
type None struct{}

// Strict reads one JSON value and refuses unknown members and what follows.
func Strict(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("text follows the value")
	}
	return nil
}

// Bad is the BadRequest of something that cannot be read.
func Bad(what string, err error) error {
	return &app.Error{Code: app.BadRequest, Cause: err, Message: fmt.Sprintf("%s cannot be read: %.200s", what, err)}
}
