package card

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Oddity is a set of reasons why a text cannot be trusted as it looks.
type Oddity uint16

const (
	Control    Oddity = 1 << iota // control characters, line and paragraph separators
	Direction                     // characters that reorder the text around them
	Invisible                     // format characters, fillers, variation selectors
	Unassigned                    // unassigned and private-use characters: no font can be trusted to show them
	Blank                         // spaces other than U+0020
	Stacked                       // combining marks without a base, or more than maxMarks on one
	Broken                        // bytes that are not UTF-8
	Masked                        // letters of one script that pass for those of another
)

// maxMarks is how many combining marks one character may carry. Living scripts
// need three; a pile of them paints over the lines above and below.
const maxMarks = 3

// Plain returns text with every character that is not what it looks like
// written as an escape, \u{202E}, and says what kinds were found. The result is
// valid UTF-8 without NUL on one line: line breaks are escaped too.
func Plain(text string) (string, Oddity) { return escape(text, false) }

// PlainLines is Plain for text whose line breaks (\n) are its layout.
func PlainLines(text string) (string, Oddity) { return escape(text, true) }

func escape(text string, lines bool) (string, Oddity) {
	var out strings.Builder
	var found Oddity
	out.Grow(len(text))
	base := rune(-1) // the character that a combining mark would sit on; -1: none
	marks := 0
	masked := masks(text)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&out, `\x{%02X}`, text[i])
			found |= Broken
			base, i = -1, i+1
			continue
		}
		i += size
		if r >= 0x20 && r < 0x7f { // nearly all text
			out.WriteByte(byte(r))
			base, marks = r, 0
			continue
		}
		if r == '\n' && lines {
			out.WriteByte('\n')
			base = -1
			continue
		}
		kind := oddity(r, base)
		for len(masked) > 0 && i > masked[0].to {
			masked = masked[1:]
		}
		if kind == 0 && len(masked) > 0 && i > masked[0].from && unicode.IsLetter(r) && (isForm(r) || scriptOf(r) != "Latin") {
			kind = Masked
		} else if unicode.Is(unicode.M, r) && kind == 0 {
			if marks++; marks > maxMarks || !carriesMarks(base) {
				kind = Stacked
			}
		} else if kind == 0 {
			base, marks = r, 0
		}
		if kind == 0 {
			out.WriteRune(r)
			continue
		}
		fmt.Fprintf(&out, `\u{%04X}`, r)
		found |= kind
		base = -1
	}
	return out.String(), found
}

// oddity says what is wrong with one character behind base, or 0.
func oddity(r, base rune) Oddity {
	switch {
	case unicode.Is(unicode.Bidi_Control, r):
		return Direction
	case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
		return Control
	case unicode.Is(unicode.Cf, r), isFiller(r), unicode.Is(unicode.Me, r):
		return Invisible
	case unicode.Is(unicode.Variation_Selector, r):
		// An emoji presentation selector belongs to the symbol before it; anywhere
		// else selectors are a way to carry text that nobody sees.
		if (r == 0xFE0F || r == 0xFE0E) && base >= 0 && unicode.Is(unicode.So, base) {
			return 0
		}
		return Invisible
	case unicode.Is(unicode.Zs, r) && r != ' ':
		return Blank
	case !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs):
		return Unassigned // Cn, Co and, in theory, Cs
	}
	return 0
}

// isFiller: letters and symbols that are drawn as nothing.
func isFiller(r rune) bool {
	switch r {
	case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0xFFFC:
		return true
	}
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

func carriesMarks(base rune) bool {
	return base >= 0 && unicode.In(base, unicode.L, unicode.N, unicode.So)
}

// Warning is a sentence about what was found in one text, or "" for nothing.
func (o Oddity) Warning() string {
	if o == 0 {
		return ""
	}
	return "Contains " + o.kinds() + escapesNote
}

const escapesNote = ". They are shown as escapes such as \\u{202E}."

// kinds names what was found: “invisible characters and unusual blanks”.
func (o Oddity) kinds() string {
	var kinds []string
	for _, k := range []struct {
		kind Oddity
		text string
	}{
		{Direction, "characters that change the direction of text"},
		{Invisible, "invisible characters"},
		{Control, "control characters"},
		{Blank, "unusual blanks"},
		{Stacked, "stacked marks"},
		{Unassigned, "characters without a meaning"},
		{Masked, "letters that pass for others"},
		{Broken, "bytes that are not text"},
	} {
		if o&k.kind != 0 {
			kinds = append(kinds, k.text)
		}
	}
	if n := len(kinds); n > 1 {
		return strings.Join(kinds[:n-1], ", ") + " and " + kinds[n-1]
	}
	return strings.Join(kinds, "")
}

// jsonControls finds control characters that JSON has escaped already. Line
// breaks and tabs are ordinary text; the others are worth a warning.
func jsonControls(text string) Oddity {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		i++ // the escaped character, so that \\u001b is a backslash and five letters
		switch text[i] {
		case 'b', 'f':
			return Control
		case 'u':
			if strings.HasPrefix(text[i:], "u00") {
				return Control
			}
		}
	}
	return 0
}
