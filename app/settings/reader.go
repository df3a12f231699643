package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// everything is what the file is called in a sentence; its members have no prefix.
const everything = "settings"

// maxFile bounds the file, in bytes: one that is larger is something else.
const maxFile = 1 << 20

// reader reads values out of the syntax tree and notes what is wrong, where.
type reader struct {
	text     []byte
	problems []Problem
}

func (r *reader) mistake(v hujson.Value, format string, args ...any) {
	r.problems = append(r.problems, at(r.text, v.StartOffset, Mistake, format, args...))
}

func (r *reader) warn(v hujson.Value, format string, args ...any) {
	r.problems = append(r.problems, at(r.text, v.StartOffset, Warning, format, args...))
}

// parse gives the syntax tree, or notes why there is none.
func (r *reader) parse() (hujson.Value, bool) {
	if len(r.text) > maxFile {
		r.problems = append(r.problems, whole(Mistake, "expected at most %d bytes, got %d", maxFile, len(r.text)))
		return hujson.Value{}, false
	}
	for i := 0; i < len(r.text); {
		c, size := utf8.DecodeRune(r.text[i:])
		if c == utf8.RuneError && size == 1 {
			r.problems = append(r.problems, at(r.text, i, Mistake, "expected UTF-8, got the byte 0x%02x", r.text[i]))
			return hujson.Value{}, false
		}
		if c == '\uFEFF' && i == 0 {
			r.problems = append(r.problems, at(r.text, 0, Mistake, "the file begins with a byte order mark; save it as UTF-8 without one"))
			return hujson.Value{}, false
		}
		i += size
	}
	tree, err := hujson.Parse(r.text)
	if err == nil {
		return tree, true
	}
	// The place is in the error's text only.
	p := Problem{Severity: Mistake, Text: plainSyntax(err)}
	var column int
	if n, scanned := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &p.Line, &column); scanned == nil && n == 2 {
		p.Column = r.characters(p.Line, column)
	}
	r.problems = append(r.problems, p)
	return hujson.Value{}, false
}

// characters turns a column in bytes into one in characters.
func (r *reader) characters(line, column int) int {
	lines := strings.SplitAfter(string(r.text), "\n")
	if line < 1 || line > len(lines) {
		return column
	}
	return utf8.RuneCountInString(lines[line-1][:min(column-1, len(lines[line-1]))]) + 1
}

func plainSyntax(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
		err = inner
		if strings.Contains(err.Error(), "unexpected EOF") {
			return "the file ends too early: a quote, a bracket or a brace is not closed"
		}
	}
	return err.Error()
}

// object reads the members of an object, and says whether it was one with names
// that are known: what is missing in another need not be told. A name that is not known is refused with
// the nearest that is; one that comes twice is refused, since readers differ on
// which counts.
func (r *reader) object(what string, v hujson.Value, known []string, read func(name string, v hujson.Value)) bool {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		r.mistake(v, "%s: expected an object in { }, got %s", what, kind(v))
		return false
	}
	seen := map[string]bool{}
	ok = true
	prefix := what + ": "
	if what == everything {
		prefix = ""
	}
	for _, m := range object.Members {
		name := m.Name.Value.(hujson.Literal).String()
		switch {
		case known != nil && !slices.Contains(known, name):
			ok = false
			if like, ok := nearest(name, known); ok {
				r.mistake(m.Name, "%sthere is no setting %q; did you mean %q?", prefix, name, like)
			} else {
				r.mistake(m.Name, "%sthere is no setting %q; expected %s", prefix, name, listed(known))
			}
		case seen[name]:
			r.mistake(m.Name, "%s%q stands here twice; leave one", prefix, name)
		default:
			read(name, m.Value)
		}
		seen[name] = true
	}
	return ok
}

func (r *reader) list(what string, v hujson.Value, read func(what string, v hujson.Value)) {
	array, ok := v.Value.(*hujson.Array)
	if !ok {
		r.mistake(v, "%s: expected a list in [ ], got %s", what, kind(v))
		return
	}
	for i, element := range array.Elements {
		read(fmt.Sprintf("%s[%d]", what, i), element)
	}
}

// string reads a text without control characters.
func (r *reader) string(what string, v hujson.Value) (string, bool) {
	literal, ok := v.Value.(hujson.Literal)
	if !ok || literal.Kind() != '"' {
		r.mistake(v, "%s: expected a text in quotes, got %s", what, kind(v))
		return "", false
	}
	var s string
	if err := json.Unmarshal(literal, &s); err != nil {
		r.mistake(v, "%s: the text cannot be read: %v", what, err)
		return "", false
	}
	for _, c := range s {
		if unicode.IsControl(c) || c == utf8.RuneError || unicode.Is(unicode.Bidi_Control, c) {
			r.mistake(v, "%s: expected a text of visible characters, got %q", what, s)
			return "", false
		}
	}
	return s, true
}

func (r *reader) flag(what string, v hujson.Value) bool {
	literal, ok := v.Value.(hujson.Literal)
	if !ok || literal.Kind() != 't' && literal.Kind() != 'f' {
		r.mistake(v, "%s: expected true or false, got %s", what, kind(v))
		return false
	}
	return literal.Bool()
}

// count reads a whole number from 1 to most.
func (r *reader) count(what string, v hujson.Value, most int64) (int64, bool) {
	literal, ok := v.Value.(hujson.Literal)
	n, err := strconv.ParseInt(string(literal), 10, 64)
	if !ok || err != nil || n < 1 || n > most {
		r.mistake(v, "%s: expected a whole number from 1 to %d, got %s", what, most, kind(v))
		return 0, false
	}
	return n, true
}

func oneOf[T ~string](r *reader, what string, v hujson.Value, known []T) (T, bool) {
	text, ok := r.string(what, v)
	if !ok {
		return "", false
	}
	if slices.Contains(known, T(text)) {
		return T(text), true
	}
	var names []string
	for _, k := range known {
		names = append(names, strconv.Quote(string(k)))
	}
	r.mistake(v, "%s: expected %s, got %q", what, listed(names), text)
	return "", false
}

// kind is what a value is, for a sentence.
func kind(v hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	text := string(v.Value.(hujson.Literal))
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "") + "…"
	}
	return text
}
