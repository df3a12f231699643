package sqlite

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Needle is a text that is looked for: words that stand together, without case and
// accents, as the log's index sees them.
type Needle struct {
	words []string
	open  bool // the last word may go on
	plain string
}

// NewNeedle reads text as a person types it; with a * behind it, the last word may
// go on. Text without a letter or digit is looked for as it stands.
func NewNeedle(text string) Needle {
	text, open := strings.CutSuffix(strings.TrimSpace(text), "*")
	n := Needle{open: open, plain: strings.ToLower(text)}
	for _, w := range wordsIn(text) {
		n.words = append(n.words, w.folded)
	}
	return n
}

type word struct {
	from, to int // bytes
	folded   string
}

// wordsIn cuts text into its words. JSON's escapes are blanks, as in the index.
func wordsIn(text string) (words []word) {
	text = strings.NewReplacer(`\\`, "  ", `\n`, "  ", `\r`, "  ", `\t`, "  ").Replace(text)
	from := -1
	for at := 0; at <= len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		in := at < len(text) && (unicode.IsLetter(r) || unicode.IsNumber(r) || from >= 0 && unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Co, r))
		if in && from < 0 {
			from = at
		}
		if !in && from >= 0 {
			words = append(words, word{from, at, fold(text[from:at])})
			from = -1
		}
		if at == len(text) {
			break
		}
		at += size
	}
	return words
}

func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(s))
}

// Spans are where the needle stands in text, in bytes; none: nowhere.
func (n Needle) Spans(text string) (spans [][2]int) {
	if len(n.words) == 0 {
		lower := strings.ToLower(text)
		if n.plain == "" || len(lower) != len(text) { // lowering moved what stands where
			return nil
		}
		for at := 0; ; {
			next := strings.Index(lower[at:], n.plain)
			if next < 0 {
				return spans
			}
			spans = append(spans, [2]int{at + next, at + next + len(n.plain)})
			at += next + len(n.plain)
		}
	}
	words := wordsIn(text)
	for i := 0; i+len(n.words) <= len(words); i++ {
		fits := slices.EqualFunc(n.words, words[i:i+len(n.words)], func(a string, b word) bool { return a == b.folded })
		if !fits && n.open {
			last := len(n.words) - 1
			fits = slices.EqualFunc(n.words[:last], words[i:i+last], func(a string, b word) bool { return a == b.folded }) && strings.HasPrefix(words[i+last].folded, n.words[last])
		}
		if fits {
			spans = append(spans, [2]int{words[i].from, words[i+len(n.words)-1].to})
			i += len(n.words) - 1
		}
	}
	return spans
}

// hasWords is has_words(text, needle) in SQL, for what the index does not have.
func hasWords(text, needle string) bool { return len(NewNeedle(needle).Spans(text)) > 0 }
