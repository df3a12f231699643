package card

import (
	"fmt"
	"os"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/faustine-ai/countersign/app/value"
)

// maxName is how many bytes a proposed file name may have.
const maxName = 100

// saveName proposes a name for a binary of call seq, number n of its input. A
// name that came with it is reduced to its last part and to characters that
// mean nothing to a shell, a file system or a reader's eye.
func saveName(b value.Binary, seq, n int) string {
	fallback := fmt.Sprintf("call-%d-binary-%d.bin", seq, n)
	name := path.Base(strings.ReplaceAll(b.Name, `\`, "/"))
	if shown, found := Plain(name); found != 0 || shown != name {
		return fallback
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.M, r), r == '.', r == '-', r == '_':
			return r
		}
		return '_'
	}, name)
	// A leading dot hides a file, a leading dash makes it an option.
	name = strings.TrimRight(strings.TrimLeft(name, ".-"), ".")
	if len(name) > maxName {
		name = name[len(name)-maxName:] // the ending says what opens it
		for len(name) > 0 && !utf8.RuneStart(name[0]) {
			name = name[1:]
		}
	}
	if strings.Trim(name, "_.") == "" {
		return fallback
	}
	return name
}

// save writes a binary where the person chose, readable by them alone.
func save(b value.Binary, to string) error {
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(b.Bytes)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// saveSaid saves a binary and returns what to tell the person.
func saveSaid(b value.Binary, to string) string {
	if err := save(b, to); err != nil {
		why, _ := Plain(err.Error())
		return "Not saved: " + why
	}
	shown, _ := Plain(to)
	return "Saved as " + shown
}
