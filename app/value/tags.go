package value

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// elementSize holds the byte views that may cross, with the size of an element.
var elementSize = map[string]int{
	"ArrayBuffer": 1, "DataView": 1,
	"Int8Array": 1, "Uint8Array": 1, "Uint8ClampedArray": 1,
	"Int16Array": 2, "Uint16Array": 2, "Float16Array": 2,
	"Int32Array": 4, "Uint32Array": 4, "Float32Array": 4,
	"Float64Array": 8, "BigInt64Array": 8, "BigUint64Array": 8,
}

// tagMembers are the members of each tagged value.
var tagMembers = map[string][]string{
	"undefined": {"$"}, "bytes": {"$", "t", "v"}, "array": {"$", "n", "v"},
	"number": {"$", "v"}, "bigint": {"$", "v"}, "date": {"$", "v"}, "map": {"$", "v"}, "set": {"$", "v"}, "string": {"$", "v"},
	"regexp": {"$", "v"}, "error": {"$", "v"}, "file": {"$", "v"}, "blob": {"$", "v"}, "object": {"$", "v"},
}

// checkTagged refuses a tagged value that is malformed, or that has a plainer
// text.
func checkTagged(tag any, node map[string]any, at path) error {
	name, ok := tag.(string)
	if !ok {
		return at.refuse(`the tag "$" must be a string; an object with a key "$" of its own is sent as {"$":"object"}`)
	}
	members, known := tagMembers[name]
	if !known {
		return at.refuse("unknown tag %q", clip(name))
	}
	if !slices.Equal(sortedKeys(node), members) {
		return at.refuse("a tagged %s must have exactly the members %s", clip(name), strings.Join(members, ", "))
	}
	v := node["v"]
	switch name {
	case "undefined":
		return nil
	case "number":
		s, _ := v.(string)
		if !slices.Contains([]string{"NaN", "Infinity", "-Infinity", "-0"}, s) {
			return at.refuse("a tagged number must be NaN, Infinity, -Infinity or -0")
		}
		return nil
	case "bigint":
		return checkBigint(v, at)
	case "date":
		return checkDate(v, at)
	case "bytes":
		return checkBytes(node["t"], v, at)
	case "map":
		return checkMap(v, at)
	case "set":
		return checkSet(v, at)
	case "string":
		return checkString(v, at)
	case "regexp":
		return checkRegexp(v, at)
	case "error":
		return checkMembers(v, at, "error", "message", "name")
	case "file":
		return checkFile(v, at)
	case "blob":
		return checkBlob(v, at)
	case "array":
		return checkHoles(node["n"], v, at)
	case "object":
		return checkObject(v, at)
	}
	panic("value: the tag " + name + " has members but no check")
}

var integer = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

func checkBigint(v any, at path) error {
	s, _ := v.(string)
	if !integer.MatchString(s) {
		return at.refuse("a bigint must be written in decimal without leading zeros")
	}
	return nil
}

// dateText is what Date.prototype.toISOString writes.
var dateText = regexp.MustCompile(`^(\d{4}|[+-]\d{6})(-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$`)

func checkDate(v any, at path) error {
	if v == nil {
		return nil // an invalid Date
	}
	s, _ := v.(string)
	if _, ok := parseDate(s); !ok {
		return at.refuse("a date must be written as Date.prototype.toISOString does, or be null")
	}
	return nil
}

// parseDate reads a date as JavaScript writes it, years −271821 to 275760.
func parseDate(s string) (time.Time, bool) {
	m := dateText.FindStringSubmatch(s)
	if m == nil {
		return time.Time{}, false
	}
	year, err := strconv.Atoi(m[1])
	if err != nil || (len(m[1]) == 7 && year >= 0 && year <= 9999) {
		return time.Time{}, false // six digits only where four do not do
	}
	// Parse within a leap-year-equal year, then move: time.Parse takes four digits.
	base := 2000 + ((year%400)+400)%400
	t, err := time.Parse("2006-01-02T15:04:05.000Z", strconv.Itoa(base)+m[2])
	if err != nil {
		return time.Time{}, false
	}
	t = t.AddDate(year-base, 0, 0)
	const most = 8_640_000_000_000_000 // ECMA-262, 21.4.1.1
	if ms := t.UnixMilli(); ms > most || ms < -most {
		return time.Time{}, false
	}
	return t, true
}

