package value

import (
	"bytes"
	"encoding/binary"

	"github.com/gowebpki/jcs"
)

// Transform writes JSON text as RFC 8785 does. Text that is so already, as nearly
// all is that crosses the bridge, comes back as it is: a look at each byte once
// costs a thirtieth of writing it anew, and values may be 16 MiB long.
func Transform(text []byte) ([]byte, error) {
	if isPlainCanonical(text) {
		return text, nil
	}
	return jcs.Transform(text)
}

// isPlainCanonical reports whether text is canonical JSON of a kind that can be
// seen byte by byte: strings are printable ASCII without escapes, keys rise, and
// numbers have few digits and no exponent. For everything else it says no, also
// where that would be canonical.
func isPlainCanonical(text []byte) bool {
	s := scanner{text: text}
	return s.whole()
}

// isPlain reports whether text is canonical in that way and holds no tag, so that
// there is nothing more to check about it: it is the value's one text, and what
// JSON says.
func isPlain(text []byte) bool {
	s := scanner{text: text}
	return s.whole() && !s.tagged
}

type scanner struct {
	text   []byte
	at     int
	tagged bool // an object has the key "$"
}

func (s *scanner) whole() bool { return s.value(0) && s.at == len(s.text) }

// plainDepth bounds the recursion; what nests deeper is left to jcs.
const plainDepth = 64

func (s *scanner) value(depth int) bool {
	switch c := s.peek(); {
	case depth > plainDepth:
		return false
	case c == '{':
		return s.object(depth)
	case c == '[':
		return s.array(depth)
	case c == '"':
		_, ok := s.string()
		return ok
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	default:
		return s.number()
	}
}

func (s *scanner) object(depth int) bool {
	s.at++
	if s.take('}') {
		return true
	}
	var last []byte
	for first := true; ; first = false {
		key, ok := s.string()
		// By bytes is by UTF-16 units, since all are ASCII; a key that does not rise
		// is out of order or there twice.
		if !ok || !first && bytes.Compare(key, last) <= 0 {
			return false
		}
		last = key
		s.tagged = s.tagged || string(key) == "$"
		if !s.take(':') || !s.value(depth+1) {
			return false
		}
		if s.take('}') {
			return true
		}
		if !s.take(',') {
			return false
		}
	}
}

func (s *scanner) array(depth int) bool {
	s.at++
	if s.take(']') {
		return true
	}
	for {
		if !s.value(depth + 1) {
			return false
		}
		if s.take(']') {
			return true
		}
		if !s.take(',') {
			return false
		}
	}
}

// plainByte is what stands in a string as itself.
var plainByte = func() (table [256]bool) {
	for c := ' '; c <= '~'; c++ {
		table[c] = c != '"' && c != '\\'
	}
	return table
}()

func (s *scanner) string() ([]byte, bool) {
	if !s.take('"') {
		return nil, false
	}
	from := s.at
	rest := s.text[from:]
	i := 0
	for i+8 <= len(rest) && allPlain(binary.LittleEndian.Uint64(rest[i:])) {
		i += 8
	}
	for ; i < len(rest); i++ {
		if !plainByte[rest[i]] {
			s.at = from + i
			return rest[:i], s.take('"')
		}
	}
	return nil, false
}

// allPlain reports whether eight bytes stand in a string as themselves: a string may
// have sixteen million. It is exact: what a borrow or a carry adds comes from a byte
// that is none.
func allPlain(x uint64) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	quote, backslash := x^ones*'"', x^ones*'\\'
	return (x|(x+ones)|((x-ones*' ')&^x)|((quote-ones)&^quote)|((backslash-ones)&^backslash))&high == 0
}

// number takes what has at most 15 digits and no exponent: a double keeps so many,
// so JavaScript prints them as they are. -0 and what has needless zeros is not
// canonical, and below 0.000001 JavaScript prints an exponent.
func (s *scanner) number() bool {
	s.take('-')
	from := s.at
	whole := s.digits()
	if whole == 0 || whole > 1 && s.text[from] == '0' {
		return false
	}
	fraction := 0
	if s.take('.') {
		if fraction = s.digits(); fraction == 0 || s.text[s.at-1] == '0' {
			return false
		}
	}
	zero := s.text[from] == '0'
	if c := s.peek(); c == 'e' || c == 'E' || whole+fraction > 15 || zero && fraction > 6 {
		return false
	}
	return !zero || fraction > 0 || from == 0 || s.text[from-1] != '-'
}

func (s *scanner) digits() int {
	from := s.at
	for s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
		s.at++
	}
	return s.at - from
}

func (s *scanner) word(word string) bool {
	end := s.at + len(word)
	if end > len(s.text) || string(s.text[s.at:end]) != word {
		return false
	}
	s.at = end
	return true
}

func (s *scanner) take(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	return true
}

func (s *scanner) peek() byte {
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}
