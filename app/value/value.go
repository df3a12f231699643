// Package value makes and checks the canonical tagged form of JavaScript
// values: the one text that is shown, logged, digested and executed.
//
// The form is JSON as RFC 8785 (JCS) writes it: keys sorted by UTF-16 code
// units, numbers as JavaScript prints them. What JSON lacks is an object whose
// key "$" names it:
//
//	{"$":"undefined"}
//	{"$":"number","v":"NaN"}            also Infinity, -Infinity, -0
//	{"$":"bigint","v":"123"}
//	{"$":"date","v":"2026-01-01T00:00:00.000Z"}   v is null for an invalid Date
//	{"$":"bytes","t":"Uint8Array","v":"AAEC"}     base64, padded
//	{"$":"map","v":[[k,v],…]}   {"$":"set","v":[v,…]}          insertion order
//	{"$":"string","v":"d800"}           UTF-16 units in hex; lone surrogates only
//	{"$":"regexp","v":[source,flags]}
//	{"$":"error","v":{"message":…,"name":…}}
//	{"$":"array","n":3,"v":[[1,v],…]}   arrays with holes
//	{"$":"file","v":{"bytes":…,"modified":…,"name":…,"type":…}}
//	{"$":"blob","v":{"bytes":…,"type":…}}
//	{"$":"object","v":[[key,v],…]}      objects that own a key "$" or a key
//	                                    that is not well-formed UTF-16
//
// Every value has exactly one text: a tag is refused where plain JSON would do.
// tests/vectors/values.json holds examples of both, read here and by the page.
//
// Package value is a leaf: it imports app only, and anyone may import it.
package value

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/gowebpki/jcs"

	"github.com/faustine-ai/countersign/app"
)

const (
	// MaxDepth is how deep the brackets of the text may nest, tags included.
	// Deeper ones are an attack on recursive readers, here and in the page.
	MaxDepth = 500
	// MaxBytes is how long the text of an input or result may be, in bytes. It
	// bounds what one call can make the log, the card and the bridge hold.
	MaxBytes = 16 << 20
)

// Canonical checks a value's text and returns it in canonical form. Key order,
// white space and string escapes may differ from the canonical ones, since
// JSON.stringify does not sort; anything else that is not canonical (a number
// that would be rounded, a duplicate key, a wrong tag) is refused with code
// InvalidInput, naming the path that starts with root ("input", "result").
func Canonical(text []byte, root string) (app.Value, error) {
	if len(text) > MaxBytes {
		return nil, app.Errorf(app.InvalidInput, "%s is %d bytes long as text; at most %d are taken", root, len(text), MaxBytes)
	}
	if len(text) == 0 {
		return nil, app.Errorf(app.InvalidInput, "%s is missing; send {\"$\":\"undefined\"} for undefined", root)
	}
	if _, _, ok := LoneBytes(text); ok || isPlain(text) {
		return text, nil
	}
	if nesting(text) > MaxDepth {
		return nil, app.Errorf(app.InvalidInput, "%s nests arrays and objects deeper than %d levels as text", root, MaxDepth)
	}
	// jcs refuses duplicate keys, lone surrogates and invalid UTF-8, which
	// encoding/json would silently repair.
	canonical, err := Transform(text)
	if err != nil {
		return nil, &app.Error{Code: app.InvalidInput, Cause: err, Message: fmt.Sprintf("%s is not a canonical value: %v", root, err)}
	}
	tree, err := parse(text)
	if err != nil {
		return nil, &app.Error{Code: app.InvalidInput, Cause: err, Message: fmt.Sprintf("%s is not JSON: %v", root, err)}
	}
	if err := check(tree, path{root: root}); err != nil {
		return nil, err
	}
	return canonical, nil
}

// Parse is Canonical for text that must be canonical already, byte for byte.
func Parse(text []byte, root string) (app.Value, error) {
	canonical, err := Canonical(text, root)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(canonical, text) {
		return nil, app.Errorf(app.InvalidInput, "%s is not in canonical form: sort keys, write no white space and no needless escapes", root)
	}
	return canonical, nil
}

// nesting counts how deep the brackets of a JSON text nest.
func nesting(text []byte) int {
	depth, deepest, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
			deepest = max(deepest, depth)
		case c == ']' || c == '}':
			depth--
		}
	}
	return deepest
}

// parse reads JSON into a tree of nil, bool, json.Number, string, []any and
// map[string]any. jcs has accepted the text before, so nothing is repaired.
func parse(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("text follows the value")
	}
	return tree, nil
}

// check walks a tree and refuses what has another canonical text.
func check(node any, at path) error {
	switch node := node.(type) {
	case json.Number:
		return checkNumber(node, at)
	case []any:
		for i, item := range node {
			if err := check(item, at.index(i)); err != nil {
				return err
			}
		}
	case map[string]any:
		if tag, tagged := node["$"]; tagged {
			return checkTagged(tag, node, at)
		}
		for _, key := range sortedKeys(node) {
			if err := check(node[key], at.key(key)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkNumber refuses a number that JavaScript would print differently: it
// would be rounded, so what was sent is not what would run.
func checkNumber(n json.Number, at path) error {
	f, err := strconv.ParseFloat(n.String(), 64)
	if err != nil {
		return at.refuse("the number %s is out of range", clip(n.String()))
	}
	printed, err := jcs.NumberToJSON(f)
	if err != nil {
		return at.refuse("the number %s is out of range", clip(n.String()))
	}
	if printed != n.String() {
		return at.refuse("the number is written %s where JavaScript writes %s; use a tag for -0 and for bigints", clip(n.String()), printed)
	}
	return nil
}
