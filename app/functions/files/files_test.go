package files_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
	"github.com/faustine-ai/countersign/app/functions/files"
	"github.com/faustine-ai/countersign/app/registry"
	"github.com/faustine-ai/countersign/app/registry/registrytest"
	"github.com/faustine-ai/countersign/app/value"
)

// bench is the family on two picked folders, Docs for writing and Shelf for
// reading, beside a file that nothing may reach.
type bench struct {
	*registry.Registry
	home    string
	folders []folder.Folder
}

func newBench(t testing.TB, barred ...string) *bench {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{home: home}
	t.Setenv("XDG_DATA_HOME", b.at("data"))
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	b.make(t, "Docs/", "Shelf/", "outside/secret.txt=the secret")
	b.folders = []folder.Folder{{Name: "Docs", Path: b.at("Docs"), Write: true}, {Name: "Shelf", Path: b.at("Shelf")}}
	for i := range barred {
		barred[i] = b.at(barred[i])
	}
	b.Registry, err = registry.New(files.New(folder.New(func() []folder.Folder { return b.folders }, barred...)).Functions()...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) at(path string) string { return filepath.Join(b.home, filepath.FromSlash(path)) }

// make makes folders (a/), files (a/b=text) and links (a/b->target).
func (b *bench) make(t testing.TB, specs ...string) {
	t.Helper()
	for _, spec := range specs {
		path, text, isFile := strings.Cut(spec, "=")
		link, target, isLink := strings.Cut(spec, "->")
		var err error
		switch {
		case isLink:
			err = os.Symlink(target, b.at(link))
		case isFile:
			if err = os.MkdirAll(filepath.Dir(b.at(path)), 0o755); err == nil {
				err = os.WriteFile(b.at(path), []byte(text), 0o644)
			}
		default:
			err = os.MkdirAll(b.at(path), 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// call makes a call with the input as plain JSON, or tagged when it is app.Value.
func (b *bench) call(ctx context.Context, fn string, input any) (app.Value, error) {
	f, ok := b.Find("files." + fn)
	if !ok {
		return nil, fmt.Errorf("no function %s", fn)
	}
	in, ok := input.(app.Value)
	if !ok {
		text, isText := input.(string)
		if !isText {
			raw, err := json.Marshal(input)
			if err != nil {
				return nil, err
			}
			text = string(raw)
		}
		canonical, err := value.Canonical([]byte(text), "input")
		if err != nil {
			return nil, err
		}
		in = canonical
	}
	if _, err := f.Judge(in); err != nil {
		return nil, err
	}
	v, err := f.Run(ctx, app.Call{Fn: f.Name, Input: in})
	if err != nil {
		return nil, err
	}
	if v, err = value.Canonical(v, "the result"); err != nil {
		return nil, err
	}
	return v, registrytest.Fits(f, v)
}

func get[T any](t *testing.T, b *bench, fn string, input any) T {
	t.Helper()
	v, err := b.call(t.Context(), fn, input)
	if err != nil {
		t.Fatalf("files.%s %v: %v", fn, input, err)
	}
	var out T
	if err := json.Unmarshal(v, &out); err != nil {
		t.Fatalf("files.%s gave %s: %v", fn, v, err)
	}
	return out
}

// neverAsked checks that calls are refused by their inputs alone: before any card.
func (b *bench) neverAsked(t *testing.T, want string, inputs map[string][]string) {
	t.Helper()
	for fn, all := range inputs {
		f, _ := b.Find("files." + fn)
		for _, input := range all {
			if err := f.Check(app.Value(input)); app.CodeOf(err) != app.InvalidInput || !strings.Contains(err.Error(), want) {
				t.Errorf("files.%s %s: %v; expected to be refused with %q", fn, input, err, want)
			}
		}
	}
}

// refused checks that a call fails with one of these words.
func (b *bench) refused(t *testing.T, fn string, input any, want string) {
	t.Helper()
	v, err := b.call(t.Context(), fn, input)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("files.%s %v: got %.200s, %v; expected an error about %q", fn, input, v, err, want)
	}
	if err != nil && strings.Contains(err.Error(), b.home) {
		t.Errorf("files.%s %v: the error tells where the folder is: %v", fn, input, err)
	}
}

func (b *bench) content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(b.at(path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

type listed struct {
	Entries []files.Entry `json:"entries"`
	More    bool          `json:"more"`
	Unread  []string      `json:"unread"`
}

func (l listed) paths() string {
	var paths []string
	for _, e := range l.Entries {
		paths = append(paths, e.Path)
	}
	return strings.Join(paths, " ")
}

func TestOnlyWhatChangesSomethingIsMarked(t *testing.T) {
	for _, f := range newBench(t).All() {
		_, name, _ := strings.Cut(f.Name, ".")
		looks := strings.Contains("list stat read search", name)
		if looks != (f.Approval == app.ApprovalNever) || !looks && f.Approval != app.ApprovalAlways {
			t.Errorf("%s: approval %s", f.Name, f.Approval)
		}
		if f.Title == f.Name || f.Description == "" || !looks && f.Plural == "" {
			t.Errorf("%s has no title, plural or description", f.Name)
		}
	}
}

func TestWithoutAPickedFolderEveryFunctionSaysWhatToDo(t *testing.T) {
	b := newBench(t)
	b.folders = nil
	for fn, input := range map[string]string{
		"list": `{}`, "stat": `{"path":"Docs"}`, "read": `{"path":"Docs/a"}`, "search": `{"path":"Docs","text":"x"}`,
		"write": `{"path":"Docs/a","text":""}`, "move": `{"from":"Docs/a","to":"Docs/b"}`, "copy": `{"from":"Docs/a","to":"Docs/b"}`,
		"makeFolder": `{"path":"Docs/a"}`, "trash": `{"path":"Docs/a"}`,
	} {
		b.refused(t, fn, input, "ask the person to add one in Settings, under Folders")
	}
}

func TestAFolderThatVanishedIsNamed(t *testing.T) {
	b := newBench(t)
	if err := os.RemoveAll(b.at("Docs")); err != nil {
		t.Fatal(err)
	}
	b.refused(t, "list", `{"path":"Docs"}`, "the folder Docs cannot be opened: there is no such file or folder")
	b.refused(t, "write", `{"path":"Docs/a.txt","text":""}`, "the folder Docs cannot be opened")
	all := get[listed](t, b, "list", `{}`)
	if all.paths() != "Docs Shelf" || strings.Join(all.Unread, " ") != "Docs" {
		t.Errorf("the folders are %+v", all)
	}
}

func TestAFolderForReadingIsNotChanged(t *testing.T) {
	b := newBench(t)
	b.make(t, "Shelf/a.txt=a", "Docs/b.txt=b")
	for fn, input := range map[string]string{
		"write": `{"path":"Shelf/n","text":""}`, "move": `{"from":"Shelf/a.txt","to":"Docs/a.txt"}`, "copy": `{"from":"Docs/b.txt","to":"Shelf/b.txt"}`,
		"makeFolder": `{"path":"Shelf/n"}`, "trash": `{"path":"Shelf/a.txt"}`,
	} {
		b.refused(t, fn, input, "the folder Shelf is picked for reading only")
	}
	b.refused(t, "move", `{"from":"Docs/b.txt","to":"Shelf/b.txt"}`, "reading only")
	get[struct{}](t, b, "copy", `{"from":"Shelf/a.txt","to":"Docs/a.txt"}`)
	if left := get[listed](t, b, "list", `{"path":"Shelf","recursive":true}`); left.paths() != "Shelf/a.txt" {
		t.Errorf("Shelf holds %s", left.paths())
	}
}
