package value

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/faustine-ai/countersign/app"
)

// Binary is a run of bytes inside a value that Brief described in place of
// printing.
type Binary struct {
	Name  string // of a File as its maker gave it, "" for other bytes
	Bytes []byte
}

// briefBytes is how many bytes are printed in full: four lines. What is longer
// tells a reader nothing in hex; its digest and a look at it do.
const briefBytes = 4 * bytesPerLine

// longText is from how many characters on a string has its length beside it.
const longText = 120

// Brief is Pretty for deciding: bytes beyond a few lines are described by size,
// kind, SHA-256 and how they begin, and returned for whoever wants to see them;
// long strings have their length beside them. Nothing else is left out.
func Brief(v app.Value) (text string, binaries []Binary) {
	tree, err := parse(v)
	if err != nil {
		return string(v), nil
	}
	p := printer{brief: true}
	p.print(tree, 0)
	return p.String(), p.binaries
}

func (p *printer) describe(kind string, data []byte, depth int) {
	p.binaries = append(p.binaries, Binary{Name: p.name, Bytes: data})
	sum := sha256.Sum256(data)
	fmt.Fprintf(p, "%s of %s bytes, binary %d", kind, grouped(len(data)), len(p.binaries))
	for _, line := range []string{
		"looks like " + http.DetectContentType(data),
		"SHA-256 " + hex.EncodeToString(sum[:]),
		"begins " + spaced(data[:bytesPerLine]) + " …",
	} {
		p.line(depth + 1)
		p.WriteString(line)
	}
}

func spaced(data []byte) string {
	parts := make([]string, len(data))
	for i, b := range data {
		parts[i] = hex.EncodeToString([]byte{b})
	}
	return strings.Join(parts, " ")
}

// length writes how long a string is, where that is worth knowing.
func (p *printer) length(text string) {
	if n := utf8.RuneCountInString(text); p.brief && n >= longText {
		p.WriteString(" (" + grouped(n) + " characters)")
	}
}

func grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
