package value

import (
	"bytes"
	"encoding/base64"
)

const (
	loneHead = `{"$":"bytes","t":"Uint8Array","v":"`
	loneTail = `"}`
)

// notBase64 is 1 for each byte that is no digit of base64.
var notBase64 = func() (table [256]byte) {
	for c := range table {
		b := byte(c)
		if !(b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '+' || b == '/') {
			table[c] = 1
		}
	}
	return table
}()

// allBase64 looks at eight bytes at once, since there may be sixteen million.
func allBase64(text []byte) bool {
	bad := byte(0)
	for len(text) >= 8 {
		bad |= notBase64[text[0]] | notBase64[text[1]] | notBase64[text[2]] | notBase64[text[3]] |
			notBase64[text[4]] | notBase64[text[5]] | notBase64[text[6]] | notBase64[text[7]]
		text = text[8:]
	}
	for _, c := range text {
		bad |= notBase64[c]
	}
	return bad == 0
}

// LoneText gives what stands where a value that is nothing but a Uint8Array has its
// base64 text. It looks at the ends of the value alone: whether that is base64, who
// decodes it sees, and LoneBytes.
func LoneText(text []byte) (encoded []byte, ok bool) {
	if !bytes.HasPrefix(text, []byte(loneHead)) || !bytes.HasSuffix(text, []byte(loneTail)) || len(text) < len(loneHead)+len(loneTail) {
		return nil, false
	}
	return text[len(loneHead) : len(text)-len(loneTail)], true
}

// LoneBytes tells whether a value is nothing but a Uint8Array in canonical form,
// as large results are, and gives its base64 text and how many bytes that is: one
// look at each byte in place of a tree.
func LoneBytes(text []byte) (encoded []byte, size int, ok bool) {
	if encoded, ok = LoneText(text); !ok {
		return nil, 0, false
	}
	if len(encoded) == 0 {
		return encoded, 0, true
	}
	if len(encoded)%4 != 0 {
		return nil, 0, false
	}
	// The last four may be padded, and must leave no bits over.
	head, last := encoded[:len(encoded)-4], encoded[len(encoded)-4:]
	if !allBase64(head) {
		return nil, 0, false
	}
	var rest [3]byte
	n, err := base64.StdEncoding.Strict().Decode(rest[:], last)
	if err != nil || bytes.ContainsAny(last, "\r\n") {
		return nil, 0, false
	}
	return encoded, len(head)/4*3 + n, true
}
