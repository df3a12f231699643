package registry

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

// Option adds to a definition.
type Option func(*definition)

type definition struct {
	app.Function
	predicate                 any // func(In) bool
	row                       any // func(context.Context, In) string
	valid                     any // func(In) error
	secretInput, secretOutput []string
	neverNull                 bool
}

// Title is what a card and the prompt call one call: “Cancel an order”.
func Title(s string) Option { return func(d *definition) { d.Title = s } }

// Description tells the model what the function does.
func Description(s string) Option { return func(d *definition) { d.Description = s } }

// Plural is the card's title for several calls, with {n} for their number:
// “Cancel {n} orders”.
func Plural(s string) Option { return func(d *definition) { d.Plural = s } }

// Marked marks every call: it needs a person's approval.
func Marked() Option { return func(d *definition) { d.Approval = app.ApprovalAlways } }

// NeverNull promises that no list or member of the result is null: lists are there,
// if empty, and what is not there is left out. A Go slice or pointer could be nil,
// so without it the schema, and what the model reads, allows null for each.
func NeverNull() Option { return func(d *definition) { d.neverNull = true } }

// MarkedIf decides from the input whether a call is marked. A predicate that
// panics marks. In must be the type that Define was given.
func MarkedIf[In any](predicate func(In) bool) Option {
	return func(d *definition) { d.Approval, d.predicate = app.ApprovalDepends, predicate }
}

// Valid says what an input must be beyond what its schema can say, so that what
// can only fail is refused where it was called, before any card asks for it. Its
// error is an *app.Error with code InvalidInput that names the path inside the
// value. It looks at the input alone, never at what is there at the moment: an
// input that was valid stays so. In must be the type that Define was given.
func Valid[In any](rule func(In) error) Option {
	return func(d *definition) { d.valid = rule }
}

// Row words a call for the person who decides on it, from its input and what the
// host knows: “Order 1042 · Ada Lovelace · $129.00”. It is asked when the card is
// made, must be quick and change nothing; "" leaves the row to its input. The
// words are the host's own: never take them from the model. In must be the type
// that Define was given.
func Row[In any](words func(context.Context, In) string) Option {
	return func(d *definition) { d.row = words }
}

// Define makes a function from a Go function.
//
// In is a struct with json tags, whose fields are required unless they have
// omitempty or omitzero or are pointers, or app.Value for the tagged value as
// it came. Out is whatever json.Marshal writes, or app.Value for a value made
// with package value (a Date, bytes, undefined). The JSON Schemas come from the
// types; a field's tag jsonschema:"…" is its description. A nil slice is
// returned as an empty list.
//
// An input whose pointer is Raw is given the tagged value too. An input that is
// undefined counts as an object without members.
//
// What is wrong with a definition is reported by New, naming the function.
func Define[In, Out any](name string, run func(context.Context, In) (Out, error), options ...Option) *app.Function {
	d := &definition{}
	d.Name, d.Approval = name, app.ApprovalNever
	for _, option := range options {
		option(d)
	}
	if d.Title == "" {
		d.Title = name
	}
	f := d.Function
	input, err := inputShape[In](d.secretInput)
	if err != nil {
		f.Defect = err
		return &f
	}
	output, err := outputSchema[Out](d.secretOutput, d.neverNull)
	if err != nil {
		f.Defect = err
		return &f
	}
	if run == nil {
		f.Defect = errors.New("there is no Go function to run")
		return &f
	}
	f.Input, f.Output = input.text, output
	f.SecretInput, err = SecretsOf(f.Input)
	if err == nil {
		f.SecretOutput, err = SecretsOf(f.Output)
	}
	if err != nil {
		f.Defect = err
		return &f
	}
	f.Check = func(v app.Value) error {
		_, err := input.read(v)
		return err
	}
	if d.valid != nil {
		rule, ok := d.valid.(func(In) error)
		if !ok {
			f.Defect = fmt.Errorf("Valid takes a %T; expected func(%v) error", d.valid, reflect.TypeFor[In]())
			return &f
		}
		f.Check = func(v app.Value) error {
			in, err := input.read(v)
			if err != nil {
				return err
			}
			return rule(in)
		}
	}
	if d.predicate != nil {
		predicate, ok := d.predicate.(func(In) bool)
		if !ok {
			f.Defect = fmt.Errorf("MarkedIf takes a %T; expected func(%v) bool", d.predicate, reflect.TypeFor[In]())
			return &f
		}
		f.Marked = func(v app.Value) (bool, error) {
			in, err := input.decode(v)
			if err != nil {
				return true, err
			}
			return predicate(in), nil
		}
	}
	if d.row != nil {
		words, ok := d.row.(func(context.Context, In) string)
		if !ok {
			f.Defect = fmt.Errorf("Row takes a %T; expected func(context.Context, %v) string", d.row, reflect.TypeFor[In]())
			return &f
		}
		f.Row = func(ctx context.Context, v app.Value) string {
			in, err := input.decode(v)
			if err != nil {
				return ""
			}
			return words(ctx, in)
		}
	}
	f.Run = func(ctx context.Context, call app.Call) (app.Value, error) {
		in, err := input.decode(call.Input)
		if err != nil {
			return nil, err
		}
		out, err := run(ctx, in)
		if err != nil {
			return nil, err
		}
		return result(name, out)
	}
	return &f
}

func result(name string, out any) (app.Value, error) {
	if v, ok := out.(app.Value); ok {
		checked, err := value.Canonical(v, "the result of "+name)
		if err != nil {
			return nil, &app.Error{Code: app.InvalidOutput, Cause: err, Message: messageOf(err)}
		}
		return checked, nil
	}
	if v := reflect.ValueOf(out); v.Kind() == reflect.Slice && v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8 {
		return app.Value("[]"), nil // programs loop over what a list function returns
	}
	return value.From(out, "the result of "+name)
}

func messageOf(err error) string {
	var e *app.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}