func checkBytes(t, v any, at path) error {
	kind, _ := t.(string)
	size, known := elementSize[kind]
	if !known {
		return at.refuse("unknown kind of bytes %q", clip(kind))
	}
	data, err := decodeBase64(v)
	if err != nil {
		return at.refuse("bytes must be padded standard base64")
	}
	if len(data)%size != 0 {
		return at.refuse("%d bytes do not fill whole elements of a %s", len(data), kind)
	}
	return nil
}

func decodeBase64(v any) ([]byte, error) {
	s, ok := v.(string)
	if !ok || strings.ContainsAny(s, "\r\n") { // the decoder would skip line ends
		return nil, base64.CorruptInputError(0)
	}
	return base64.StdEncoding.Strict().DecodeString(s)
}

func checkMap(v any, at path) error {
	pairs, ok := v.([]any)
	if !ok {
		return at.refuse("a map must be a list of [key, value] pairs")
	}
	seen := map[string]bool{}
	for i, item := range pairs {
		pair, ok := item.([]any)
		if !ok || len(pair) != 2 {
			return at.entry(i).refuse("expected a [key, value] pair")
		}
		if err := checkKey(pair[0], seen, at.entryKey(i)); err != nil {
			return err
		}
		if err := check(pair[1], at.entry(i)); err != nil {
			return err
		}
	}
	return nil
}

func checkSet(v any, at path) error {
	items, ok := v.([]any)
	if !ok {
		return at.refuse("a set must be a list")
	}
	seen := map[string]bool{}
	for i, item := range items {
		if err := checkKey(item, seen, at.entry(i)); err != nil {
			return err
		}
	}
	return nil
}

// checkKey checks a map key or set member. Map and Set turn -0 into 0 and hold
// a primitive once; objects are distinct even when they look the same.
func checkKey(node any, seen map[string]bool, at path) error {
	if err := check(node, at); err != nil {
		return err
	}
	text, primitive := primitiveText(node)
	if !primitive {
		return nil
	}
	if text == `{"$":"number","v":"-0"}` {
		return at.refuse("a Map or Set never holds -0")
	}
	if seen[text] {
		return at.refuse("the same key or member twice")
	}
	seen[text] = true
	return nil
}

func primitiveText(node any) (string, bool) {
	switch node := node.(type) {
	case []any:
		return "", false
	case map[string]any:
		switch node["$"] {
		case "undefined", "number", "bigint", "string":
			return marshal(node), true
		}
		return "", false
	default:
		return marshal(node), true
	}
}

// marshal gives a text that is equal for equal trees of this package.
func marshal(node any) string {
	text, err := json.Marshal(node)
	if err != nil {
		panic("value: a parsed tree cannot fail to marshal: " + err.Error())
	}
	return string(text)
}

func checkString(v any, at path) error {
	units, ok := decodeUnits(v)
	if !ok {
		return at.refuse("a tagged string must be UTF-16 units in lower-case hex, four digits each")
	}
	if wellFormed(units) {
		return at.refuse("a well-formed string is sent as a plain string")
	}
	return nil
}

func checkRegexp(v any, at path) error {
	parts, ok := v.([]any)
	if !ok || len(parts) != 2 {
		return at.refuse("a regexp must be [source, flags]")
	}
	if _, _, ok := stringUnits(parts[0]); !ok {
		return at.refuse("the source of a regexp must be a string")
	}
	flags, ok := parts[1].(string)
	if !ok || !regexpFlags.MatchString(flags) || strings.Contains(flags, "uv") {
		return at.refuse("the flags of a regexp must be some of dgimsuvy, sorted, each once")
	}
	return nil
}

