package value

import (
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf16"
)

// decodeUnits reads the hex of UTF-16 code units.
func decodeUnits(v any) ([]uint16, bool) {
	s, ok := v.(string)
	if !ok || len(s)%4 != 0 || s != strings.ToLower(s) {
		return nil, false
	}
	raw, err := hex.DecodeString(s)
	if err != nil {
		return nil, false
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
	}
	return units, true
}

func wellFormed(units []uint16) bool {
	return slices.Equal(units, utf16.Encode(utf16.Decode(units)))
}

func decodeRunes(units []uint16) string { return string(utf16.Decode(units)) }

// lone reports whether units[i], which does not stand behind its first half, is
// half of a pair without the other.
func lone(units []uint16, i int) bool {
	switch u := units[i]; {
	case u >= 0xDC00 && u < 0xE000:
		return true
	case u >= 0xD800 && u < 0xDC00:
		return i+1 == len(units) || units[i+1] < 0xDC00 || units[i+1] >= 0xE000
	}
	return false
}

// stringUnits reads a plain or tagged string as UTF-16 code units. ok is false
// for anything else, and for a tag around a well-formed string.
func stringUnits(node any) (units []uint16, plain, ok bool) {
	switch node := node.(type) {
	case string:
		return utf16.Encode([]rune(node)), true, true
	case map[string]any:
		if node["$"] == "string" && len(node) == 2 {
			units, ok = decodeUnits(node["v"])
			return units, false, ok && !wellFormed(units)
		}
	}
	return nil, false, false
}
