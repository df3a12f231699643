package card

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPlainShowsWhatCannotBeSeen(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		found          Oddity
	}{
		{"ASCII stays", `{"to":"a@x.test"}`, `{"to":"a@x.test"}`, 0},
		{"letters of every script stay", "Grüße, 東京, עברית, العربية, हिन्दी, ไทย", "Grüße, 東京, עברית, العربية, हिन्दी, ไทย", 0},
		{"decomposed accents stay", "e\u0301", "e\u0301", 0},
		{"emoji with its selector stays", "❤\uFE0F 🎉", "❤\uFE0F 🎉", 0},
		{"right-to-left override", "boss\u202Etset.x@live", `boss\u{202E}tset.x@live`, Direction},
		{"isolates", "\u2066now\u2069", `\u{2066}now\u{2069}`, Direction},
		{"zero width space", "pay\u200Bnow", `pay\u{200B}now`, Invisible},
		{"byte order mark", "\uFEFFa", `\u{FEFF}a`, Invisible},
		{"soft hyphen", "a\u00ADb", `a\u{00AD}b`, Invisible},
		{"joiner", "a\u200Db", `a\u{200D}b`, Invisible},
		{"tag characters", "a\U000E0041", `a\u{E0041}`, Invisible},
		{"Hangul filler", "a\u3164b", `a\u{3164}b`, Invisible},
		{"Braille blank", "a\u2800b", `a\u{2800}b`, Invisible},
		{"variation selector on a letter", "a\uFE0F", `a\u{FE0F}`, Invisible},
		{"supplementary variation selector", "a\U000E0100", `a\u{E0100}`, Invisible},
		{"no-break space", "a\u00A0b", `a\u{00A0}b`, Blank},
		{"ideographic space", "a\u3000b", `a\u{3000}b`, Blank},
		{"escape character", "\x1b[2J", `\u{001B}[2J`, Control},
		{"NUL", "a\x00b", `a\u{0000}b`, Control},
		{"delete", "a\x7f", `a\u{007F}`, Control},
		{"C1 control", "a\u009b", `a\u{009B}`, Control},
		{"line separator", "a\u2028b", `a\u{2028}b`, Control},
		{"line break on one line", "a\nb", `a\u{000A}b`, Control},
		{"unassigned", "a\u0378", `a\u{0378}`, Unassigned},
		{"private use", "a\uE000", `a\u{E000}`, Unassigned},
		{"noncharacter", "a\uFFFF", `a\u{FFFF}`, Unassigned},
		{"mark without a base", "\u0301a", `\u{0301}a`, Stacked},
		{"mark on a quote", "\"\u0301", `"\u{0301}`, Stacked},
		{"a pile of marks", "a\u0301\u0301\u0301\u0301\u0301", "a\u0301\u0301\u0301" + `\u{0301}\u{0301}`, Stacked},
		{"enclosing mark", "a\u20DD", `a\u{20DD}`, Invisible},
		{"broken UTF-8", "a\xffb", `a\x{FF}b`, Broken},
		{"a cut rune", "a\xe2\x82", `a\x{E2}\x{82}`, Broken},
		{"a real replacement character stays", "a\uFFFDb", "a\uFFFDb", 0},
		{"several kinds", "\u202E\u200B", `\u{202E}\u{200B}`, Direction | Invisible},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, found := Plain(c.in)
			if got != c.want || found != c.found {
				t.Errorf("Plain(%+q) = %+q, %b; want %+q, %b", c.in, got, found, c.want, c.found)
			}
		})
	}
}

func TestPlainLinesKeepsOnlyLineBreaks(t *testing.T) {
	got, found := PlainLines("{\n  \"a\": \"\u202E\"\r\n}")
	if want := "{\n  \"a\": \"\\u{202E}\"\\u{000D}\n}"; got != want || found != Direction|Control {
		t.Errorf("got %q, %b", got, found)
	}
}

func TestNothingInvisibleComesThroughPlain(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		shown, found := Plain(string(r))
		if shown == string(r) {
			if found != 0 {
				t.Fatalf("%U is shown as it is, yet reported", r)
			}
			if !unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && r != ' ' {
				t.Fatalf("%U came through", r)
			}
			continue
		}
		if found == 0 || !strings.HasPrefix(shown, `\u{`) {
			t.Fatalf("%U became %q without a report", r, shown)
		}
	}
}

func TestPlainIsStable(t *testing.T) {
	first, _ := Plain("a\u202E\u0301\xff\x00")
	if second, found := Plain(first); second != first || found != 0 {
		t.Errorf("escaping twice changed %q to %q (%b)", first, second, found)
	}
}

func TestWarningNamesTheKinds(t *testing.T) {
	for found, want := range map[Oddity]string{
		0:                               "",
		Direction:                       `Contains characters that change the direction of text. They are shown as escapes such as \u{202E}.`,
		Invisible | Control | Direction: `Contains characters that change the direction of text, invisible characters and control characters. They are shown as escapes such as \u{202E}.`,
	} {
		if got := found.Warning(); got != want {
			t.Errorf("%b: got %q, want %q", found, got, want)
		}
	}
}

func TestControlsThatJSONEscapedAreReported(t *testing.T) {
	for text, want := range map[string]Oddity{
		`"a\nb\tc\r"`:  0,
		`"\\u001b"`:    0,
		`"\\\\b"`:      0,
		`"\u001b[2J"`:  Control,
		`"\\\u0000"`:   Control,
		`"\b"`:         Control,
		`"\u202e"`:     0, // never written so by the canonical form; Plain shows it as text
		`"a trailing\`: 0,
	} {
		if got := jsonControls(text); got != want {
			t.Errorf("%s: got %b, want %b", text, got, want)
		}
	}
}