var regexpFlags = regexp.MustCompile(`^d?g?i?m?s?u?v?y?$`)

// checkMembers wants an object with exactly these members, all strings.
func checkMembers(v any, at path, what string, members ...string) error {
	node, ok := v.(map[string]any)
	if !ok || !slices.Equal(sortedKeys(node), members) {
		return at.refuse("%s must have exactly the members %s", what, strings.Join(members, ", "))
	}
	for _, m := range members {
		if _, _, ok := stringUnits(node[m]); !ok {
			return at.member(m).refuse("expected a string")
		}
	}
	return nil
}

func checkFile(v any, at path) error {
	node, ok := v.(map[string]any)
	if !ok || !slices.Equal(sortedKeys(node), []string{"bytes", "modified", "name", "type"}) {
		return at.refuse("a file must have exactly the members bytes, modified, name, type")
	}
	modified, ok := node["modified"].(json.Number)
	if !ok || !integer.MatchString(modified.String()) {
		return at.member("modified").refuse("expected whole milliseconds since 1970")
	}
	if err := checkNumber(modified, at.member("modified")); err != nil {
		return err
	}
	return checkContent(node, at, "name", "type")
}

func checkBlob(v any, at path) error {
	node, ok := v.(map[string]any)
	if !ok || !slices.Equal(sortedKeys(node), []string{"bytes", "type"}) {
		return at.refuse("a blob must have exactly the members bytes, type")
	}
	return checkContent(node, at, "type")
}

func checkContent(node map[string]any, at path, texts ...string) error {
	for _, m := range texts {
		if _, ok := node[m].(string); !ok { // both are USVStrings: well-formed
			return at.member(m).refuse("expected a string")
		}
	}
	if _, err := decodeBase64(node["bytes"]); err != nil {
		return at.member("bytes").refuse("expected padded standard base64")
	}
	return nil
}

func checkHoles(n, v any, at path) error {
	length, ok := smallInteger(n, 1<<32-1)
	items, isList := v.([]any)
	if !ok || !isList {
		return at.refuse("an array with holes must have a length n below 2^32 and a list v")
	}
	if int64(len(items)) >= length {
		return at.refuse("an array without holes is sent as a plain array")
	}
	next := int64(0)
	for i, item := range items {
		pair, ok := item.([]any)
		if !ok || len(pair) != 2 {
			return at.entry(i).refuse("expected an [index, value] pair")
		}
		index, ok := smallInteger(pair[0], length-1)
		if !ok || index < next {
			return at.entry(i).refuse("indexes must rise and stay below the length")
		}
		next = index + 1
		if err := check(pair[1], at.index(int(index))); err != nil {
			return err
		}
	}
	return nil
}

// smallInteger reads a whole number from 0 to most.
func smallInteger(node any, most int64) (int64, bool) {
	n, ok := node.(json.Number)
	if !ok || !integer.MatchString(n.String()) {
		return 0, false
	}
	i, err := n.Int64()
	return i, err == nil && i >= 0 && i <= most
}

func checkObject(v any, at path) error {
	pairs, ok := v.([]any)
	if !ok {
		return at.refuse("a tagged object must be a list of [key, value] pairs")
	}
	var last []uint16
	needed := false
	for i, item := range pairs {
		pair, ok := item.([]any)
		if !ok || len(pair) != 2 {
			return at.entry(i).refuse("expected a [key, value] pair")
		}
		key, plain, ok := stringUnits(pair[0])
		if !ok {
			return at.entryKey(i).refuse("expected a string")
		}
		if i > 0 && slices.Compare(last, key) >= 0 {
			return at.entryKey(i).refuse("keys must be sorted by UTF-16 units, each once")
		}
		last = key
		needed = needed || !plain || pair[0] == "$"
		if err := check(pair[1], at.key(decodeRunes(key))); err != nil {
			return err
		}
	}
	if !needed {
		return at.refuse(`an object without a key "$" is sent as a plain object`)
	}
	return nil
}
