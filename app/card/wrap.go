package card

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Continuation begins every line that wrapping made. No line of a value's text
// can begin with it: those begin with a blank, a quote, a bracket, a digit or a
// letter of null, true or false.
const Continuation = "↪ "

// maxCluster bounds how many bytes may be held together as one character, so
// that a text of endless conjoining letters is still wrapped.
const maxCluster = 32

// Wrap breaks lines longer than columns of a fixed-width font. Nothing is
// dropped or hyphenated: GtkTextView would draw hyphens that are not in the data.
// It breaks behind a blank or comma in the last quarter of a line, else anywhere.
func Wrap(text string, columns int) string {
	columns = max(columns, 16)
	var out strings.Builder
	out.Grow(len(text) + len(text)/columns*len(Continuation))
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			out.WriteByte('\n')
		}
		wrapLine(&out, line, columns)
	}
	return out.String()
}

func wrapLine(out *strings.Builder, line string, columns int) {
	room := columns
	for {
		cut := lineEnd(line, room)
		out.WriteString(line[:cut])
		if line = line[cut:]; line == "" {
			return
		}
		out.WriteString("\n" + Continuation)
		room = columns - 2 // the width of Continuation
	}
}

// lineEnd is how many bytes of line go into room columns; at least one character.
func lineEnd(line string, room int) int {
	width, end, soft, state := 0, 0, 0, -1
	for rest := line; rest != ""; {
		var cluster string
		var w int
		if escape := escapeAt(rest); escape > 0 { // read as one: half of \u{202E} says something else
			cluster, w, state = rest[:escape], escape, -1
			rest = rest[escape:]
		} else if rest[0] < 0x7f && (len(rest) == 1 || rest[1] < 0x80) { // no cluster begins with two of these
			cluster, w, state = rest[:1], 1, -1
			rest = rest[1:]
		} else {
			cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
			for len(cluster) > maxCluster {
				return max(end, runeEnd(line, end+maxCluster))
			}
		}
		if width += w; width > room && end > 0 {
			if soft > 0 {
				return soft
			}
			return end
		}
		end += len(cluster)
		if (cluster == " " || cluster == ",") && width > room*3/4 {
			soft = end
		}
	}
	return end
}

// escapeAt is how many bytes the escape has that a text begins with, such as \n
// or \u{202E}; 0: it begins with none.
func escapeAt(text string) int {
	if len(text) < 2 || text[0] != '\\' || text[1] < ' ' || text[1] > '~' {
		return 0
	}
	if len(text) > 2 && text[2] >= utf8.RuneSelf { // it may be a mark on the letter
		return 0
	}
	if !strings.HasPrefix(text, `\u{`) {
		return 2
	}
	digits := text[3:min(len(text), 3+6+1)]
	end := strings.IndexByte(digits, '}')
	if end < 1 || strings.Trim(digits[:end], "0123456789ABCDEF") != "" {
		return 2
	}
	return 3 + end + 1
}

// runeEnd moves at back to where a character of UTF-8 ends.
func runeEnd(line string, at int) int {
	for at > 0 && at < len(line) && line[at]&0xC0 == 0x80 {
		at--
	}
	return at
}
