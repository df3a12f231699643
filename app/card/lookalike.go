package card

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mtibben/confusables"
)

// Letters of one script pass for letters of another: “раураl” in Cyrillic and one
// Latin letter. What counts as passing for another is UTS #39's table; which
// scripts may stand in one word is its level “highly restrictive”.
//
// A word is held for a mask when
//  1. its letters are of scripts that no language writes together,
//  2. it has letters that are forms of A to Z (fullwidth, mathematical), or
//  3. it is of another script, all of it looks like A to Z, and it stands in one
//     piece with Latin (“раура.com”), or the text has no word of that script that
//     does not look so.

// span is a part of a text, in bytes.
type span struct{ from, to int }

// word is a run of letters, marks and digits with a letter beyond ASCII in it.
type word struct {
	span
	piece  int    // runs of text without blanks and quotes are numbered
	script string // "" for several
	latin  bool   // all of it looks like A to Z
	mask   bool   // known already
}

// masks finds the words that pass for others, in order.
func masks(text string) []span {
	words, latinIn := foreignWords(text)
	if len(words) == 0 {
		return nil
	}
	honest := map[string]bool{} // scripts with a word that looks like nothing else
	for _, w := range words {
		if !w.mask && !w.latin {
			honest[w.script] = true
		}
	}
	var found []span
	for _, w := range words {
		alone := !honest[w.script] && utf8.RuneCountInString(text[w.from:w.to]) > 2
		if w.mask || w.latin && (latinIn[w.piece] || alone) {
			found = append(found, w.span)
		}
	}
	return found
}

// foreignWords lists the words that are not Latin, and the pieces that have
// Latin letters outside of these.
func foreignWords(text string) (words []word, latinIn map[int]bool) {
	latinIn = map[int]bool{}
	piece := 0
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if !inWord(r) {
			if r == '"' || r == '\'' || r == '\\' || unicode.IsSpace(r) {
				piece++
			}
			i += size + escaped(text[i:])
			continue
		}
		end, ascii := wordEnd(text, i)
		if ascii {
			latinIn[piece] = latinIn[piece] || strings.ContainsFunc(text[i:end], unicode.IsLetter)
		} else if w := judge(text[i:end]); w.script == "Latin" && !w.mask {
			latinIn[piece] = true
		} else {
			w.span, w.piece = span{i, end}, piece
			words = append(words, w)
		}
		i = end
	}
	return words, latinIn
}

// escaped is how many bytes behind a backslash belong to one of JSON's escapes:
// the n of “\nПривет” is no Latin letter of the word.
func escaped(text string) int {
	switch {
	case len(text) < 2 || text[0] != '\\':
		return 0
	case text[1] == 'u':
		return min(len(text), 6) - 1
	case strings.IndexByte(`nrtbf"\/`, text[1]) >= 0:
		return 1
	}
	return 0
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N)
}

func wordEnd(text string, at int) (end int, ascii bool) {
	ascii = true
	for at < len(text) {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		if !inWord(r) {
			break
		}
		ascii = ascii && r < utf8.RuneSelf
		at += size
	}
	return at, ascii
}

// maxWord bounds what is looked up of one word: no word is longer, and the
// table's skeleton of a megabyte of letters takes its time.
const maxWord = 4096

func judge(text string) word {
	if len(text) > maxWord {
		text = text[:runeEnd(text, maxWord)]
	}
	scripts := map[string]bool{}
	var w word
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		if s := scriptOf(r); s != "" {
			scripts[s] = true
			w.script = s
		}
		w.mask = w.mask || isForm(r)
	}
	if len(scripts) > 1 {
		w.script = ""
		w.mask = w.mask || !together(scripts)
	} else if w.script != "Latin" && w.script != "" {
		w.latin = isASCII(confusables.Skeleton(text))
	}
	return w
}

// isForm: fullwidth and mathematical letters are A to Z in another dress.
func isForm(r rune) bool {
	return r >= 0xFF21 && r <= 0xFF5A || r >= 0x1D400 && r <= 0x1D7FF
}

// together: Latin with the scripts of Japanese, Chinese or Korean.
func together(scripts map[string]bool) bool {
	for _, set := range [][]string{
		{"Latin", "Han", "Hiragana", "Katakana"}, {"Latin", "Han", "Bopomofo"}, {"Latin", "Han", "Hangul"},
	} {
		n := 0
		for _, s := range set {
			if scripts[s] {
				n++
			}
		}
		if n == len(scripts) {
			return true
		}
	}
	return false
}

// common are looked through first: nearly all text is written in them.
var common = []string{"Latin", "Cyrillic", "Greek", "Han", "Hiragana", "Katakana", "Hangul", "Arabic", "Hebrew", "Devanagari", "Thai"}

// scriptOf is the script of a letter, "" for one that several share.
func scriptOf(r rune) string {
	if r < utf8.RuneSelf {
		return "Latin"
	}
	for _, name := range common {
		if unicode.Is(unicode.Scripts[name], r) {
			return name
		}
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			if name == "Common" || name == "Inherited" {
				return ""
			}
			return name
		}
	}
	return ""
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
