package mcp

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// tail keeps the end of what a server writes to its error output.
type tail struct {
	mu   sync.Mutex
	text []byte
	cut  bool
}

// Write keeps the last of it and never fails: a full buffer must not stop a server.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - maxStderr; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
		t.cut = true
	}
	return len(p), nil
}

// colours are what programs write for a terminal.
var colours = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

// String is what is kept, as text of lines: what is not seen, or changes how the
// rest is read, is shown as what it is not.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := colours.ReplaceAllString(strings.ToValidUTF8(string(t.text), "\ufffd"), "")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return -1
		case unseen(r):
			return utf8.RuneError
		}
		return r
	}, text)
	if t.cut {
		text = "…" + text
	}
	return text
}
