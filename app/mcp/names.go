package mcp

import (
	"fmt"
	"strings"
)

// identifier makes a part of a function's name of any text: what is no letter,
// digit, _ or $ becomes _, and names that JavaScript has a use for get a _.
func identifier(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '$':
			b.WriteRune(r)
		case r >= '0' && r <= '9':
			if i == 0 {
				b.WriteByte('_')
			}
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
		if b.Len() >= 64 {
			break
		}
	}
	made := b.String()
	switch made {
	case "":
		return "_"
	case "__proto__", "constructor", "prototype", "then", "toJSON":
		return made + "_"
	}
	return made
}

// free gives a name that is not taken, and takes it.
func free(name string, taken map[string]bool) string {
	given := name
	for n := 2; taken[given]; n++ {
		given = fmt.Sprintf("%s_%d", name, n)
	}
	taken[given] = true
	return given
}
