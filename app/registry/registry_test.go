package registry_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/registry"
)

type cancelInput struct {
	ID     int        `json:"id" jsonschema:"the order's number"`
	Reason string     `json:"reason,omitempty"`
	Tags   []string   `json:"tags,omitempty"`
	When   *time.Time `json:"when,omitempty"`
	Small  uint8      `json:"small,omitempty"`
	Lines  []struct {
		Qty int `json:"qty"`
	} `json:"lines,omitempty"`
}

type cancelOutput struct {
	ID     int    `json:"id"`
	Status string `json:"status"`
}

func cancel(_ context.Context, in cancelInput) (cancelOutput, error) {
	return cancelOutput{in.ID, "cancelled"}, nil
}

func define(name string) *app.Function { return registry.Define(name, cancel) }

func TestNamesFollowTheRules(t *testing.T) {
	for _, name := range []string{"orders.cancel", "notes.delete", "a", "_x.$y1", "if.class.await"} {
		if _, err := registry.New(define(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", ".", "a.", ".a", "a..b", "1a", "a-b", "a b", "ä", "a.\u200bb",
		"__proto__", "a.__proto__.b", "constructor", "a.constructor", "prototype", "then", "a.then", "toJSON"} {
		_, err := registry.New(define(name))
		if err == nil {
			t.Errorf("%q was taken", name)
		} else if name != "" && !strings.Contains(err.Error(), strings.Trim(name, "\u200b")) && !strings.Contains(err.Error(), `\u200b`) {
			t.Errorf("%q: the message does not name it: %v", name, err)
		}
	}
}

func TestTheRegistryRefusesWhatCannotStandTogether(t *testing.T) {
	withoutRun := define("a")
	withoutRun.Run = nil
	for _, c := range []struct {
		name string
		fns  []*app.Function
		want string
	}{
		{"twice", []*app.Function{define("a.b"), define("a.b")}, "a.b is defined twice"},
		{"prefix", []*app.Function{define("a"), define("a.b.c")}, "a is a function too"},
		{"nil", []*app.Function{nil}, "nil"},
		{"no Go function", []*app.Function{registry.Define[cancelInput, cancelOutput]("a", nil)}, "no Go function"},
		{"Run missing", []*app.Function{withoutRun}, "required"},
		{"no schema", []*app.Function{registry.Define("a", func(context.Context, chan int) (int, error) { return 0, nil })}, "no JSON Schema for the input"},
		{"no output schema", []*app.Function{registry.Define("a", func(context.Context, cancelInput) (func(), error) { return nil, nil })}, "no JSON Schema for the result"},
		{"predicate of another type", []*app.Function{registry.Define("a", cancel, registry.MarkedIf(func(int) bool { return true }))}, "MarkedIf"},
		{"rule of another type", []*app.Function{registry.Define("a", cancel, registry.Valid(func(int) error { return nil }))}, "Valid"},
		{"plural without n", []*app.Function{registry.Define("a", cancel, registry.Plural("Cancel orders"))}, "{n}"},
	} {
		if _, err := registry.New(c.fns...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want something about %q", c.name, err, c.want)
		}
	}
}

func TestARegistryNeverChanges(t *testing.T) {
	f := define("orders.cancel")
	r, err := registry.New(f, define("orders.list"))
	if err != nil {
		t.Fatal(err)
	}
	f.Approval, f.Name = app.ApprovalAlways, "other"
	r.All()[0] = nil
	got, ok := r.Find("orders.cancel")
	if !ok || got.Approval != app.ApprovalNever || r.All()[0].Name != "orders.cancel" {
		t.Errorf("got %+v", got)
	}
	if _, ok := r.Find("Orders.cancel"); ok {
		t.Error("names are found by the exact name only")
	}
}

func TestAnInvalidInputIsRefusedWithItsPath(t *testing.T) {
	f := define("orders.cancel")
	for _, c := range []struct{ name, input, want string }{
		{"required", `{}`, "input.id: required, but missing; expected integer (the order's number)"},
		{"undefined counts as an empty object", `{"$":"undefined"}`, "input.id: required"},
		{"undefined member is missing", `{"id":{"$":"undefined"}}`, "input.id: required"},
		{"type", `{"id":"1042"}`, `input.id: expected integer, got the string "1042"`},
		{"fraction", `{"id":1.5}`, "input.id: expected integer, got 1.5"},
		{"null", `{"id":null}`, "input.id: expected integer, got null"},
		{"unknown member", `{"id":1,"ID":2}`, "input.ID: unknown member; known are id, lines"},
		{"no object", `[1]`, "input: expected object, got an array of 1"},
		{"list", `{"id":1,"tags":["a",2]}`, "input.tags[1]: expected string, got 2"},
		{"null for a list", `{"id":1,"tags":null}`, "input.tags: expected array, got null"},
		{"deep", `{"id":1,"lines":[{"qty":1},{"qty":"x"}]}`, "input.lines[1].qty: expected integer"},
		{"deep and missing", `{"id":1,"lines":[{}]}`, "input.lines[0].qty: required"},
		{"too large", `{"id":1,"small":256}`, "input.small: expected at most 255, got 256"},
		{"no date", `{"id":1,"when":"yesterday"}`, "input.when: expected a Date"},
		{"NaN", `{"id":{"$":"number","v":"NaN"}}`, "input.id: the number NaN"},
		{"more than an int holds", `{"id":1e+21}`, "input.id: expected int"},
		{"Map", `{"$":"map","v":[]}`, "input: a Map"},
		{"prototype", `{"__proto__":{"id":1}}`, "input.id: required"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := f.Check(app.Value(c.input))
			if app.CodeOf(err) != app.InvalidInput || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	for _, input := range []string{`{"id":1}`, `{"id":1,"when":{"$":"date","v":"2026-01-01T00:00:00.000Z"}}`, `{"id":{"$":"bigint","v":"7"}}`, `{"id":1,"reason":{"$":"undefined"}}`} {
		if err := f.Check(app.Value(input)); err != nil {
			t.Errorf("%s: %v", input, err)
		}
	}
}

func TestALongInputDoesNotComeBackInTheMessage(t *testing.T) {
	err := define("a").Check(app.Value(`{"id":"` + strings.Repeat("x", 100_000) + `"}`))
	if len(err.Error()) > 500 {
		t.Errorf("the message has %d characters", len(err.Error()))
	}
}

func TestMarkedIfDecidesFromTheInputAndFailsClosed(t *testing.T) {
	f := registry.Define("orders.cancel", cancel, registry.MarkedIf(func(in cancelInput) bool {
		if in.ID == 13 {
			panic("unlucky")
		}
		return in.ID > 100
	}))
	for _, c := range []struct {
		input  string
		marked bool
		valid  bool
	}{
		{`{"id":1}`, false, true},
		{`{"id":101}`, true, true},
		{`{"id":13}`, true, true},
		{`{"id":"x"}`, true, false},
	} {
		marked, err := f.Judge(app.Value(c.input))
		if marked != c.marked || (err == nil) != c.valid {
			t.Errorf("%s: marked %v, error %v", c.input, marked, err)
		}
	}
}

func TestARuleBeyondTheSchemaRefusesBeforeAnythingIsMarked(t *testing.T) {
	f := registry.Define("orders.cancel", cancel, registry.Marked(), registry.Valid(func(in cancelInput) error {
		if in.ID == 13 {
			panic("unlucky")
		}
		if in.ID > 100 {
			return app.Errorf(app.InvalidInput, "input.id: expected up to 100, got %d", in.ID)
		}
		return nil
	}))
	for input, want := range map[string]string{`{"id":100}`: "", `{"id":101}`: "expected up to 100, got 101", `{"id":13}`: "failed unexpectedly", `{"id":"x"}`: "input.id"} {
		if _, err := f.Judge(app.Value(input)); (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || app.CodeOf(err) != app.InvalidInput) {
			t.Errorf("%s: %v, expected %q", input, err, want)
		}
	}
}

func TestRunGivesAValue(t *testing.T) {
	run := func(f *app.Function, input string) (string, error) {
		v, err := f.Run(context.Background(), app.Call{Fn: f.Name, Input: app.Value(input)})
		return v.String(), err
	}
	if got, err := run(define("a"), `{"id":7}`); err != nil || got != `{"id":7,"status":"cancelled"}` {
		t.Errorf("got %s, %v", got, err)
	}
	list := registry.Define("a", func(context.Context, struct{}) ([]int, error) { return nil, nil })
	if got, err := run(list, `{"$":"undefined"}`); err != nil || got != `[]` {
		t.Errorf("a nil list: got %s, %v", got, err)
	}
	echo := registry.Define("a", func(_ context.Context, v app.Value) (app.Value, error) { return v, nil })
	if got, err := run(echo, `{"$":"map","v":[]}`); err != nil || got != `{"$":"map","v":[]}` {
		t.Errorf("echo: got %s, %v", got, err)
	}
	forged := registry.Define("a", func(context.Context, struct{}) (app.Value, error) { return app.Value(`{"$":"nope"}`), nil })
	if _, err := run(forged, `{}`); app.CodeOf(err) != app.InvalidOutput {
		t.Errorf("a value that is none: %v", err)
	}
	nan := registry.Define("a", func(context.Context, struct{}) (float64, error) { return math.NaN(), nil })
	if _, err := run(nan, `{}`); app.CodeOf(err) != app.InvalidOutput || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("NaN: %v", err)
	}
	no := errors.New("no")
	failing := registry.Define("a", func(context.Context, struct{}) (int, error) { return 0, no })
	if _, err := run(failing, `{}`); !errors.Is(err, no) {
		t.Errorf("error: %v", err)
	}
}

func TestSchemasAreInferred(t *testing.T) {
	f := define("a")
	var in struct {
		Type       string
		Required   []string
		Properties map[string]struct {
			Type        any
			Description string
		}
	}
	if err := json.Unmarshal(f.Input, &in); err != nil {
		t.Fatal(err)
	}
	if in.Type != "object" || len(in.Required) != 1 || in.Properties["id"].Description != "the order's number" || in.Properties["tags"].Type != "array" {
		t.Errorf("got %s", f.Input)
	}
	list := registry.Define("a", func(context.Context, struct{}) ([]cancelOutput, error) { return nil, nil })
	if !strings.Contains(string(list.Output), `"type":"array"`) {
		t.Errorf("got %s", list.Output)
	}
}
