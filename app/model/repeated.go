package model

import (
	"bytes"
	"strings"
	"unicode"
)

// How long a key is, in bytes, from which on it is taken out of what a server
// repeats. Servers on one's own machine want a key and look at none, so people
// give them a word (none, ollama, EMPTY, lm-studio, sk-no-key-required), which
// is no secret, and which a path, an answer or a program may well hold: taken
// out there, another program would run than the model has written. A real key
// is long, and mixed so that no text has it by chance; where one is in an answer,
// a server has repeated it, and a program does without it. An error is nobody's
// program, so a shorter key is taken out of its text already.
const (
	secretInAnswer = 16
	secretInError  = 8
)

// hideRepeated takes a key that the page must not see out of a text of a server.
func hideRepeated(text, key string, least int) string {
	if !secret(key, least) {
		return text
	}
	return strings.ReplaceAll(text, key, "[key]")
}

// hideInAnswer takes the key out of an answer, or of whole records of one.
func hideInAnswer(text []byte, key string) []byte {
	if !secret(key, secretInAnswer) {
		return text
	}
	return bytes.ReplaceAll(text, []byte(key), []byte("[key]"))
}

// secret says whether a key is one that nobody writes by chance: it has the
// length, half of that in different characters (sk-xxxxxxxxxxxxx has not), and
// two of small letters, capitals and digits.
func secret(key string, least int) bool {
	different := map[rune]bool{}
	var small, capital, digit int
	for _, c := range key {
		different[c] = true
		switch {
		case unicode.IsLower(c):
			small = 1
		case unicode.IsUpper(c):
			capital = 1
		case unicode.IsDigit(c):
			digit = 1
		}
	}
	return len(key) >= least && 2*len(different) >= least && small+capital+digit >= 2
}
