package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// Plain turns a value into what encoding/json and JSON Schema understand: nil,
// bool, string, int64, uint64, float64, []any and map[string]any. A Date is
// RFC 3339 text, bytes are base64 text, a bigint is a number, and a member that
// is undefined is left out. Whatever Go's types cannot hold (NaN, -0, Map, Set,
// holes, lone surrogates, …) is InvalidInput and names its path below root.
func Plain(v app.Value, root string) (any, error) {
	tree, err := parse(v)
	if err != nil {
		return nil, &app.Error{Code: app.InvalidInput, Cause: err, Message: root + " is not JSON"}
	}
	return plain(tree, path{root: root})
}

func plain(node any, at path) (any, error) {
	switch node := node.(type) {
	case json.Number:
		return plainNumber(node), nil
	case []any:
		out := make([]any, len(node))
		for i, item := range node {
			if isUndefined(item) {
				return nil, at.index(i).refuse("undefined inside a list; expected a value")
			}
			var err error
			if out[i], err = plain(item, at.index(i)); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		if _, tagged := node["$"]; tagged {
			return plainTagged(node, at)
		}
		out := make(map[string]any, len(node))
		for key, item := range node {
			if isUndefined(item) {
				continue
			}
			var err error
			if out[key], err = plain(item, at.key(key)); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return node, nil
}

func isUndefined(node any) bool {
	m, ok := node.(map[string]any)
	return ok && m["$"] == "undefined"
}

// IsUndefined reports whether v is undefined.
func IsUndefined(v app.Value) bool { return bytes.Equal(v, Undefined) }

// plainNumber keeps whole numbers whole, so that a schema and a Go integer see
// the digits that the card shows.
func plainNumber(n json.Number) any {
	if i, err := n.Int64(); err == nil {
		return i
	}
	f, err := n.Float64()
	if err != nil {
		return math.NaN() // unreachable: checked values are finite
	}
	return f
}

func plainTagged(node map[string]any, at path) (any, error) {
	v := node["v"]
	switch node["$"] {
	case "bigint":
		text, _ := v.(string)
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return i, nil
		}
		if u, err := strconv.ParseUint(text, 10, 64); err == nil {
			return u, nil
		}
		return nil, at.refuse("the bigint %sn has more than 64 bits; expected a smaller number", clip(text))
	case "date":
		text, _ := v.(string)
		t, ok := parseDate(text)
		if !ok {
			return nil, at.refuse("an invalid Date; expected a Date that exists")
		}
		if t.Year() < 0 || t.Year() > 9999 {
			return nil, at.refuse("the year %d; expected one from 0 to 9999", t.Year())
		}
		return t.Format(time.RFC3339Nano), nil
	case "bytes":
		switch t, _ := node["t"].(string); t {
		case "Uint8Array", "Uint8ClampedArray", "ArrayBuffer", "DataView":
			return v, nil // base64, as encoding/json reads a []byte
		default:
			return nil, at.refuse("a %s; expected a Uint8Array", t)
		}
	case "object":
		return plainObject(v, at)
	case "number":
		return nil, at.refuse("the number %v; expected one that JSON has", v)
	case "undefined":
		return nil, at.refuse("undefined; expected a value")
	case "string":
		return nil, at.refuse("text with a lone surrogate; expected well-formed text")
	case "array":
		return nil, at.refuse("a list with holes; expected one without")
	}
	name := map[any]string{"map": "a Map", "set": "a Set", "regexp": "a RegExp", "error": "an Error", "file": "a File", "blob": "a Blob"}[node["$"]]
	return nil, at.refuse("%s; expected a plain object, a list, text, a number, a Date or bytes", name)
}

func plainObject(v any, at path) (any, error) {
	pairs, _ := v.([]any)
	out := make(map[string]any, len(pairs))
	for i, item := range pairs {
		pair := item.([]any)
		units, isPlain, _ := stringUnits(pair[0])
		if !isPlain {
			return nil, at.entryKey(i).refuse("text with a lone surrogate; expected well-formed text")
		}
		if isUndefined(pair[1]) {
			continue
		}
		key := decodeRunes(units)
		var err error
		if out[key], err = plain(pair[1], at.key(key)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Decode reads a value into a Go value as encoding/json would read its Plain
// form. Its errors are InvalidInput and name the path below root.
func Decode(v app.Value, into any, root string) error {
	if isPlain(v) { // its Plain form has the same text
		return decodeText(v, into, root)
	}
	tree, err := Plain(v, root)
	if err != nil {
		return err
	}
	return DecodePlain(tree, into, root)
}

// DecodePlain is Decode for a tree that Plain made.
func DecodePlain(tree, into any, root string) error {
	text, err := json.Marshal(tree)
	if err != nil {
		return &app.Error{Code: app.InvalidInput, Cause: err, Message: root + " cannot be written as JSON"}
	}
	return decodeText(text, into, root)
}

func decodeText(text []byte, into any, root string) error {
	if err := json.Unmarshal(text, into); err != nil {
		at := root
		var mismatch *json.UnmarshalTypeError
		if errors.As(err, &mismatch) {
			if mismatch.Field != "" {
				at += "." + mismatch.Field
			}
			return app.Errorf(app.InvalidInput, "%s: expected %s, got the %s", at, mismatch.Type, clip(mismatch.Value))
		}
		return &app.Error{Code: app.InvalidInput, Cause: err, Message: at + ": " + clip(err.Error())}
	}
	return nil
}
