package files_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/faustine-ai/countersign/app"
)

func TestAWriteReplacesNothingUnlessItSaysSo(t *testing.T) {
	b := newBench(t)
	if got := get[map[string]any](t, b, "write", `{"path":"Docs/a.txt","text":"one"}`); got["size"] != 3.0 || got["path"] != "Docs/a.txt" {
		t.Errorf("%v", got)
	}
	b.refused(t, "write", `{"path":"Docs/a.txt","text":"two"}`, "Docs/a.txt exists already, and was left as it is")
	if b.content(t, "Docs/a.txt") != "one" {
		t.Error("it was replaced")
	}
	if err := os.Chmod(b.at("Docs/a.txt"), 0o640); err != nil {
		t.Fatal(err)
	}
	get[struct{}](t, b, "write", `{"path":"Docs/a.txt","text":"two","overwrite":true}`)
	info, err := os.Stat(b.at("Docs/a.txt"))
	if err != nil || info.Mode().Perm() != 0o640 || b.content(t, "Docs/a.txt") != "two" {
		t.Errorf("replaced: %v %v", info.Mode(), err)
	}
	get[struct{}](t, b, "write", app.Value(`{"bytes":{"$":"bytes","t":"Uint8Array","v":"AAEC"},"path":"Docs/b"}`))
	get[struct{}](t, b, "write", app.Value(`{"bytes":{"$":"bytes","t":"Uint8Array","v":""},"path":"Docs/empty"}`))
	if b.content(t, "Docs/b") != "\x00\x01\x02" || b.content(t, "Docs/empty") != "" {
		t.Error("bytes are not written as they are")
	}
	b.make(t, "Docs/dir/")
	for input, want := range map[string]string{
		`{"path":"Docs/c"}`: "got neither", `{"path":"Docs/c","text":"a","bytes":"AA=="}`: "got both",
		`{"path":"Docs/none/c","text":""}`: "there is no such file or folder", `{"path":"Docs/dir","text":"","overwrite":true}`: "only a file can be replaced",
		`{"path":"Docs","text":""}`: "is a picked folder itself",
	} {
		b.refused(t, "write", input, want)
	}
	if left := get[listed](t, b, "list", `{"path":"Docs"}`); left.paths() != "Docs/a.txt Docs/b Docs/dir Docs/empty" {
		t.Errorf("something is left over: %s", left.paths())
	}
}

func TestWhatCanOnlyFailIsRefusedBeforeAnyCard(t *testing.T) {
	b := newBench(t)
	b.neverAsked(t, "is a picked folder itself", map[string][]string{
		"trash": {`{"path":"Docs"}`, `{"path":"Docs/"}`},
		"move":  {`{"from":"Docs","to":"Other/x"}`, `{"from":"Docs/a","to":"Docs"}`},
		"copy":  {`{"from":"Docs/a","to":"Docs/","overwrite":true}`},
		"write": {`{"path":"Docs","text":"","overwrite":true}`},
	})
	b.neverAsked(t, "the path", map[string][]string{
		"trash": {`{"path":""}`, `{"path":"../x"}`}, "move": {`{"from":"/etc/x","to":"Docs/x"}`, `{"from":"Docs/x","to":"~/x"}`},
		"copy": {`{"from":"Docs/../x","to":"Docs/x"}`}, "write": {`{"path":"Docs//x","text":""}`}, "makeFolder": {`{"path":"/x"}`},
	})
	b.neverAsked(t, "expected text or bytes", map[string][]string{"write": {`{"path":"Docs/c"}`}})
}

func TestOfManyWritersOneMakesTheFile(t *testing.T) {
	b := newBench(t)
	var group sync.WaitGroup
	made := make([]bool, 16)
	for i := range made {
		group.Go(func() {
			_, err := b.call(t.Context(), "write", fmt.Sprintf(`{"path":"Docs/one","text":"%d"}`, i))
			made[i] = err == nil
		})
	}
	group.Wait()
	winners := 0
	for i, won := range made {
		if won {
			winners++
			if got := b.content(t, "Docs/one"); got != fmt.Sprint(i) {
				t.Errorf("%d was told that it won, and the file holds %s", i, got)
			}
		}
	}
	if winners != 1 {
		t.Errorf("%d made it", winners)
	}
}

func TestAMoveReplacesNothingUnlessItSaysSo(t *testing.T) {
	b := newBench(t)
	b.make(t, "Docs/a=a", "Docs/b=b", "Docs/dir/x=x", "Docs/other/y=y", "Docs/empty/", "Docs/link->../outside/secret.txt")
	get[struct{}](t, b, "move", `{"from":"Docs/a","to":"Docs/dir/a"}`)
	get[struct{}](t, b, "move", `{"from":"Docs/dir","to":"Docs/moved"}`)
	get[struct{}](t, b, "move", `{"from":"Docs/link","to":"Docs/moved/link"}`) // the link itself
	for input, want := range map[string]string{
		`{"from":"Docs/b","to":"Docs/moved/a"}`:                    "exists already, and was left",
		`{"from":"Docs/moved","to":"Docs/other"}`:                  "exists already",
		`{"from":"Docs/other","to":"Docs/empty"}`:                  "exists already",
		`{"from":"Docs/other","to":"Docs/empty","overwrite":true}`: "exists already",
		`{"from":"Docs/b","to":"Docs/other","overwrite":true}`:     "only a file can be replaced",
		`{"from":"Docs/moved","to":"Docs/moved/inside"}`:           "cannot be moved into itself",
		`{"from":"Docs","to":"Docs/x"}`:                            "is a picked folder itself",
		`{"from":"Docs/none","to":"Docs/x"}`:                       "Docs/none: there is no such file or folder",
		`{"from":"Docs/b","to":"Docs/none/b"}`:                     "Docs/none/b: there is no such file or folder",
	} {
		b.refused(t, "move", input, want)
	}
	get[struct{}](t, b, "move", `{"from":"Docs/b","to":"Docs/moved/a","overwrite":true}`)
	if b.content(t, "Docs/moved/a") != "b" {
		t.Error("it was not replaced")
	}
	if left := get[listed](t, b, "list", `{"path":"Docs","recursive":true}`); left.paths() != "Docs/empty Docs/moved Docs/moved/a Docs/moved/link Docs/moved/x Docs/other Docs/other/y" {
		t.Errorf("now there is %s", left.paths())
	}
}

func TestACopyIsWholeOrNotThere(t *testing.T) {
	b := newBench(t)
	b.make(t, "Docs/dir/a=a", "Docs/dir/sub/b=bb", "Docs/dir/link->a", "Docs/file=f")
	if got := get[map[string]any](t, b, "copy", `{"from":"Docs/dir","to":"Docs/copy"}`); got["files"] != 2.0 || got["size"] != 3.0 || got["skipped"] != 1.0 {
		t.Errorf("%v", got)
	}
	get[struct{}](t, b, "copy", `{"from":"Docs/file","to":"Docs/copy/file"}`)
	for input, want := range map[string]string{
		`{"from":"Docs/dir","to":"Docs/copy"}`:                  "exists already",
		`{"from":"Docs/dir","to":"Docs/copy","overwrite":true}`: "exists already",
		`{"from":"Docs/dir","to":"Docs/dir/sub/dir"}`:           "cannot be copied into itself",
		`{"from":"Docs/dir","to":"Docs/dir/dir"}`:               "cannot be copied into itself",
		`{"from":"Docs/file","to":"Docs/copy/file"}`:            "exists already",
		`{"from":"Docs/none","to":"Docs/x"}`:                    "there is no such",
	} {
		b.refused(t, "copy", input, want)
	}
	get[struct{}](t, b, "copy", `{"from":"Docs/file","to":"Docs/copy/a","overwrite":true}`)
	if b.content(t, "Docs/copy/a") != "f" || b.content(t, "Docs/dir/a") != "a" {
		t.Error("the copy is not its own")
	}
	if left := get[listed](t, b, "list", `{"path":"Docs/copy","recursive":true}`); left.paths() != "Docs/copy/a Docs/copy/file Docs/copy/sub Docs/copy/sub/b" {
		t.Errorf("the copy holds %s", left.paths())
	}
}

func TestAFolderIsMadeWithThoseAboveIt(t *testing.T) {
	b := newBench(t)
	b.make(t, "Docs/file=f")
	for _, c := range []struct {
		input string
		made  bool
	}{{`{"path":"Docs/2026/11/letters"}`, true}, {`{"path":"Docs/2026/11/"}`, false}, {`{"path":"Docs"}`, false}} {
		if got := get[struct{ Made bool }](t, b, "makeFolder", c.input); got.Made != c.made {
			t.Errorf("%s: %+v", c.input, got)
		}
	}
	b.refused(t, "makeFolder", `{"path":"Docs/file"}`, "is there already, and is no folder")
	b.refused(t, "makeFolder", `{"path":"Docs/file/x"}`, "a part of the path is not a folder")
}

func TestWhatIsInTheTrashCanBeTakenBack(t *testing.T) {
	b := newBench(t)
	b.make(t, "Docs/a b%.txt=first", "Docs/dir/x=x", "Docs/link->../outside/secret.txt", "Docs/.hidden=h")
	for _, c := range []struct{ path, kept string }{
		{"Docs/a b%.txt", "a b%.txt"}, {"Docs/dir", "dir"}, {"Docs/link", "link"}, {"Docs/.hidden", ".hidden"},
	} {
		got := get[map[string]string](t, b, "trash", map[string]any{"path": c.path})
		if got["trash"] != c.kept {
			t.Errorf("%s: %v", c.path, got)
		}
	}
	b.make(t, "Docs/a b%.txt=second", "Docs/dir/y=y")
	if got := get[map[string]string](t, b, "trash", `{"path":"Docs/a b%.txt"}`); got["trash"] != "a b%.2.txt" {
		t.Errorf("a second one: %v", got)
	}
	if got := get[map[string]string](t, b, "trash", `{"path":"Docs/dir"}`); got["trash"] != "dir.2" {
		t.Errorf("a second folder: %v", got)
	}
	note := b.content(t, "data/Trash/info/a b%.2.txt.trashinfo")
	want := "[Trash Info]\nPath=" + strings.ReplaceAll(b.at("Docs/a%20b%25.txt"), " ", "%20") + "\nDeletionDate="
	if !strings.HasPrefix(note, want) {
		t.Errorf("the note says %q, expected %q", note, want)
	}
	if b.content(t, "data/Trash/files/a b%.txt") != "first" || b.content(t, "data/Trash/files/a b%.2.txt") != "second" || b.content(t, "data/Trash/files/dir/x") != "x" {
		t.Error("the trash does not hold what was thrown away")
	}
	if b.content(t, "outside/secret.txt") != "the secret" {
		t.Error("the link's end was thrown away")
	}
	b.refused(t, "trash", `{"path":"Docs/none"}`, "there is no such file or folder")
	b.refused(t, "trash", `{"path":"Docs"}`, "is a picked folder itself")
}
