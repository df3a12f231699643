package value

import (
	"bytes"
	"encoding/base64"
)

const (
	loneHead = `{"$":"bytes","t":"Uint8Array","v":"`
	loneTail = `"}`
)

var base64Byte = func() (table [256]bool) {
	for c := range table {
		b := byte(c)
		table[c] = b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '+' || b == '/'
	}
	return table
}()

// LoneBytes tells whether a value is nothing but a Uint8Array in canonical form,
// as large results are, and gives its base64 text and how many bytes that is: one
// look at each byte in place of a tree.
func LoneBytes(text []byte) (encoded []byte, size int, ok bool) {
	if !bytes.HasPrefix(text, []byte(loneHead)) || !bytes.HasSuffix(text, []byte(loneTail)) || len(text) < len(loneHead)+len(loneTail) {
		return nil, 0, false
	}
	encoded = text[len(loneHead) : len(text)-len(loneTail)]
	if len(encoded) == 0 {
		return encoded, 0, true
	}
	if len(encoded)%4 != 0 {
		return nil, 0, false
	}
	// The last four may be padded, and must leave no bits over.
	head, last := encoded[:len(encoded)-4], encoded[len(encoded)-4:]
	for _, c := range head {
		if !base64Byte[c] {
			return nil, 0, false
		}
	}
	var rest [3]byte
	n, err := base64.StdEncoding.Strict().Decode(rest[:], last)
	if err != nil || bytes.ContainsAny(last, "\r\n") {
		return nil, 0, false
	}
	return encoded, len(head)/4*3 + n, true
}
