package value

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gowebpki/jcs"

	"github.com/faustine-ai/countersign/app"
)

// Undefined is JavaScript's undefined. Do not change its bytes.
var Undefined = app.Value(`{"$":"undefined"}`)

// From turns a Go value into a value, as json.Marshal writes it. What it
// returns is data, never a tag, but for what is Tagged: a map with a key "$"
// arrives as an object with that key. A whole number with more digits than a JavaScript number holds
// becomes a bigint, so no digit is lost, and a -0 stays one. The error
// (InvalidOutput) says what cannot be written, such as NaN.
func From(x any, root string) (app.Value, error) {
	text, err := json.Marshal(x)
	if err != nil {
		return nil, &app.Error{Code: app.InvalidOutput, Cause: err, Message: fmt.Sprintf("%s cannot be written as JSON: %s", root, marshalReason(err))}
	}
	return FromJSON(text, root)
}

// marshalReason drops the wrapping of encoding/json, which names Go types.
func marshalReason(err error) string {
	var unsupported *json.UnsupportedValueError
	if errors.As(err, &unsupported) {
		return "it holds " + unsupported.Str
	}
	return clip(err.Error())
}

// FromJSON is From for JSON text that Go or another process wrote.
func FromJSON(text []byte, root string) (app.Value, error) {
	fail := func(err error) (app.Value, error) {
		return nil, &app.Error{Code: app.InvalidOutput, Cause: err, Message: fmt.Sprintf("%s cannot be handed over: %v", root, err)}
	}
	if len(text) > MaxBytes {
		return fail(fmt.Errorf("it is %d bytes long as text, at most %d are taken", len(text), MaxBytes))
	}
	if isPlain(text) {
		return text, nil
	}
	if nesting(text) > MaxDepth {
		return fail(fmt.Errorf("it nests deeper than %d levels", MaxDepth))
	}
	canonical, err := Transform(text)
	if err != nil {
		return fail(err)
	}
	tree, err := parse(text)
	if err != nil {
		return fail(err)
	}
	tagged, changed := tag(tree)
	if !changed {
		return canonical, nil
	}
	text, err = json.Marshal(tagged)
	if err != nil {
		return fail(err)
	}
	if len(text) > MaxBytes || nesting(text) > MaxDepth {
		return fail(fmt.Errorf("it is too long or nests too deep"))
	}
	if canonical, err = Transform(text); err != nil {
		return fail(err)
	}
	return canonical, nil
}

// tag replaces what plain JSON would lose or would be mistaken for a tag.
func tag(node any) (tagged any, changed bool) {
	switch node := node.(type) {
	case json.Number:
		return tagNumber(node)
	case []any:
		for i, item := range node {
			next, c := tag(item)
			node[i], changed = next, changed || c
		}
	case map[string]any:
		if inner, ok := kept(node); ok {
			return inner, true
		}
		for key, item := range node {
			next, c := tag(item)
			node[key], changed = next, changed || c
		}
		if _, mistakable := node["$"]; mistakable {
			pairs := make([]any, 0, len(node))
			for _, key := range sortedKeys(node) {
				pairs = append(pairs, []any{key, node[key]})
			}
			return map[string]any{"$": "object", "v": pairs}, true
		}
	}
	return node, changed
}

func tagNumber(n json.Number) (any, bool) {
	text := n.String()
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return n, false // jcs has refused it before
	}
	if f == 0 && strings.HasPrefix(text, "-") {
		return map[string]any{"$": "number", "v": "-0"}, true
	}
	if !integer.MatchString(text) {
		return n, false
	}
	if printed, err := jcs.NumberToJSON(f); err == nil && printed != text {
		return map[string]any{"$": "bigint", "v": text}, true
	}
	return n, false
}

// Date makes a Date of t, to the millisecond.
func Date(t time.Time) app.Value {
	return app.Value(`{"$":"date","v":` + marshal(isoString(t)) + `}`)
}

// isoString writes t as Date.prototype.toISOString does, or nil for a time
// that a Date cannot hold.
func isoString(t time.Time) any {
	t = t.UTC().Truncate(time.Millisecond)
	text := t.Format("-01-02T15:04:05.000Z")
	switch year := t.Year(); {
	case year >= 0 && year <= 9999:
		text = fmt.Sprintf("%04d", year) + text
	case year < 0:
		text = fmt.Sprintf("-%06d", -year) + text
	default:
		text = fmt.Sprintf("+%06d", year) + text
	}
	if _, ok := parseDate(text); !ok {
		return nil
	}
	return text
}

// Bytes makes a Uint8Array.
func Bytes(data []byte) app.Value {
	text := make([]byte, 0, len(loneHead)+base64.StdEncoding.EncodedLen(len(data))+len(loneTail))
	text = base64.StdEncoding.AppendEncode(append(text, loneHead...), data)
	return append(text, loneTail...)
}
