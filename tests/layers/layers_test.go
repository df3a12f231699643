// Package layers keeps the import law of app/doc.go by a machine.
package layers

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/faustine-ai/countersign/"

// law says what a package may import of ours, and why not more. The
// packages value, operation and spawn are leaves that anyone may import, and are left out. A name that ends in / stands
// for all packages below it.
var law = []struct {
	of     string
	may    []string
	reason string
}{
	{"app", nil, "the domain is words: whoever imports it must not get anything that does work"},
	{"app/value", []string{"app"}, "the canonical form is a leaf: shown, logged, digested and executed must be one text, wherever it is made"},
	{"app/operation", []string{"app"}, "what the page may ask for is read in one strict way, wherever it is answered"},
	{"app/spawn", nil, "other programs are started in one way, whoever starts them"},
	{"app/registry", []string{"app"}, "definitions know nothing of who calls them, or they could behave differently before the gate and after it"},
	{"app/registry/", []string{"app"}, "tests of functions check results against definitions as anybody would read them"},
	{"app/gate", []string{"app"}, "the gate must be readable alone: no way to execute, no way to write the log but app.Log, no window of its own"},
	{"app/dispatch", []string{"app"}, "the one path of a call reaches the gate through an interface it owns, so that no other door can be added from here"},
	{"app/sqlite", []string{"app"}, "the log takes entries and gives them back; it must not depend on who writes them"},
	{"app/conversations", []string{"app"}, "what was said proves nothing and decides nothing: it must have no way to the log, nor the log to it"},
	{"app/review", []string{"app", "app/sqlite"}, "a reviewer reads the log and nothing else; the one entry that is written goes through app.Log like any other"},
	{"app/card", []string{"app"}, "the card shows what it is given; it must be unable to look functions up, execute or log"},
	{"app/card/", []string{"app", "app/card"}, "tests of the card drive the card alone"},
	{"app/model", []string{"app"}, "what the model says is data; its code must have no way to functions, gate or log"},
	{"app/settings", []string{"app"}, "what the person decided is data; whoever acts on it is given it by desk, so that no package can quietly read more of it"},
	{"app/keys", []string{"app"}, "keys reach the forwarder and nobody else; nothing here may log, show or call"},
	{"app/logtest", []string{"app"}, "a contract that imports an implementation is no contract"},
	{"app/folder", []string{"app"}, "the way into the picked folders is one, and is read without what uses it"},
	{"app/functions/", []string{"app", "app/registry", "app/folder"}, "a capability is defined by the registry's Define and must not reach gate, log or another family"},
	{"app/gtk", nil, "the way onto GTK's thread carries what it is given and knows nothing of it"},
	{"app/gtk/", []string{"app/gtk"}, "its tests need a main loop and nothing else"},
	{"app/session", []string{"app/gtk"}, "what the desktop offers is asked for by those who may; it knows nothing of them"},
	{"app/session/", []string{"app/session", "app/gtk"}, "tests of the session drive the session alone"},
	{"app/mcp", []string{"app", "app/registry"}, "what servers say becomes definitions like any other; the way of a call stays the one of dispatch"},
	{"app/bridge", []string{"app", "app/dispatch", "app/gate"}, "the page reaches exactly two doors: calls and decisions"},
	{"sandbox", nil, "the library is a product of its own; its Go side only serves files"},
}

// outer packages join the others, each for one reason; nobody may import them
// but main and one another.
var outer = []string{"app/desk", "app/shell", "app/cli", "app/docs", "app/demo", "app/display", "app/selftest"}

// withWails may import Wails: the rest must run and be tested without a window.
var withWails = []string{"", "app/shell", "tests/bench/empty"}

type listed struct {
	ImportPath string
	Imports    []string
}

func list(t *testing.T) []listed {
	t.Helper()
	command := exec.Command("go", "list", "-e", "-tags", "desktop,production,webkit2_41,sqlite_fts5", "-json=ImportPath,Imports", module+"...")
	command.Dir = "../.."
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listed
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// short is an import path without the module; ok is false for what is not ours.
func short(path string) (string, bool) {
	if path == strings.TrimSuffix(module, "/") {
		return "", true
	}
	return strings.CutPrefix(path, module)
}

func covers(pattern, path string) bool {
	if strings.HasSuffix(pattern, "/") {
		return strings.HasPrefix(path, pattern)
	}
	return pattern == path
}

func TestThePackagesKeepTheImportLaw(t *testing.T) {
	packages := list(t)
	if len(packages) < 8 {
		t.Fatalf("go list names only %d packages", len(packages))
	}
	for _, p := range packages {
		path, _ := short(p.ImportPath)
		i := slices.IndexFunc(law, func(l struct {
			of     string
			may    []string
			reason string
		}) bool {
			return covers(l.of, path)
		})
		isOuter := slices.ContainsFunc(outer, func(o string) bool { return path == o || strings.HasPrefix(path, o+"/") })
		if i < 0 && !isOuter && strings.HasPrefix(path, "app") {
			t.Errorf("%s has no law: add one to tests/layers with its reason", path)
			continue
		}
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, "github.com/wailsapp/") && !slices.Contains(withWails, path) && !strings.HasPrefix(path, "app/shell/") {
				t.Errorf("%s imports %s: everything but the shell must run without a window", path, imported)
			}
			name, ours := short(imported)
			if path == "app" && strings.Contains(imported, ".") {
				t.Errorf("app imports %s: the domain imports the standard library only", imported)
			}
			if i < 0 || !ours || (name == "app/value" || name == "app/operation" || name == "app/spawn") && path != "app" {
				continue
			}
			if !slices.ContainsFunc(law[i].may, func(may string) bool { return covers(may, name) }) {
				t.Errorf("%s imports %s: %s", path, name, law[i].reason)
			}
		}
	}
}
