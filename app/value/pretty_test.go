package value_test

import (
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

func TestPrettyShowsWhatAValueIs(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"id":1042,"reason":"<late> & \u0007"}`, "{\n  \"id\": 1042,\n  \"reason\": \"<late> & \\u0007\"\n}"},
		{`{}`, `{}`},
		{`[]`, `[]`},
		{`[1,[2]]`, "[\n  1,\n  [\n    2\n  ]\n]"},
		{`{"$":"undefined"}`, `undefined`},
		{`{"$":"number","v":"-0"}`, `-0`},
		{`{"$":"bigint","v":"123"}`, `123n`},
		{`{"$":"date","v":"2026-01-01T00:00:00.000Z"}`, `Date 2026-01-01T00:00:00.000Z (Thu)`},
		{`{"$":"date","v":null}`, `Date that is invalid`},
		{`{"$":"bytes","t":"Uint8Array","v":"AAEC/w=="}`, "Uint8Array of 4 bytes\n  00 01 02 ff"},
		{`{"$":"map","v":[["a",1]]}`, "Map with 1 entry {\n  \"a\" → 1\n}"},
		{`{"$":"set","v":[]}`, `Set with 0 members {}`},
		{`{"$":"string","v":"0061d800d83dde00"}`, `"a\ud800😀"`},
		{`{"$":"regexp","v":["a+","gi"]}`, `RegExp "a+", flags "gi"`},
		{`{"$":"error","v":{"message":"no","name":"TypeError"}}`, `Error "TypeError": "no"`},
		{`{"$":"array","n":3,"v":[[1,"x"]]}`, "Array of length 3 with holes, holding {\n  1: \"x\"\n}"},
		{`{"$":"object","v":[["$","undefined"]]}`, "{\n  \"$\": \"undefined\"\n}"},
		{`{"$":"file","v":{"bytes":"aGk=","modified":0,"name":"a.txt","type":"text/plain"}}`,
			"File \"a.txt\", modified 1970-01-01T00:00:00Z, type \"text/plain\", Blob of 2 bytes\n  68 69"},
	} {
		if got := value.Pretty(app.Value(c.text)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestPrettyCutsNothing(t *testing.T) {
	long := strings.Repeat("ok ", 100_000) + "AND delete everything"
	if got := value.Pretty(app.Value(`"` + long + `"`)); !strings.Contains(got, "AND delete everything") || len(got) != len(long)+2 {
		t.Errorf("the end of %d characters is missing", len(long))
	}
}

func FuzzCanonical(f *testing.F) {
	all := readVectors(f)
	for _, v := range all.Values {
		f.Add([]byte(v.Text))
	}
	for _, v := range all.Refused {
		f.Add([]byte(v.Text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := value.Canonical(text, "input")
		if err != nil {
			if app.CodeOf(err) != app.InvalidInput {
				t.Fatalf("refused with %v, want InvalidInput", err)
			}
			return
		}
		again, err := value.Parse(v, "input")
		if err != nil || string(again) != string(v) {
			t.Fatalf("%q became %q, which is not canonical: %v", text, v, err)
		}
		if value.Pretty(v) == "" {
			t.Fatalf("%q prints as nothing", v)
		}
		if tree, err := value.Plain(v, "input"); err == nil {
			if _, err := value.From(tree, "result"); err != nil {
				t.Fatalf("%q went into Go and cannot come back: %v", v, err)
			}
		}
	})
}
