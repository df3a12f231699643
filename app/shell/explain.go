package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Explain shows why the app cannot open, in a native dialog, and returns when the
// person has closed it. It is for when there is no window yet, and needs a display
// (Ready) and the program's first thread. text is shown as it is, neither as markup
// nor as a format; what could mislead in it, its caller has escaped. Where the
// dialog cannot be shown nothing happens.
func Explain(text string) {
	explain("Countersign cannot open", sentence(strings.ReplaceAll(strings.ToValidUTF8(text, "�"), "\x00", "�")))
}

// sentence makes an error's text one that stands by itself.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(first)) + text[size:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}
