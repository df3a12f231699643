// Package schemas keeps, beside it, the JSON Schemas that the registry infers
// from Go types of every kind. The library's tests turn them into TypeScript
// and check that both sides mean the same.
package schemas

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"log/slog"
	"math/big"
	"os"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/registry"
)

var update = flag.Bool("update", false, "write schemas.json anew")

type mode string

type basics struct {
	Text    string   `json:"text" jsonschema:"a text with */ in it"`
	Yes     bool     `json:"yes"`
	Int     int      `json:"int"`
	Int8    int8     `json:"int8"`
	Int16   int16    `json:"int16"`
	Int32   int32    `json:"int32"`
	Int64   int64    `json:"int64"`
	Uint    uint     `json:"uint"`
	Uint8   uint8    `json:"uint8"`
	Uint16  uint16   `json:"uint16"`
	Uint32  uint32   `json:"uint32"`
	Uint64  uint64   `json:"uint64"`
	Float32 float32  `json:"float32"`
	Float64 float64  `json:"float64"`
	Named   mode     `json:"named"`
	Any     any      `json:"any"`
	Odd     string   `json:"odd-name"`
	Delete  string   `json:"delete"`
	Omitted string   `json:"-"`
	Maybe   string   `json:"maybe,omitempty" jsonschema:"left out when empty"`
	Zero    int      `json:"zero,omitzero"`
	Pointer *int     `json:"pointer"`
	Struct  *inner   `json:"struct,omitempty"`
	Twice   **string `json:"twice"`
}

type inner struct {
	A string `json:"a" jsonschema:"the first"`
	B *bool  `json:"b,omitempty"`
}

type embedded struct {
	inner
	Own string `json:"own"`
}

type lists struct {
	Strings []string           `json:"strings"`
	Nested  [][]int            `json:"nested"`
	Structs []inner            `json:"structs"`
	Three   [3]float64         `json:"three"`
	Sixteen [16]inner          `json:"sixteen"`
	None    [0]string          `json:"none"`
	Map     map[string]int     `json:"map"`
	Maps    map[string][]inner `json:"maps"`
	Keys    map[mode]*inner    `json:"keys"`
	Anys    []any              `json:"anys"`
	Nulls   []*string          `json:"nulls"`
	Open    map[string]any     `json:"open"`
}

type known struct {
	Time  time.Time       `json:"time"`
	Maybe *time.Time      `json:"maybe"`
	Level slog.Level      `json:"level"`
	Int   big.Int         `json:"int"`
	Rat   *big.Rat        `json:"rat"`
	Bytes []byte          `json:"bytes"`
	Raw   json.RawMessage `json:"raw"`
	Value app.Value       `json:"value"`
}

func define[T any](name string) *app.Function {
	return registry.Define(name, func(_ context.Context, in T) (T, error) { return in, nil }, registry.Title(name))
}

type shape struct {
	Name   string          `json:"name"`
	Input  json.RawMessage `json:"input"`
	Output json.RawMessage `json:"output"`
}

func TestSchemasOfEveryKindAreWhatTheLibraryTestsWith(t *testing.T) {
	functions := []*app.Function{
		define[basics]("basics"), define[lists]("lists"), define[known]("known"), define[embedded]("embedded"),
		define[struct{}]("nothing"), define[app.Value]("anything"),
		registry.Define("list", func(context.Context, struct{}) ([]inner, error) { return nil, nil }),
		registry.Define("number", func(context.Context, struct{}) (float64, error) { return 0, nil }),
		registry.Define("names", func(context.Context, struct{}) (map[string]string, error) { return nil, nil }),
		registry.Define("perhaps", func(context.Context, struct{}) (*inner, error) { return nil, nil }),
	}
	var shapes []shape
	for _, f := range functions {
		if f.Defect != nil {
			t.Fatalf("%s: %v", f.Name, f.Defect)
		}
		shapes = append(shapes, shape{f.Name, f.Input, f.Output})
	}
	got, err := json.MarshalIndent(shapes, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile("schemas.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile("schemas.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, kept) {
		t.Errorf("schemas.json is not what Go infers now; run: go test ./tests/schemas -update")
	}
}
