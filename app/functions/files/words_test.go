package files_test

import (
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
)

func TestARowSaysWhatIsThere(t *testing.T) {
	b := newBench(t)
	b.make(t, "Docs/a.txt=four", "Docs/b.bin="+strings.Repeat("x", 1_234_567), "Docs/dir/c=c", "Docs/link->a.txt")
	for _, c := range []struct{ fn, input, want string }{
		{"write", `{"path":"Docs/new.txt","text":"zwölf"}`, "Docs/new.txt · new, 5 characters"},
		{"write", `{"path":"Docs/a.txt","text":"zwölf"}`, "Docs/a.txt · will fail, since there is a file of 4 bytes"},
		{"write", `{"path":"Docs/b.bin","bytes":"AAEC","overwrite":true}`, "Docs/b.bin · replaces a file of 1.2 MB by 3 bytes"},
		{"move", `{"from":"Docs/a.txt","to":"Docs/dir/a.txt"}`, "Docs/a.txt → Docs/dir/a.txt · a file of 4 bytes"},
		{"move", `{"from":"Docs/a.txt","to":"Docs/b.bin","overwrite":true}`, "Docs/a.txt → Docs/b.bin · a file of 4 bytes, replaces a file of 1.2 MB"},
		{"move", `{"from":"Docs/none","to":"Docs/x"}`, "Docs/none · not found"},
		{"copy", `{"from":"Docs/dir","to":"Docs/dir2"}`, "Docs/dir → Docs/dir2 · a folder with everything in it"},
		{"makeFolder", `{"path":"Docs/dir"}`, "Docs/dir · is there already"},
		{"makeFolder", `{"path":"Docs/new"}`, "Docs/new · new"},
		{"trash", `{"path":"Docs/dir"}`, "Docs/dir · a folder with everything in it"},
		{"trash", `{"path":"Docs/link"}`, "Docs/link · a link"},
		{"trash", `{"path":"Docs/../outside/secret.txt"}`, "Docs/../outside/secret.txt · not found"},
	} {
		f, _ := b.Find("files." + c.fn)
		if got := f.Row(t.Context(), app.Value(c.input)); got != c.want {
			t.Errorf("%s %s\n got %s\nwant %s", c.fn, c.input, got, c.want)
		}
	}
}
