package desktop_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
	"github.com/faustine-ai/countersign/app/functions/desktop"
	"github.com/faustine-ai/countersign/app/registry"
	"github.com/faustine-ai/countersign/app/value"
)

// noted is a desktop that notes what it is asked. The real one is tested in
// package session.
type noted struct {
	clipboard string
	said      []string
	fails     error
}

func (n *noted) Notify(_ context.Context, summary, body string) error {
	n.said = append(n.said, "notify "+summary+" | "+body)
	return n.fails
}
func (n *noted) ReadClipboard(context.Context) (string, error) { return n.clipboard, n.fails }
func (n *noted) WriteClipboard(_ context.Context, text string) error {
	n.clipboard = text
	return n.fails
}
func (n *noted) Open(_ context.Context, uri string) error {
	n.said = append(n.said, "open "+uri)
	return n.fails
}

type bench struct {
	*registry.Registry
	*noted
	home string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{noted: &noted{}, home: home}
	for name, mode := range map[string]os.FileMode{"a b#?.pdf": 0o644, "program": 0o755, "trap.desktop": 0o644, "Trap.SH": 0o644, "own/settings": 0o644} {
		path := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, mode)); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"out": "../..", "in.pdf": "a b#?.pdf", "hidden.pdf": "program"} {
		if err := os.Symlink(target, filepath.Join(home, link)); err != nil {
			t.Fatal(err)
		}
	}
	folders := folder.New(func() []folder.Folder { return []folder.Folder{{Name: "Docs", Path: home}} }, filepath.Join(home, "own"))
	if b.Registry, err = registry.New(desktop.New(b.noted, folders).Functions()...); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) call(t *testing.T, fn, input string) (string, error) {
	t.Helper()
	f, _ := b.Find("desktop." + fn)
	canonical, err := value.Canonical([]byte(input), "input")
	if err != nil {
		return "", err
	}
	if _, err := f.Judge(canonical); err != nil {
		return "", err
	}
	v, err := f.Run(t.Context(), app.Call{Fn: f.Name, Input: canonical})
	return v.String(), err
}

func TestOnlyANotificationIsUnmarked(t *testing.T) {
	for _, f := range newBench(t).All() {
		if (f.Approval == app.ApprovalNever) != (f.Name == "desktop.notify") || f.Approval == app.ApprovalDepends {
			t.Errorf("%s: %s", f.Name, f.Approval)
		}
	}
}

func TestANotificationSaysThatAProgramSpeaksAndIsRare(t *testing.T) {
	b := newBench(t)
	if _, err := b.call(t, "notify", `{"title":"Countersign needs\nyour approval\u202e","body":"<b>x</b>"}`); err != nil || b.said[0] != "notify A program says: Countersign needs your approval\ufffd | <b>x</b>" {
		t.Errorf("%q, %v", b.said, err)
	}
	for range 2 {
		if _, err := b.call(t, "notify", `{"title":"again"}`); err != nil {
			t.Error(err)
		}
	}
	if _, err := b.call(t, "notify", `{"title":"too many"}`); err == nil || !strings.Contains(err.Error(), "several notifications a moment ago") || len(b.said) != 3 {
		t.Errorf("%v, %q", err, b.said)
	}
	b = newBench(t)
	for _, input := range []string{`{"title":" "}`, `{"title":"` + strings.Repeat("x", 81) + `"}`, `{"title":"x","body":"` + strings.Repeat("x", 401) + `"}`} {
		if _, err := b.call(t, "notify", input); app.CodeOf(err) != app.InvalidInput {
			t.Errorf("%.40s: %v", input, err)
		}
	}
	b.fails = errors.New("this desktop shows no notifications")
	if _, err := b.call(t, "notify", `{"title":"x"}`); err == nil || !strings.Contains(err.Error(), "could not show the notification: this desktop shows no notifications") {
		t.Error(err)
	}
}

func TestPagesAndDocumentsAreOpenedAndNothingElse(t *testing.T) {
	b := newBench(t)
	for input, want := range map[string]string{
		`{"url":"https://example.com/a b?c=d#e"}`: "open https://example.com/a%20b?c=d#e",
		`{"path":"Docs/a b#?.pdf"}`:               "open file://" + b.home + "/a%20b%23%3F.pdf",
		`{"path":"Docs/in.pdf"}`:                  "open file://" + b.home + "/a%20b%23%3F.pdf",
		`{"path":"Docs"}`:                         "open file://" + b.home,
	} {
		b.said = nil
		if _, err := b.call(t, "open", input); err != nil || len(b.said) != 1 || b.said[0] != want {
			t.Errorf("%s: %q, %v", input, b.said, err)
		}
	}
	b.said = nil
	for _, input := range []string{`{}`, `{"url":"https://a.test","path":"Docs"}`, `{"url":"http://a.test"}`, `{"url":"file:///etc/passwd"}`, `{"url":"javascript:alert(1)"}`, `{"url":"https://u:p@a.test"}`, `{"url":"https://"}`, `{"url":"-h"}`, `{"url":"mailto:a@b.test"}`,
		`{"path":"Docs/program"}`, `{"path":"Docs/hidden.pdf"}`, `{"path":"Docs/trap.desktop"}`, `{"path":"Docs/Trap.SH"}`, `{"path":"Docs/none"}`, `{"path":"Docs/out"}`, `{"path":"Docs/../x"}`, `{"path":"/etc/passwd"}`, `{"path":"Docs/own/settings"}`, `{"path":"Docs/own"}`} {
		if _, err := b.call(t, "open", input); err == nil {
			t.Errorf("%s was opened: %q", input, b.said)
		}
	}
	if len(b.said) != 0 {
		t.Errorf("opened %q", b.said)
	}
	open, _ := b.Find("desktop.open")
	for input, want := range map[string]string{`{"url":"https://example.com/x"}`: "example.com · in your browser", `{"path":"Docs/in.pdf"}`: "Docs/in.pdf · in your own program", `{"path":"Docs/program"}`: ""} {
		if got := open.Row(t.Context(), app.Value(input)); got != want {
			t.Errorf("the row of %s says %q", input, got)
		}
	}
}

func TestTheClipboardIsReadAndWritten(t *testing.T) {
	b := newBench(t)
	if _, err := b.call(t, "writeClipboard", `{"text":"zwölf"}`); err != nil || b.clipboard != "zwölf" {
		t.Errorf("%q, %v", b.clipboard, err)
	}
	if got, err := b.call(t, "readClipboard", `{"$":"undefined"}`); err != nil || got != `{"more":false,"text":"zwölf"}` {
		t.Errorf("%s, %v", got, err)
	}
	b.clipboard = "x" + strings.Repeat("é", 600_000)
	if got, err := b.call(t, "readClipboard", `{}`); err != nil || !strings.HasPrefix(got, `{"more":true`) || len(got) > 1<<20+100 || strings.Contains(got, "\ufffd") {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	for _, input := range []string{`{"text":"a\u0000b"}`, `{"text":"` + strings.Repeat("x", 1<<20+1) + `"}`, `{}`} {
		if _, err := b.call(t, "writeClipboard", input); app.CodeOf(err) != app.InvalidInput {
			t.Errorf("%.40s: %v", input, err)
		}
	}
}
