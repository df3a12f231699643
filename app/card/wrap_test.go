package card

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestWrapBreaksLongLines(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a short text stays", "{\n  \"id\": 1042\n}", "{\n  \"id\": 1042\n}"},
		{"an empty text stays", "", ""},
		{"empty lines stay", "\n\n", "\n\n"},
		{"without a blank it breaks anywhere", strings.Repeat("a", 40), "aaaaaaaaaaaaaaaaaaaa\n↪ aaaaaaaaaaaaaaaaaa\n↪ aa"},
		{"it breaks behind a blank near the end", "aaaaaaaaaaaaaaaaa bbbbb", "aaaaaaaaaaaaaaaaa \n↪ bbbbb"},
		{"not behind an early blank", "aaa bbbbbbbbbbbbbbbbbbbbb", "aaa bbbbbbbbbbbbbbbb\n↪ bbbbb"},
		{"wide characters count twice", strings.Repeat("東", 11), "東東東東東東東東東東\n↪ 東"},
		{"an escape is not cut", strings.Repeat("a", 15) + `\u{202E}b`, strings.Repeat("a", 15) + "\n↪ " + `\u{202E}b`},
		{"nor a short one", strings.Repeat("a", 19) + `\nb`, strings.Repeat("a", 19) + "\n↪ " + `\nb`},
		{"of a backslash that is meant, the digits are text", strings.Repeat("a", 15) + `\\u{202E}b`, strings.Repeat("a", 15) + `\\u{2` + "\n↪ " + `02E}b`},
		{"what is no escape breaks anywhere", strings.Repeat("a", 15) + `\u{202Ex}b`, strings.Repeat("a", 15) + `\u{20` + "\n↪ " + `2Ex}b`},
		{"marks stay with their base", strings.Repeat("a", 19) + "e\u0301b", strings.Repeat("a", 19) + "e\u0301\n↪ b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Wrap(c.in, 20); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestWrapLosesNothing(t *testing.T) {
	for _, in := range []string{
		strings.Repeat("ok ", 100) + "AND delete everything",
		strings.Repeat("\u1100", 5000), // one endless cluster of Hangul jamo
		strings.Repeat("🇩🇪", 300), strings.Repeat("a\u0301東,", 500),
		strings.Repeat(`\u{202E}`, 300), strings.Repeat(`\`, 300), strings.Repeat("\\e\u0301", 300), strings.Repeat(`\u{`, 300),
		"{\n" + strings.Repeat("  \"x\": \"y\",\n", 1000) + "}",
	} {
		for _, columns := range []int{0, 16, 17, 80} {
			wrapped := Wrap(in, columns)
			if back := strings.ReplaceAll(wrapped, "\n"+Continuation, ""); back != in {
				t.Errorf("%d columns: wrapping changed %.30q…", columns, in)
			}
			if !utf8.ValidString(wrapped) {
				t.Errorf("%d columns: broken UTF-8 for %.30q…", columns, in)
			}
		}
	}
}

func TestWrapOfAMegabyteTakesNoTime(t *testing.T) {
	began := time.Now()
	Wrap(strings.Repeat("é", 1<<19), 80)
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
}
