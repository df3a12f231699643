package registry

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/faustine-ai/countersign/app"
)

// Foreign makes a function whose input is described by a JSON Schema that comes
// from elsewhere, such as another process, and not by a Go type. run gets inputs
// that fit it, as plain JSON: a Date is RFC 3339 text, bytes are base64 text. An
// input that is undefined counts as an object without members. References to
// other documents are refused: nothing is fetched.
func Foreign(name string, schema json.RawMessage, run func(context.Context, json.RawMessage) (app.Value, error), options ...Option) *app.Function {
	d := &definition{}
	d.Name, d.Approval, d.Output = name, app.ApprovalNever, json.RawMessage(`{}`)
	for _, option := range options {
		option(d)
	}
	if d.Title == "" {
		d.Title = name
	}
	f := d.Function
	input, err := foreignShape(schema)
	if err != nil {
		f.Defect = err
		return &f
	}
	if f.SecretInput, f.Defect = SecretsOf(schema); f.Defect != nil {
		return &f
	}
	f.Input = schema
	f.Check = func(v app.Value) error {
		_, err := input.read(v)
		return err
	}
	f.Run = func(ctx context.Context, call app.Call) (app.Value, error) {
		in, err := input.decode(call.Input)
		if err != nil {
			return nil, err
		}
		return run(ctx, in)
	}
	return &f
}

// foreignShape resolves a schema; one that is hostile may end in a panic of the
// library, which is an error of the schema.
func foreignShape(text json.RawMessage) (_ *shape[json.RawMessage], err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the JSON Schema of the input cannot be used: %v", p)
		}
	}()
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		return nil, fmt.Errorf("the JSON Schema of the input cannot be read: %w", err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("the JSON Schema of the input is wrong: %w", err)
	}
	return &shape[json.RawMessage]{text: text, schema: &schema, resolved: resolved}, nil
}
