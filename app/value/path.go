package value

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf16"

	"github.com/faustine-ai/countersign/app"
)

// path is where a part of a value stands, as a person would write it:
// input.items[3].name. Built only when an error needs it, from parent to child.
type path struct {
	root   string
	parent *path
	step   string
}

func (p path) index(i int) path     { return p.child("[" + strconv.Itoa(i) + "]") }
func (p path) child(s string) path  { return path{parent: &p, step: s} }
func (p path) entry(i int) path     { return p.child(fmt.Sprintf("(entry %d)", i)) }
func (p path) entryKey(i int) path  { return p.child(fmt.Sprintf("(key %d)", i)) }
func (p path) member(s string) path { return p.child("." + s) }

var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

func (p path) key(k string) path {
	if identifier.MatchString(k) {
		return p.child("." + k)
	}
	return p.child("[" + strconv.Quote(clip(k)) + "]")
}

func (p path) String() string {
	if p.parent == nil {
		return p.root
	}
	return p.parent.String() + p.step
}

// refuse is an InvalidInput that names the path.
func (p path) refuse(format string, args ...any) *app.Error {
	return app.Errorf(app.InvalidInput, "%s: %s", p, fmt.Sprintf(format, args...))
}

// clip bounds text from outside inside an error message.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	for i := most; ; i-- { // never through the middle of a character
		if s[i]&0xC0 != 0x80 {
			return s[:i] + "…"
		}
	}
}

// sortedKeys gives the keys in JCS order: by UTF-16 code units, not by bytes.
func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareUTF16)
	return keys
}

func compareUTF16(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}
