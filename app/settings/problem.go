package settings

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Severity tells a mistake, which keeps the file out of force, from something
// that the person should know.
type Severity string

const (
	Mistake Severity = "error"
	Warning Severity = "warning"
)

// Problem is something about the file: what was expected, what came, and where.
type Problem struct {
	Line     int      `json:"line"`   // from 1; 0: of the file as a whole
	Column   int      `json:"column"` // from 1, in characters
	Severity Severity `json:"severity"`
	Text     string   `json:"text"`
}

// at is a problem at a byte offset of the text.
func at(text []byte, offset int, severity Severity, format string, args ...any) Problem {
	before := text[:min(offset, len(text))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return Problem{
		Line:     1 + bytes.Count(before, []byte("\n")),
		Column:   1 + utf8.RuneCount(before[start:]),
		Severity: severity,
		Text:     fmt.Sprintf(format, args...),
	}
}

// whole is a problem of the file as a whole.
func whole(severity Severity, format string, args ...any) Problem {
	return Problem{Severity: severity, Text: fmt.Sprintf(format, args...)}
}

// Print is the problem on one line, as compilers write it.
func (p Problem) Print(path string) string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s: %s", path, p.Severity, p.Text)
	}
	return fmt.Sprintf("%s:%d:%d: %s: %s", path, p.Line, p.Column, p.Severity, p.Text)
}

func wrong(problems []Problem) bool {
	for _, p := range problems {
		if p.Severity == Mistake {
			return true
		}
	}
	return false
}
