package settings

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// escape makes a name a token of a JSON pointer.
func escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func sortedNames(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// baseName is the name that a folder has when it is given none.
func baseName(path string) string { return filepath.Base(filepath.Clean(path)) }
