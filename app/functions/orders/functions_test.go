package orders

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/registry"
)

func TestWritingFunctionsAreMarkedAndReadingOnesAreNot(t *testing.T) {
	functions, err := registry.New(openStore(t, wednesday).Functions()...)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]app.Approval{
		"orders.list": app.ApprovalNever, "orders.get": app.ApprovalNever,
		"orders.cancel": app.ApprovalAlways, "orders.refund": app.ApprovalAlways,
	}
	for _, f := range functions.All() {
		if f.Approval != want[f.Name] {
			t.Errorf("%s: approval is %q, expected %q", f.Name, f.Approval, want[f.Name])
		}
		if f.Title == "" || f.Description == "" {
			t.Errorf("%s has no title or description", f.Name)
		}
		delete(want, f.Name)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

func TestFunctionsTakeAndGiveWhatTheirSchemasSay(t *testing.T) {
	functions, err := registry.New(openStore(t, wednesday).Functions()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ fn, input, want string }{
		{"orders.list", `{"$":"undefined"}`, `60`},
		{"orders.list", `{"from":"2026-11-23","status":"open","to":"2026-11-23"}`,
			`[{"customer":"Mira Patel","id":1041,"item":"Oak bookcase","placed":"2026-11-23","status":"open","total":284.5},
			  {"customer":"Sofia Rossi","id":1042,"item":"Desk lamp","placed":"2026-11-23","status":"open","total":58}]`},
		{"orders.list", `{"customer":"nobody"}`, `[]`},
		{"orders.get", `{"id":1052}`, `{"customer":"Lucía Romero","id":1052,"item":"Leather desk pad","placed":"2026-11-29","status":"open","total":100.01}`},
		{"orders.get", `{"id":1}`, `FunctionFailed: there is no order 1; orders.list gives the ids that exist`},
		{"orders.cancel", `{"id":1041,"reason":"asked to"}`, `{"id":1041,"status":"cancelled"}`},
		{"orders.cancel", `{"id":1041}`, `FunctionFailed: order 1041 is cancelled already`},
		{"orders.refund", `{"amount":258,"id":1043}`, `{"id":1043,"refunded":258,"status":"refunded"}`},
		{"orders.cancel", `{"id":"1047"}`, `InvalidInput`},
		{"orders.cancel", `{}`, `InvalidInput`},
		{"orders.cancel", `{"id":10.5}`, `InvalidInput`},
		{"orders.cancel", `{"force":true,"id":1047}`, `InvalidInput`},
	} {
		f, found := functions.Find(c.fn)
		if !found {
			t.Fatalf("no %s", c.fn)
		}
		got := run(t, f, app.Value(c.input))
		if c.want == "60" {
			var orders []Order
			if err := json.Unmarshal([]byte(got), &orders); err != nil || len(orders) != 60 {
				t.Errorf("%s(%s): %d orders, %v", c.fn, c.input, len(orders), err)
			}
			continue
		}
		if !sameJSON(got, c.want) && !strings.HasPrefix(got, c.want) {
			t.Errorf("%s(%s):\n got %s\nwant %s", c.fn, c.input, got, c.want)
		}
	}
}

func run(t *testing.T, f *app.Function, input app.Value) string {
	t.Helper()
	if err := f.Check(input); err != nil {
		return err.Error()
	}
	value, err := f.Run(t.Context(), app.Call{Fn: f.Name, Input: input})
	if err != nil {
		return err.Error()
	}
	return value.String()
}

func sameJSON(a, b string) bool {
	var left, right any
	return json.Unmarshal([]byte(a), &left) == nil && json.Unmarshal([]byte(b), &right) == nil && reflect.DeepEqual(left, right)
}
