package files

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// decode reads text as UTF-8; by the file's mark as UTF-16; else, when no byte of
// it is one that text never has, as Windows-1252, which every byte sequence is.
// ok is false for what is no text. head is how the file begins, data a piece of
// it, which is its beginning when atStart and its end when whole.
func decode(data, head []byte, atStart, whole bool) (text, encoding string, used int, ok bool) {
	for _, mark := range []struct {
		bytes  []byte
		name   string
		endian unicode.Endianness
	}{{[]byte{0xFE, 0xFF}, "utf-16be", unicode.BigEndian}, {[]byte{0xFF, 0xFE}, "utf-16le", unicode.LittleEndian}} {
		if bytes.HasPrefix(head, mark.bytes) {
			even := len(data) &^ 1
			decoded, err := unicode.UTF16(mark.endian, unicode.UseBOM).NewDecoder().Bytes(data[:even])
			return string(decoded), mark.name, even, err == nil
		}
	}
	if rest, marked := bytes.CutPrefix(data, []byte{0xEF, 0xBB, 0xBF}); marked && atStart {
		text, encoding, used, ok = decode(rest, nil, false, whole)
		return text, encoding, used + 3, ok
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return "", "", 0, false
	}
	end := len(data)
	if !whole {
		end = wholeCharacters(data)
	}
	if utf8.Valid(data[:end]) {
		return string(data[:end]), "utf-8", end, true
	}
	if bytes.ContainsFunc(data, func(r rune) bool { return r < 0x20 && r != '\t' && r != '\n' && r != '\r' && r != '\f' && r != 0x1b }) {
		return "", "", 0, false
	}
	decoded, err := charmap.Windows1252.NewDecoder().Bytes(data)
	return string(decoded), "windows-1252", len(data), err == nil
}

// headSize is how much of a file is looked at to tell its encoding, in bytes.
const headSize = 4096

// cutsCharacter says whether a later piece of a UTF-8 file begins inside a
// character: it would be taken for Windows-1252.
func cutsCharacter(head, data []byte) bool {
	n := 0
	for n < len(data) && n < utf8.UTFMax-1 && !utf8.RuneStart(data[n]) {
		n++
	}
	return n > 0 && utf8.Valid(head[:wholeCharacters(head)]) && utf8.Valid(data[n:n+wholeCharacters(data[n:])])
}

// wholeCharacters is where a piece of UTF-8 must end so as not to cut one.
func wholeCharacters(data []byte) int {
	for end := len(data); end > 0 && end > len(data)-utf8.UTFMax; end-- {
		if utf8.RuneStart(data[end-1]) {
			if utf8.FullRune(data[end-1:]) {
				return len(data)
			}
			return end - 1
		}
	}
	return len(data)
}
