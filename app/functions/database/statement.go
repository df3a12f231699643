package database

import (
	"strings"

	"github.com/faustine-ai/countersign/app"
)

// checkSQL refuses what would not be run as it stands.
func checkSQL(sql string) error {
	switch {
	case strings.TrimSpace(sql) == "":
		return app.Errorf(app.InvalidInput, "input.sql is empty; expected SQL")
	case strings.ContainsRune(sql, 0): // SQLite would stop there
		return app.Errorf(app.InvalidInput, "input.sql has a NUL character in it; expected SQL without")
	}
	return nil
}

// first cuts SQL after its first statement, and gives what follows without comments
// and spaces. SQLite's own tokens end at the same places: a semicolon counts
// outside of strings, quoted names and comments.
func first(sql string) (statement, rest string) {
	end := skip(sql, func(rest string) bool { return rest[0] == ';' })
	return sql[:end], spaceless(sql[end:])
}

// spaceless is text from its first token on.
func spaceless(rest string) string {
	for rest != "" {
		n := skip(rest, func(rest string) bool { return !strings.ContainsRune("; \t\r\n\f", rune(rest[0])) })
		rest = rest[n:]
		if rest != "" {
			return rest
		}
	}
	return ""
}

// skip goes over tokens until one stops it, and gives how far it came.
func skip(sql string, stop func(rest string) bool) int {
	for i := 0; i < len(sql); {
		rest := sql[i:]
		switch {
		case strings.HasPrefix(rest, "--"):
			i += until(rest, "\n", 2)
		case strings.HasPrefix(rest, "/*"):
			i += until(rest, "*/", 2)
		case stop(rest):
			return i
		case rest[0] == '\'' || rest[0] == '"' || rest[0] == '`':
			i += until(rest, rest[:1], 1) // a doubled quote is two strings side by side, which comes to the same
		case rest[0] == '[':
			i += until(rest, "]", 1)
		default:
			i++
		}
	}
	return len(sql)
}

// until is the length of text up to the end of the first mark after from.
func until(text, mark string, from int) int {
	if n := strings.Index(text[from:], mark); n >= 0 {
		return from + n + len(mark)
	}
	return len(text)
}
