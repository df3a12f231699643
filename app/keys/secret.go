package keys

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Secret is a key that nothing prints by mistake.
type Secret struct{ text string }

// maxKey is what the keychain of every system holds, in bytes.
const maxKey = 2048

// NewSecret takes a key as a person pastes it.
func NewSecret(text string) (Secret, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return Secret{}, errors.New("expected a key, got nothing")
	case len(text) > maxKey:
		return Secret{}, fmt.Errorf("expected a key of at most %d characters, got %d", maxKey, len(text))
	}
	for _, c := range []byte(text) {
		if c <= ' ' || c > '~' {
			return Secret{}, errors.New("expected a key on one line, without blanks and accents; copy it again")
		}
	}
	return Secret{text}, nil
}

// Reveal gives the key itself, for the request that carries it.
func (s Secret) Reveal() string { return s.text }

// Empty says whether there is none.
func (s Secret) Empty() bool { return s.text == "" }

// tail is what a person can tell keys apart by: the last four characters of one
// that is long enough to keep the rest a secret.
func (s Secret) tail() string {
	if len(s.text) < 16 {
		return ""
	}
	return s.text[len(s.text)-4:]
}

const hidden = "[key]"

// String hides the key, and so does every way of printing a Secret.
func (s Secret) String() string { return hidden }

// Format hides the key from %v, %+v, %#v, %s, %q and %x alike.
func (s Secret) Format(f fmt.State, _ rune) {
	if _, err := io.WriteString(f, hidden); err != nil {
		return // whoever prints is told by what it writes to
	}
}

// MarshalText hides the key from JSON and structured logs.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }
