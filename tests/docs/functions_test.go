package docs

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
	"github.com/faustine-ai/countersign/app/functions/database"
	"github.com/faustine-ai/countersign/app/functions/desktop"
	"github.com/faustine-ai/countersign/app/functions/files"
	"github.com/faustine-ai/countersign/app/functions/web"
)

// asks are the words of the tables for when a person is asked.
var asks = map[app.Approval]string{app.ApprovalNever: "no", app.ApprovalAlways: "**yes**", app.ApprovalDepends: "**depends**"}

// The tables of functions.md name every function, with the members of its input and
// whether it asks, and no other.
func TestEveryFunctionIsDocumentedAsItIs(t *testing.T) {
	text, err := os.ReadFile("../../app/docs/functions.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{} // name → its row: members, asks
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+\\.[A-Za-z]+)(?: \\{(.*?)\\})?` \\| (\\S+) \\|").FindAllStringSubmatch(string(text), -1) {
		rows[row[1]] = row[2:]
	}
	folders := folder.New(func() []folder.Folder { return nil })
	defined := slices.Concat(files.New(folders).Functions(), database.New(folders).Functions(),
		web.New(func() []string { return nil }).Functions(), desktop.New(nil, folders).Functions())
	for _, f := range defined {
		row, ok := rows[f.Name]
		if !ok {
			t.Errorf("%s is not in the tables", f.Name)
			continue
		}
		delete(rows, f.Name)
		if row[1] != asks[f.Approval] {
			t.Errorf("%s: the table says that it asks: %s; it is %s", f.Name, row[1], asks[f.Approval])
		}
		var schema struct {
			Properties map[string]any `json:"properties"`
			Required   []string       `json:"required"`
		}
		if err := json.Unmarshal(f.Input, &schema); err != nil {
			t.Fatal(err)
		}
		told := map[string]bool{}
		for _, part := range strings.Split(row[0], ",") {
			choice := strings.Contains(part, " or ")
			for _, member := range strings.Split(part, " or ") {
				name, optional := strings.CutSuffix(strings.TrimSpace(member), "?")
				if name == "" {
					continue
				}
				told[name] = true
				if _, known := schema.Properties[name]; !known {
					t.Errorf("%s: the table names the member %s, which there is not", f.Name, name)
				}
				if required := slices.Contains(schema.Required, name); required == (optional || choice) {
					t.Errorf("%s: whether the member %s is required is told wrong", f.Name, name)
				}
			}
		}
		for name := range schema.Properties {
			if !told[name] {
				t.Errorf("%s: the table does not name the member %s", f.Name, name)
			}
		}
	}
	for name := range rows {
		t.Errorf("%s is in the tables, and there is no such function", name)
	}
}
