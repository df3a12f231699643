package files_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app/folder"
)

// every way to name a path in a call, with everything else as it should be.
func each(path string) map[string]map[string]any {
	return map[string]map[string]any{
		"list": {"path": path, "recursive": true}, "stat": {"path": path}, "read": {"path": path},
		"search": {"path": path, "text": "secret"}, "write": {"path": path, "text": "overwritten", "overwrite": true},
		"move": {"from": path, "to": "Docs/got"}, "copy": {"from": path, "to": "Docs/got"},
		"makeFolder": {"path": path}, "trash": {"path": path},
	}
}

func TestNoPathLeadsOut(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"Docs/../outside/secret.txt", "no way out of a folder"},
		{"Docs/..", "no way out"},
		{"../outside/secret.txt", "no way out"},
		{"..", "no way out"},
		{"Docs/./a", "has the part ."},
		{"Docs//a", "empty part"},
		{"", "is empty"},
		{"/etc/passwd", "not inside a folder"},
		{"~/secret", "not inside a folder"},
		{"Docs/a\x00b", "NUL"},
		{"Docs/" + strings.Repeat("a", 300), "its name is too long"},
		{"Docs/" + strings.Repeat("a/", 3000), "is too long"},
		{"docs/letter.txt", "there is no folder \"docs\"; the person has picked Docs, Shelf"},
		{"outside/secret.txt", "there is no folder \"outside\""},
		{"Docs\\..\\outside", "there is no folder"},
	} {
		b := newBench(t)
		for fn, input := range each(c.path) {
			if c.path == "" && fn == "list" {
				continue
			}
			b.refused(t, fn, input, c.want)
			for _, member := range []string{"to"} {
				if input[member] != nil {
					b.refused(t, fn, map[string]any{"from": "Docs/x", member: c.path}, "")
				}
			}
		}
		if b.content(t, "outside/secret.txt") != "the secret" {
			t.Errorf("%q: the file outside was changed", c.path)
		}
	}
}

func TestALinkThatLeadsOutIsNotFollowed(t *testing.T) {
	for name, setUp := range map[string][]string{
		"relative":        {"Docs/link->../outside/secret.txt", "Docs/dir->../outside"},
		"by two links":    {"Docs/up->..", "Docs/link->up/outside/secret.txt", "Docs/dir->up/outside"},
		"out and back in": {"Docs/dir->../Shelf", "Docs/link->../Shelf/a", "Shelf/a=the secret"},
	} {
		b := newBench(t)
		b.make(t, setUp...)
		for _, path := range []string{"Docs/link", "Docs/dir/secret.txt", "Docs/dir/new"} {
			for fn, input := range each(path) {
				if fn == "stat" || path == "Docs/link" && (fn == "trash" || fn == "move" || fn == "write") {
					continue // these are about the link itself
				}
				b.refused(t, fn, input, "")
			}
		}
		b.refused(t, "read", `{"path":"Docs/link"}`, "leads out of the picked folder")
		b.refused(t, "write", `{"path":"Docs/link","text":"x","overwrite":true}`, "is a link, and only a file can be replaced")
		out := get[struct{ Matches []struct{ Path string } }](t, b, "search", `{"path":"Docs","text":"secret"}`)
		if len(out.Matches) != 0 {
			t.Errorf("%s: search found %v", name, out.Matches)
		}
		get[struct{}](t, b, "trash", `{"path":"Docs/link"}`)
		if b.content(t, "outside/secret.txt") != "the secret" {
			t.Errorf("%s: the file outside was changed", name)
		}
	}
	b := newBench(t)
	b.make(t, "Docs/absolute->"+b.at("outside/secret.txt"), "Docs/inside.txt=here", "Docs/in->inside.txt", "Docs/loop->loop")
	b.refused(t, "read", `{"path":"Docs/absolute"}`, "leads out of the picked folder")
	b.refused(t, "read", `{"path":"Docs/loop"}`, "")
	if got := get[struct{ Text string }](t, b, "read", `{"path":"Docs/in"}`); got.Text != "here" {
		t.Errorf("a link inside: %+v", got)
	}
}

