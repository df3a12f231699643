package value_test

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

type everything struct {
	N     int            `json:"n,omitempty"`
	Big   uint64         `json:"big,omitempty"`
	F     float64        `json:"f,omitempty"`
	S     string         `json:"s,omitempty"`
	When  time.Time      `json:"when,omitzero"`
	Data  []byte         `json:"data,omitempty"`
	List  []int          `json:"list,omitempty"`
	Inner map[string]any `json:"inner,omitempty"`
}

func TestAValueDecodesIntoGoTypes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       everything
	}{
		{"number", `{"n":5}`, everything{N: 5}},
		{"undefined member is absent", `{"n":{"$":"undefined"},"s":"x"}`, everything{S: "x"}},
		{"bigint into an integer", `{"big":{"$":"bigint","v":"18446744073709551615"}}`, everything{Big: math.MaxUint64}},
		{"date", `{"when":{"$":"date","v":"2026-01-01T00:00:00.000Z"}}`, everything{When: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}},
		{"bytes", `{"data":{"$":"bytes","t":"Uint8Array","v":"AAEC"}}`, everything{Data: []byte{0, 1, 2}}},
		{"number in exponent form", `{"f":1e+21}`, everything{F: 1e21}},
		{"object with an own key $", `{"inner":{"$":"object","v":[["$","x"]]}}`, everything{Inner: map[string]any{"$": "x"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := value.Parse([]byte(c.text), "input")
			if err != nil {
				t.Fatal(err)
			}
			var got everything
			if err := value.Decode(v, &got, "input"); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestWhatGoCannotHoldIsRefusedWithItsPath(t *testing.T) {
	for _, c := range []struct{ name, text, path string }{
		{"NaN", `{"n":{"$":"number","v":"NaN"}}`, "input.n:"},
		{"-0", `{"list":[0,{"$":"number","v":"-0"}]}`, "input.list[1]:"},
		{"Map", `{"inner":{"a b":{"$":"map","v":[]}}}`, `input.inner["a b"]:`},
		{"Set", `{"inner":{"$":"set","v":[]}}`, "input.inner:"},
		{"holes", `{"list":{"$":"array","n":2,"v":[]}}`, "input.list:"},
		{"undefined in a list", `{"list":[{"$":"undefined"}]}`, "input.list[0]:"},
		{"lone surrogate", `{"s":{"$":"string","v":"d800"}}`, "input.s:"},
		{"invalid date", `{"when":{"$":"date","v":null}}`, "input.when:"},
		{"date Go cannot write", `{"when":{"$":"date","v":"+012026-01-01T00:00:00.000Z"}}`, "input.when:"},
		{"large bigint", `{"big":{"$":"bigint","v":"18446744073709551616"}}`, "input.big:"},
		{"wide elements", `{"data":{"$":"bytes","t":"Uint16Array","v":"AAE="}}`, "input.data:"},
		{"RegExp", `{"s":{"$":"regexp","v":["a",""]}}`, "input.s:"},
		{"fraction into an integer", `{"n":1.5}`, "input.n:"},
		{"text into a number", `{"n":"1"}`, "input.n:"},
		{"number too large for an integer", `{"n":1e+21}`, "input.n:"},
		{"File", `{"data":{"$":"file","v":{"bytes":"","modified":0,"name":"a","type":""}}}`, "input.data:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := value.Parse([]byte(c.text), "input")
			if err != nil {
				t.Fatal(err)
			}
			err = value.Decode(v, new(everything), "input")
			if app.CodeOf(err) != app.InvalidInput || !strings.Contains(err.Error(), c.path) {
				t.Errorf("got %v, want InvalidInput at %s", err, c.path)
			}
		})
	}
}

func TestAGoResultBecomesAValueWithoutLosingAnything(t *testing.T) {
	for _, c := range []struct {
		name string
		in   any
		want string
	}{
		{"struct", struct {
			B int    `json:"b"`
			A string `json:"a"`
		}{1, "<&>"}, `{"a":"<&>","b":1}`},
		{"digits beyond a JavaScript number", int64(9007199254740993), `{"$":"bigint","v":"9007199254740993"}`},
		{"a large integer that fits", int64(1) << 53, `9007199254740992`},
		{"negative zero", math.Copysign(0, -1), `{"$":"number","v":"-0"}`},
		{"a key $ is data, never a tag", map[string]any{"$": "undefined", "a": 1}, `{"$":"object","v":[["$","undefined"],["a",1]]}`},
		{"a nested key $", []any{map[string]any{"$": "date", "v": nil}}, `[{"$":"object","v":[["$","date"],["v",null]]}]`},
		{"large float", 1e300, `1e+300`},
		{"invalid UTF-8 is repaired as encoding/json does", "a\xffb", "\"a\ufffdb\""},
		{"time", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), `"2026-01-01T00:00:00Z"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := value.From(c.in, "result")
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if _, err := value.Parse(got, "result"); err != nil {
				t.Errorf("the result is not canonical: %v", err)
			}
		})
	}
}

func TestAResultThatCannotBeWrittenIsInvalidOutput(t *testing.T) {
	var deep any
	for range value.MaxDepth + 1 {
		deep = []any{deep}
	}
	for name, x := range map[string]any{
		"NaN": math.NaN(), "infinity": math.Inf(1), "channel": make(chan int), "function": func() {}, "too deep": deep,
		"too long": strings.Repeat("x", value.MaxBytes),
	} {
		if got, err := value.From(x, "result"); app.CodeOf(err) != app.InvalidOutput {
			t.Errorf("%s: got %.40s and %v, want InvalidOutput", name, got, err)
		}
	}
}

func TestDatesAndBytesMadeInGoAreValues(t *testing.T) {
	for _, v := range []app.Value{
		value.Undefined,
		value.Date(time.Date(2026, 1, 2, 3, 4, 5, 678_900_000, time.FixedZone("", 3600))),
		value.Date(time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC)),
		value.Date(time.Date(123456, 1, 1, 0, 0, 0, 0, time.UTC)),
		value.Date(time.Date(999999, 1, 1, 0, 0, 0, 0, time.UTC)),
		value.Bytes([]byte{0, 255}),
		value.Bytes(nil),
	} {
		if _, err := value.Parse(v, "value"); err != nil {
			t.Errorf("%s: %v", v, err)
		}
	}
	if got := value.Date(time.Date(2026, 1, 2, 3, 4, 5, 678_900_000, time.FixedZone("", 3600))).String(); got != `{"$":"date","v":"2026-01-02T02:04:05.678Z"}` {
		t.Error(got)
	}
}
