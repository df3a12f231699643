package registry

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// explain finds the part of an input that the schema refuses and says where it
// stands, what was expected and what came. The library has judged already; its
// own text names parts of the schema instead of the input, and repeats the
// whole input. Keywords that inference does not produce fall back to it.
func explain(s *jsonschema.Schema, node any, at string, cause error) string {
	if text := find(s, node, at); text != "" {
		return text
	}
	if len(secretParts(s, node, "")) > 0 {
		return at + " does not fit the schema (what is wrong is not repeated, since it holds a secret)"
	}
	text := cause.Error()
	if i := strings.LastIndex(text, ": "); i >= 0 && i+2 < len(text) {
		text = text[i+2:]
	}
	return at + " does not fit the schema: " + clip(text)
}

func find(s *jsonschema.Schema, node any, at string) string {
	if s == nil {
		return ""
	}
	got := typeOf(node)
	if expected := types(s); s.WriteOnly {
		if len(expected) > 0 && !fits(got, expected) {
			return fmt.Sprintf("%s: expected %s, got a secret of another type (%s)", at, strings.Join(expected, " or "), got)
		}
		if findInside(s, node, at) != "" {
			return at + ": a secret that does not fit the schema"
		}
		return ""
	} else if len(expected) > 0 && !fits(got, expected) {
		return fmt.Sprintf("%s: expected %s, got %s", at, strings.Join(expected, " or "), describe(node))
	}
	return findInside(s, node, at)
}

func findInside(s *jsonschema.Schema, node any, at string) string {
	switch node := node.(type) {
	case map[string]any:
		return findInObject(s, node, at)
	case []any:
		if s.MinItems != nil && len(node) < *s.MinItems || s.MaxItems != nil && len(node) > *s.MaxItems {
			return fmt.Sprintf("%s: a list of %d is too short or too long", at, len(node))
		}
		for i, item := range node {
			if text := find(s.Items, item, at+"["+strconv.Itoa(i)+"]"); text != "" {
				return text
			}
		}
	default:
		return findInScalar(s, node, at)
	}
	return ""
}

func findInObject(s *jsonschema.Schema, node map[string]any, at string) string {
	for _, key := range s.Required {
		if _, ok := node[key]; !ok {
			return fmt.Sprintf("%s: required, but missing%s", member(at, key), expects(s.Properties[key]))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(node)) {
		property, known := s.Properties[key]
		if !known {
			if s.AdditionalProperties == nil {
				continue
			}
			if s.AdditionalProperties.Not != nil { // the false schema
				return fmt.Sprintf("%s: unknown member; %s", member(at, key), members(s))
			}
			property = s.AdditionalProperties
		}
		if text := find(property, node[key], member(at, key)); text != "" {
			return text
		}
	}
	return ""
}

func findInScalar(s *jsonschema.Schema, node any, at string) string {
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(e any) bool { return jsonschema.Equal(e, node) }) {
		var allowed []string
		for _, e := range s.Enum {
			allowed = append(allowed, fmt.Sprintf("%v", e))
		}
		return fmt.Sprintf("%s: expected one of %s, got %s", at, strings.Join(allowed, ", "), describe(node))
	}
	if f, ok := float(node); ok {
		if s.Minimum != nil && f < *s.Minimum {
			return fmt.Sprintf("%s: expected at least %v, got %v", at, *s.Minimum, node)
		}
		if s.Maximum != nil && f > *s.Maximum {
			return fmt.Sprintf("%s: expected at most %v, got %v", at, *s.Maximum, node)
		}
	}
	return ""
}

// findDate finds text where the schema wants a date and time.
func findDate(s *jsonschema.Schema, node any, at string) string {
	if s == nil {
		return ""
	}
	switch node := node.(type) {
	case string:
		if s.WriteOnly {
			return ""
		}
		if _, err := time.Parse(time.RFC3339, node); s.Format == "date-time" && err != nil {
			return fmt.Sprintf("%s: expected a Date or text such as 2026-01-31T08:00:00Z, got %s", at, describe(node))
		}
	case []any:
		for i, item := range node {
			if text := findDate(s.Items, item, at+"["+strconv.Itoa(i)+"]"); text != "" {
				return text
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(node)) {
			property, known := s.Properties[key]
			if !known {
				property = s.AdditionalProperties
			}
			if text := findDate(property, node[key], member(at, key)); text != "" {
				return text
			}
		}
	}
	return ""
}

func types(s *jsonschema.Schema) []string {
	if s.Type != "" {
		return []string{s.Type}
	}
	return s.Types
}

func fits(got string, expected []string) bool {
	return slices.Contains(expected, got) || got == "integer" && slices.Contains(expected, "number")
}

func typeOf(node any) string {
	switch node := node.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case float64:
		if node != float64(int64(node)) {
			return "number"
		}
	}
	return "integer"
}

func float(node any) (float64, bool) {
	switch node := node.(type) {
	case int64:
		return float64(node), true
	case uint64:
		return float64(node), true
	case float64:
		return node, true
	}
	return 0, false
}

// describe says what came: the type, and the value where it is short.
func describe(node any) string {
	switch node := node.(type) {
	case nil:
		return "null"
	case string:
		return "the string " + strconv.Quote(clip(node))
	case []any:
		return fmt.Sprintf("an array of %d", len(node))
	case map[string]any:
		return "an object"
	default:
		return fmt.Sprintf("%v", node)
	}
}

func expects(s *jsonschema.Schema) string {
	if s == nil || len(types(s)) == 0 {
		return ""
	}
	text := "; expected " + strings.Join(types(s), " or ")
	if s.Description != "" {
		text += " (" + clip(s.Description) + ")"
	}
	return text
}

func members(s *jsonschema.Schema) string {
	if len(s.Properties) == 0 {
		return "the function takes no members"
	}
	return "known are " + clip(strings.Join(slices.Sorted(maps.Keys(s.Properties)), ", "))
}

func member(at, key string) string {
	if part.MatchString(key) {
		return at + "." + key
	}
	return at + "[" + strconv.Quote(clip(key)) + "]"
}

// clip bounds text from outside inside a message.
func clip(s string) string {
	const most = 120
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
