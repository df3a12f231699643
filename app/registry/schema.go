package registry

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

// root is how paths in messages begin.
const root = "input"

// typeSchemas are the types that encoding/json does not write as they look.
func typeSchemas() *jsonschema.ForOptions {
	return &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[[]byte]():          {Type: "string", ContentEncoding: "base64"},
		reflect.TypeFor[json.RawMessage](): {},
		reflect.TypeFor[app.Value]():       {},
		reflect.TypeFor[value.Tagged]():    {},
		reflect.TypeFor[time.Time]():       {Type: "string", Format: "date-time"},
	}}
}

// shape reads inputs of one Go type.
type shape[In any] struct {
	text     json.RawMessage // the schema
	schema   *jsonschema.Schema
	resolved *jsonschema.Resolved // nil for app.Value, which takes anything
}

func inputShape[In any](secrets []string) (*shape[In], error) {
	t := reflect.TypeFor[In]()
	if t == reflect.TypeFor[app.Value]() {
		if len(secrets) > 0 {
			return nil, errors.New("an input of any kind has no members to be secret")
		}
		return &shape[In]{text: json.RawMessage(`{}`)}, nil
	}
	schema, err := jsonschema.For[In](typeSchemas())
	if err != nil {
		return nil, fmt.Errorf("no JSON Schema for the input: %w", err)
	}
	listsAreNotNull(schema)
	if err := markSecret(schema, secrets); err != nil {
		return nil, err
	}
	return newShape[In](schema)
}

func newShape[In any](schema *jsonschema.Schema) (*shape[In], error) {
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, fmt.Errorf("the JSON Schema of the input cannot be written: %w", err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("the JSON Schema of the input is wrong: %w", err)
	}
	return &shape[In]{text: text, schema: schema, resolved: resolved}, nil
}

func outputSchema[Out any](secrets []string, neverNull bool) (json.RawMessage, error) {
	if reflect.TypeFor[Out]() == reflect.TypeFor[app.Value]() {
		if len(secrets) > 0 {
			return nil, errors.New("a result of any kind has no members to be secret")
		}
		return json.RawMessage(`{}`), nil
	}
	schema, err := jsonschema.For[Out](typeSchemas())
	if err != nil {
		return nil, fmt.Errorf("no JSON Schema for the result: %w", err)
	}
	if reflect.TypeFor[Out]().Kind() == reflect.Slice {
		notNull(schema) // result writes a nil slice as an empty list
	}
	if neverNull {
		withoutNull(schema)
	}
	if err := markSecret(schema, secrets); err != nil {
		return nil, err
	}
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, fmt.Errorf("the JSON Schema of the result cannot be written: %w", err)
	}
	return text, nil
}

// listsAreNotNull takes back what inference allows because a Go slice can be
// nil: a program has no reason to send null for a list.
func listsAreNotNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	notNull(s)
	for _, p := range s.Properties {
		listsAreNotNull(p)
	}
	listsAreNotNull(s.Items)
	listsAreNotNull(s.AdditionalProperties)
}

// withoutNull takes null out of every choice of types.
func withoutNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if rest := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" }); len(rest) == 1 {
		s.Types, s.Type = nil, rest[0]
	}
	for _, p := range s.Properties {
		withoutNull(p)
	}
	withoutNull(s.Items)
	withoutNull(s.AdditionalProperties)
}

func notNull(s *jsonschema.Schema) {
	if slices.Equal(s.Types, []string{"null", "array"}) {
		s.Types, s.Type = nil, "array"
	}
}

// check validates a value. Its error is InvalidInput and names the path.
func (s *shape[In]) check(v app.Value) error {
	if s.resolved == nil {
		return nil
	}
	tree, err := value.Plain(s.given(v), root)
	if err != nil {
		return err
	}
	if err := s.resolved.Validate(tree); err != nil {
		return &app.Error{Code: app.InvalidInput, Cause: err, Message: explain(s.schema, tree, root, err)}
	}
	return nil
}

// decode turns a value that check has let through into In. What a schema cannot
// say, a date that exists perhaps, is refused here.
func (s *shape[In]) decode(v app.Value) (In, error) {
	var in In
	if s.resolved == nil {
		return any(v).(In), nil
	}
	v = s.given(v)
	if err := value.Decode(v, &in, root); err != nil {
		if tree, failed := value.Plain(v, root); failed == nil {
			if text := findDate(s.schema, tree, root); text != "" {
				return in, app.Errorf(app.InvalidInput, "%s", text) // time.Time's own error has no path
			}
		}
		return in, err
	}
	if raw, ok := any(&in).(Raw); ok {
		return in, raw.Raw(v)
	}
	return in, nil
}

// given is a value as the schema sees it: undefined is an object without members.
func (s *shape[In]) given(v app.Value) app.Value {
	if value.IsUndefined(v) && s.schema.Type == "object" {
		return app.Value("{}")
	}
	return v
}

// read is check and decode.
func (s *shape[In]) read(v app.Value) (In, error) {
	if err := s.check(v); err != nil {
		var in In
		return in, err
	}
	return s.decode(v)
}

// Raw is an input that also wants its value as it came, before bytes and bigints
// became what encoding/json knows. Its pointer has the method; an error, with the
// code InvalidInput, refuses the input.
type Raw interface{ Raw(app.Value) error }