// A folder is swapped for a link to the outside and back, as fast as it goes,
// while it is read, listed, searched, copied and written.
func TestALinkThatIsSwappedInDuringACallReachesNothing(t *testing.T) {
	b := newBench(t)
	b.make(t, "Docs/real/secret.txt=inside", "Docs/spare->../outside")
	stop := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				// RENAME_EXCHANGE: at every moment there is one or the other.
				exchange(t, b.at("Docs/real"), b.at("Docs/spare"))
			}
		}
	})
	deadline := time.Now().Add(1500 * time.Millisecond)
	var inside atomic.Int64
	for n := 0; time.Now().Before(deadline); n++ {
		for fn, input := range map[string]string{
			"read": `{"path":"Docs/real/secret.txt"}`, "list": `{"path":"Docs/real"}`, "search": `{"path":"Docs","text":"the secret"}`,
			"copy":  `{"from":"Docs/real/secret.txt","to":"Docs/got","overwrite":true}`,
			"write": `{"path":"Docs/real/secret.txt","text":"inside","overwrite":true}`,
			"trash": `{"path":"Docs/real/gone"}`, "makeFolder": `{"path":"Docs/real/made"}`,
		} {
			v, err := b.call(t.Context(), fn, input)
			if err == nil {
				inside.Add(1)
			}
			if strings.Contains(v.String(), "the secret") || fn == "search" && strings.Contains(v.String(), `"line"`) {
				t.Fatalf("files.%s reached the outside: %s", fn, v)
			}
		}
	}
	close(stop)
	swapping.Wait()
	entries, err := os.ReadDir(b.at("outside"))
	if err != nil || len(entries) != 1 || b.content(t, "outside/secret.txt") != "the secret" {
		t.Errorf("the folder outside was changed: %v, %v", entries, err)
	}
	if got, err := os.ReadFile(b.at("Docs/got")); err == nil && string(got) != "inside" {
		t.Errorf("a copy holds %q", got)
	}
	if inside.Load() == 0 {
		t.Error("no call ever met the real folder, so nothing was tested")
	}
}

