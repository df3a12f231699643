package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Conceal replaces parts of a JSON text, named by JSON pointers (RFC 6901), by
// what replace makes of them; a pointer that leads nowhere is left. Logs use it
// to keep what Entry.Secrets names out of what they store. The text that comes
// back is JSON, but not canonical.
func Conceal(text []byte, pointers []string, replace func(pointer string, part any) any) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // digits are kept as they are
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	for _, pointer := range pointers {
		if !strings.HasPrefix(pointer, "/") {
			return nil, fmt.Errorf("the pointer %q names no part", pointer)
		}
		tree = conceal(tree, strings.Split(pointer[1:], "/"), func(part any) any { return replace(pointer, part) })
	}
	return json.Marshal(tree)
}

func conceal(node any, steps []string, replace func(any) any) any {
	if len(steps) == 0 {
		return replace(node)
	}
	step := strings.NewReplacer("~1", "/", "~0", "~").Replace(steps[0])
	switch node := node.(type) {
	case map[string]any:
		if part, ok := node[step]; ok {
			node[step] = conceal(part, steps[1:], replace)
		}
	case []any:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(node) {
			node[i] = conceal(node[i], steps[1:], replace)
		}
	}
	return node
}

// Pointer appends a step to a JSON pointer.
func Pointer(pointer, step string) string {
	return pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(step)
}
