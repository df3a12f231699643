package value_test

import (
	"testing"

	"github.com/faustine-ai/countersign/app/value"
)

func TestATaggedMemberStaysWhatItIs(t *testing.T) {
	type result struct {
		Name  string          `json:"name"`
		Bytes value.Tagged    `json:"bytes,omitempty"`
		Rows  [][]any         `json:"rows"`
		Maybe *value.Tagged   `json:"maybe,omitempty"`
		Data  map[string]any  `json:"data"`
		Many  []value.Tagged  `json:"many"`
		Left  value.Tagged    `json:"left,omitempty"`
		Nil   map[string]bool `json:"nil,omitempty"`
	}
	got, err := value.From(result{
		Name: "x", Bytes: value.Tagged(value.Bytes([]byte{1, 2})),
		Rows: [][]any{{value.Tagged(value.Bytes(nil)), int64(9007199254740993), "a"}},
		Data: map[string]any{"$": "bytes"},
		Many: []value.Tagged{nil, value.Tagged(`"text"`)},
	}, "the result")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"bytes":{"$":"bytes","t":"Uint8Array","v":"AQI="},"data":{"$":"object","v":[["$","bytes"]]},"many":[{"$":"undefined"},"text"],"name":"x",` +
		`"rows":[[{"$":"bytes","t":"Uint8Array","v":""},{"$":"bigint","v":"9007199254740993"},"a"]]}`
	if got.String() != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if _, err := value.Canonical(got, "the result"); err != nil {
		t.Error(err)
	}
}
