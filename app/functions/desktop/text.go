package desktop

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tame makes text fit for a line of a notification: characters that are not seen,
// or turn the direction of others, are shown as what they are not.
func tame(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp):
			return utf8.RuneError
		}
		return r
	}, text))
}

// whole takes off a character that was cut.
func whole(text string) string {
	for n := len(text); n > 0 && n > len(text)-utf8.UTFMax; n-- {
		if utf8.ValidString(text[:n]) {
			return text[:n]
		}
	}
	return strings.ToValidUTF8(text, "")
}
