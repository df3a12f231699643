package docs

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app/settings"
)

// members are the names of all members in the file.
func members(of reflect.Type) (names []string) {
	for of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct {
		return nil
	}
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		names = append(append(names, name), members(of.Field(i).Type)...)
	}
	return names
}

func TestEverySettingIsDocumentedAndTheExampleIsRight(t *testing.T) {
	page, err := os.ReadFile("../../app/docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range members(reflect.TypeFor[settings.Settings]()) {
		if !regexp.MustCompile("`[^`]*\\b" + name + "\\b[^`]*`").Match(page) {
			t.Errorf("app/docs/settings.md does not name %q", name)
		}
	}
	_, rest, _ := strings.Cut(string(page), "```jsonc\n")
	example, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("there is no example")
	}
	s, problems := settings.Parse([]byte(example))
	for _, p := range problems {
		if p.Severity == settings.Mistake {
			t.Errorf("the example: %s", p.Print("settings.md"))
		}
	}
	if len(s.Folders) != 1 || len(s.Servers) != 2 || s.Limits.Calls != 512 {
		t.Errorf("the example means %+v", s)
	}
}
