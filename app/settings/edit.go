package settings

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// template is the file as it is first made.
//
//go:embed template.jsonc
var template []byte

// Edit changes the text of a file so that it says what s says, and leaves the
// rest: comments, the order of members, what has its default and is left out. An
// empty text becomes a file with explanations.
func Edit(text []byte, s Settings) ([]byte, error) {
	if len(text) == 0 {
		text = template
	}
	tree, err := hujson.Parse(slices.Clone(text))
	if err != nil {
		return nil, err
	}
	target, err := generic(s)
	if err != nil {
		return nil, err
	}
	defaults, err := generic(Defaults())
	if err != nil {
		return nil, err
	}
	e := &edit{tree: &tree}
	e.merge("", target, defaults)
	if e.failed != nil {
		return nil, e.failed
	}
	if !e.changed {
		return text, nil
	}
	tree.Format()
	edited := tree.Pack()
	// What cannot be read back as it was meant must not become the file.
	if got, problems := Parse(edited); wrong(problems) || !got.Equal(s) {
		return nil, fmt.Errorf("the change cannot be written into the file as it is: %s", describe(problems))
	}
	return edited, nil
}

func describe(problems []Problem) string {
	for _, p := range problems {
		if p.Severity == Mistake {
			return p.Text
		}
	}
	return "it would say something else; correct it by hand"
}

func generic(s Settings) (value any, err error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	return value, decoder.Decode(&value)
}

// edit makes the fewest changes to a syntax tree.
type edit struct {
	tree    *hujson.Value
	changed bool
	failed  error
}

func (e *edit) patch(op, pointer string, value any) {
	if e.failed != nil {
		return
	}
	e.changed = true
	change := map[string]any{"op": op, "path": pointer}
	if op != "remove" {
		change["value"] = value
	}
	text, err := json.Marshal([]any{change})
	if err == nil {
		err = e.tree.Patch(text)
	}
	if err != nil {
		e.failed = errors.Join(fmt.Errorf("changing %s", pointer), err)
	}
}

// merge makes the value at a pointer mean target. Members that are not there and
// have their default are left out.
func (e *edit) merge(pointer string, target, defaults any) {
	there := e.tree.Find(pointer)
	if there == nil {
		e.failed = errors.Join(e.failed, fmt.Errorf("nothing stands at %q", pointer))
		return
	}
	switch wanted := target.(type) {
	case map[string]any:
		if there.Value.Kind() == '{' {
			e.mergeObject(pointer, valueOf(*there).(map[string]any), wanted, defaults)
			return
		}
	case []any:
		if there.Value.Kind() == '[' {
			e.mergeList(pointer, valueOf(*there).([]any), wanted)
			return
		}
	}
	if !same(valueOf(*there), target) {
		e.patch("replace", pointer, target)
	}
}

func (e *edit) mergeObject(pointer string, there, wanted map[string]any, defaults any) {
	ordinary, _ := defaults.(map[string]any)
	for _, name := range sortedNames(there) {
		if _, stays := wanted[name]; !stays {
			e.patch("remove", pointer+"/"+escape(name), nil)
		}
	}
	for _, name := range sortedNames(wanted) {
		if _, is := there[name]; is {
			e.merge(pointer+"/"+escape(name), wanted[name], ordinary[name])
		} else if !same(wanted[name], ordinary[name]) {
			e.patch("add", pointer+"/"+escape(name), withoutDefaults(wanted[name], ordinary[name]))
		}
	}
}

// mergeList keeps the elements that stay, with their comments, by what they are
// called. Where the order changes it writes the list anew.
func (e *edit) mergeList(pointer string, there, wanted []any) {
	names := func(list []any) (names []string) {
		for _, v := range list {
			names = append(names, elementName(v))
		}
		return names
	}
	old, fresh := names(there), names(wanted)
	kept := slices.DeleteFunc(slices.Clone(old), func(n string) bool { return !slices.Contains(fresh, n) })
	inOrder := slices.DeleteFunc(slices.Clone(fresh), func(n string) bool { return !slices.Contains(old, n) })
	if !slices.Equal(kept, inOrder) || repeats(old) || repeats(fresh) {
		if !same(there, wanted) {
			e.patch("replace", pointer, wanted)
		}
		return
	}
	for i := len(old) - 1; i >= 0; i-- {
		if !slices.Contains(fresh, old[i]) {
			e.patch("remove", pointer+"/"+strconv.Itoa(i), nil)
		}
	}
	for i, v := range wanted {
		place := pointer + "/" + strconv.Itoa(i)
		if slices.Contains(old, fresh[i]) {
			e.merge(place, v, elementDefaults(v))
		} else {
			e.patch("add", place, withoutDefaults(v, elementDefaults(v)))
		}
	}
}

// elementName is what an element of a list is known by: its path, its name, itself.
func elementName(v any) string {
	if object, ok := v.(map[string]any); ok {
		for _, member := range []string{"path", "name"} {
			if name, ok := object[member].(string); ok {
				return member + " " + name
			}
		}
	}
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// elementDefaults is what a folder means by what it leaves out.
func elementDefaults(v any) any {
	object, ok := v.(map[string]any)
	path, isFolder := object["path"].(string)
	if !ok || !isFolder {
		return nil
	}
	return map[string]any{"write": false, "name": baseName(path)}
}

// withoutDefaults leaves out of a new object what has its default.
func withoutDefaults(v, defaults any) any {
	object, ok := v.(map[string]any)
	ordinary, has := defaults.(map[string]any)
	if !ok || !has {
		return v
	}
	short := map[string]any{}
	for name, value := range object {
		if d, is := ordinary[name]; !is || !same(value, d) {
			short[name] = value
		}
	}
	return short
}

func valueOf(v hujson.Value) any {
	standard := v.Clone()
	standard.Standardize()
	decoder := json.NewDecoder(strings.NewReader(string(standard.Pack())))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil
	}
	return value
}

func same(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

func repeats(names []string) bool {
	sorted := slices.Sorted(slices.Values(names))
	return len(slices.Compact(sorted)) != len(names)
}
