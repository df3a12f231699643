package card

import (
	"strings"
	"testing"
)

func TestLettersThatPassForOthersAreEscapedAndFlagged(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		found          Oddity
	}{
		{"Cyrillic а in a Latin word", "pаypal", `p\u{0430}ypal`, Masked},
		{"Greek omicron in a Latin word", "gοοgle.com", `g\u{03BF}\u{03BF}gle.com`, Masked},
		{"a word all Cyrillic before a Latin ending", "раура.com", `\u{0440}\u{0430}\u{0443}\u{0440}\u{0430}.com`, Masked},
		{"and in an address", "boss@раура.example", `boss@\u{0440}\u{0430}\u{0443}\u{0440}\u{0430}.example`, Masked},
		{"a key all Cyrillic, with no other Cyrillic about", `{"раура": 1}`, `{"\u{0440}\u{0430}\u{0443}\u{0440}\u{0430}": 1}`, Masked},
		{"Greek capitals that spell Latin", "ΡΑΥ now", `\u{03A1}\u{0391}\u{03A5} now`, Masked},
		{"fullwidth letters", "Ｐａｙ", `\u{FF30}\u{FF41}\u{FF59}`, Masked},
		{"mathematical letters", "𝐩𝐚𝐲", `\u{1D429}\u{1D41A}\u{1D432}`, Masked},
		{"Armenian o", "hօme", `h\u{0585}me`, Masked},
		{"Cherokee in Latin", "ᎪBC", `\u{13AA}BC`, Masked},

		{"Russian stays", "Привет, оса и кот", "Привет, оса и кот", 0},
		{"a Russian name of a file stays", "отчёт.txt", "отчёт.txt", 0},
		{"Russian and Latin words side by side stay", "сайт example.com работает", "сайт example.com работает", 0},
		{"Greek stays", "Καλημέρα κόσμε", "Καλημέρα κόσμε", 0},
		{"Latin with accents stays", "Grüße, naïve, Łódź, İstanbul", "Grüße, naïve, Łódź, İstanbul", 0},
		{"Japanese with Latin stays", "東京タワーはTokyoにあるABC", "東京タワーはTokyoにあるABC", 0},
		{"Korean with Latin stays", "서울Seoul", "서울Seoul", 0},
		{"Hebrew, Arabic, Hindi and Thai stay", "עברית العربية हिन्दी ไทย", "עברית العربية हिन्दी ไทย", 0},
		{"micro and ohm signs stay", "5 µm", "5 µm", 0},
		{"Russian behind JSON's escapes stays", `"Привет\nМир\u2028снова\tи \"ещё\""`, `"Привет\nМир\u2028снова\tи \"ещё\""`, 0},
		{"digits beside letters stay", "отчёт2026", "отчёт2026", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, found := Plain(c.in)
			if got != c.want || found != c.found {
				t.Errorf("got %q, %b; want %q, %b", got, found, c.want, c.found)
			}
		})
	}
}

func TestTheWarningNamesLettersThatPassForOthers(t *testing.T) {
	if got := Masked.Warning(); !strings.Contains(got, "letters that pass for others") {
		t.Error(got)
	}
}

func BenchmarkPlainOfAMegabyteInRussian(b *testing.B) {
	text := strings.Repeat("Привет мир paypal ", 1<<15)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		PlainLines(text)
	}
}
