package mcp

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tame makes text of a server fit to be read beside ours: one line, without
// characters that are not seen or change the direction of others, and bounded.
func tame(text string, most int) string {
	var b strings.Builder
	n, space := 0, false
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		if unicode.IsSpace(r) {
			space = b.Len() > 0
			continue
		}
		if unseen(r) {
			r = utf8.RuneError
		}
		if space {
			b.WriteByte(' ')
			n, space = n+1, false
		}
		b.WriteRune(r)
		if n++; n >= most {
			return b.String() + "…"
		}
	}
	return b.String()
}

// unseen are the characters that show nothing, or change how others are read.
func unseen(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp)
}