func TestPipesSocketsAndDevicesAreRefusedAndNotWaitedFor(t *testing.T) {
	b := newBench(t)
	if err := syscall.Mkfifo(b.at("Docs/pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", b.at("Docs/socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	paths := []string{"Docs/pipe", "Docs/socket"}
	if err := syscall.Mknod(b.at("Docs/device"), syscall.S_IFCHR|0o600, 5); err == nil { // root only
		paths = append(paths, "Docs/device")
	}
	for _, path := range paths {
		b.refused(t, "read", map[string]any{"path": path}, "no ordinary file")
		b.refused(t, "copy", map[string]any{"from": path, "to": "Docs/got"}, "no ordinary file")
		b.refused(t, "write", map[string]any{"path": path, "text": "x", "overwrite": true}, "only a file can be replaced")
	}
	out := get[struct{ Searched, Skipped int }](t, b, "search", `{"path":"Docs","text":"x"}`)
	if out.Searched != 0 {
		t.Errorf("searched %d", out.Searched)
	}
	b.make(t, "Docs/dir/a=a", "Docs/dir/link->a")
	if err := os.Rename(b.at("Docs/pipe"), b.at("Docs/dir/pipe")); err != nil {
		t.Fatal(err)
	}
	if got := get[struct{ Files, Skipped int }](t, b, "copy", `{"from":"Docs/dir","to":"Docs/copy"}`); got.Files != 1 || got.Skipped != 2 {
		t.Errorf("copied %+v", got)
	}
}

func TestNamesAreTakenAsTheyAre(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{"ünïcödé – 文件 🗂", "with space", "a\nb", "%2e%2e", "-rf", "a:b", "CON", ".hidden", "a\\b", "e\u0301", "\u00e9", "\u202egpj.exe", "$(touch x)", strings.Repeat("é", 127)} {
		path := "Docs/" + name
		text, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		get[struct{}](t, b, "write", map[string]any{"path": path, "text": string(text)})
		if got := get[struct{ Text string }](t, b, "read", map[string]any{"path": path}); got.Text != string(text) {
			t.Errorf("%q reads %q", name, got.Text)
		}
		get[struct{}](t, b, "move", map[string]any{"from": path, "to": "Docs/renamed"})
		get[struct{}](t, b, "move", map[string]any{"from": "Docs/renamed", "to": path})
	}
	entries, err := os.ReadDir(b.at("Docs"))
	if err != nil || len(entries) != 14 {
		t.Errorf("%d files, %v", len(entries), err)
	}
	for _, e := range entries {
		get[struct{}](t, b, "trash", map[string]any{"path": "Docs/" + e.Name()})
	}
}

func TestTheSystemsOwnFilesAreOutOfReachAlsoWhereEverythingIsPicked(t *testing.T) {
	b := newBench(t)
	b.folders = append(b.folders, folder.Folder{Name: "All", Path: "/", Write: true}, folder.Folder{Name: "Proc", Path: "/proc"})
	for _, path := range []string{"All/proc/self/environ", "All/proc/self/root/etc/hostname", "All/proc/self/cwd", "All/sys/kernel/notes", "All/dev/null", "Proc/self/environ", "Proc"} {
		for _, fn := range []string{"read", "list", "search"} {
			if v, err := b.call(t.Context(), fn, each(path)[fn]); err == nil {
				t.Errorf("files.%s %s gave %.80s", fn, path, v)
			}
		}
	}
	if v, err := b.call(t.Context(), "read", map[string]any{"path": "All" + b.at("outside/secret.txt")}); err != nil || !strings.Contains(v.String(), "the secret") {
		t.Errorf("what is picked: %s, %v", v, err)
	}
}

func TestANameThatIsNoTextIsToldAndDoesNoHarm(t *testing.T) {
	b := newBench(t)
	b.make(t, "Docs/\xff\xfe/inside=x", "Docs/ok=x")
	all := get[listed](t, b, "list", `{"path":"Docs","recursive":true}`)
	if all.paths() != "Docs/ok" || len(all.Unread) != 1 || all.Unread[0] != "Docs/\ufffd" {
		t.Errorf("%s, unread %q", all.paths(), all.Unread)
	}
}

func TestWhatIsTheAppsOwnIsOutOfReach(t *testing.T) {
	b := newBench(t, "Docs/.config/countersign", "Docs/.local/share/countersign")
	b.make(t, "Docs/.config/countersign/keys=the secret", "Docs/.local/share/countersign/log.db=the secret", "Docs/way->.config/countersign", "Docs/.config/other=fine")
	for _, path := range []string{"Docs/.config/countersign/keys", "Docs/way/keys", "Docs/.local/share/countersign/log.db", "Docs/.config/countersign"} {
		for fn, input := range each(path) {
			if fn == "stat" {
				continue
			}
			if made, err := b.call(t.Context(), fn, input); err == nil && !strings.Contains(made.String(), `"made":false`) {
				t.Errorf("files.%s %s: %s", fn, path, made)
			}
		}
	}
	for fn, input := range map[string]string{
		"move": `{"from":"Docs/.config","to":"Docs/taken"}`, "trash": `{"path":"Docs/.config"}`, "copy": `{"from":"Docs/.config","to":"Docs/taken"}`,
		"makeFolder": `{"path":"Docs/.config/countersign/x"}`, "write": `{"path":"Docs/.config/countersign/settings.jsonc","text":""}`,
	} {
		if v, err := b.call(t.Context(), fn, input); err == nil {
			t.Errorf("files.%s %s: %s", fn, input, v)
		}
	}
	out := get[struct{ Matches []any }](t, b, "search", `{"path":"Docs","text":"secret"}`)
	all := get[listed](t, b, "list", `{"path":"Docs","recursive":true}`)
	if len(out.Matches) != 0 || strings.Contains(all.paths(), "keys") || len(all.Unread) != 2 {
		t.Errorf("search found %v, list gave %s, unread %v", out.Matches, all.paths(), all.Unread)
	}
	if b.content(t, "Docs/.config/countersign/keys") != "the secret" {
		t.Error("the keys were changed")
	}
}

func TestACancelledCallStopsAndLeavesNothing(t *testing.T) {
	b := newBench(t)
	b.make(t, "Docs/dir/a=a", "Docs/dir/b=b")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for fn, input := range map[string]string{
		"list": `{"path":"Docs","recursive":true}`, "search": `{"path":"Docs","text":"a"}`, "read": `{"path":"Docs/dir/a"}`,
		"write": `{"path":"Docs/new","text":"x"}`, "copy": `{"from":"Docs/dir","to":"Docs/copy"}`,
	} {
		if v, err := b.call(ctx, fn, input); !errors.Is(err, context.Canceled) {
			t.Errorf("files.%s: %s, %v", fn, v, err)
		}
	}
	if left := get[listed](t, b, "list", `{"path":"Docs","recursive":true}`); left.paths() != "Docs/dir Docs/dir/a Docs/dir/b" {
		t.Errorf("left: %s", left.paths())
	}
}
