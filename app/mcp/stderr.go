package mcp

import (
	"strings"
	"sync"
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

// String is what is kept, as text.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.ToValidUTF8(string(t.text), "\ufffd")
	if t.cut {
		text = "…" + text
	}
	return text
}
