package files_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// mount makes another disk at a path; only root can.
func (b *bench) mount(t *testing.T, path, size string) {
	t.Helper()
	b.make(t, path+"/")
	if err := syscall.Mount("tmpfs", b.at(path), "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("another disk needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(b.at(path), syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

func TestEachDiskHasItsOwnTrash(t *testing.T) {
	b := newBench(t)
	b.mount(t, "Docs/stick", "1m")
	b.make(t, "Docs/stick/deep/a.txt=a", "Docs/stick/deep/b.txt=b")
	get[struct{}](t, b, "trash", `{"path":"Docs/stick/deep/a.txt"}`)
	trash := fmt.Sprintf("Docs/stick/.Trash-%d", os.Getuid())
	if b.content(t, trash+"/files/a.txt") != "a" || !strings.Contains(b.content(t, trash+"/info/a.txt.trashinfo"), "\nPath=deep/a.txt\n") {
		t.Error("it is not in the trash of its own disk")
	}
	if _, err := os.Stat(b.at("data/Trash/info/a.txt.trashinfo")); err == nil {
		t.Error("the other trash has a note of it")
	}
	b.make(t, "Docs/stick/.Trash/")
	if err := os.Chmod(b.at("Docs/stick/.Trash"), 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	get[struct{}](t, b, "trash", `{"path":"Docs/stick/deep/b.txt"}`)
	if b.content(t, fmt.Sprintf("Docs/stick/.Trash/%d/files/b.txt", os.Getuid())) != "b" {
		t.Error("it is not in the trash that is there for everybody")
	}
	b.refused(t, "trash", `{"path":"Docs/stick"}`, "")
}

func TestWhatHasNoTrashIsLeftWhereItIs(t *testing.T) {
	b := newBench(t)
	b.mount(t, "Docs/stick", "1m")
	b.make(t, "Docs/stick/a=a", fmt.Sprintf("Docs/stick/.Trash-%d=a file", os.Getuid()), "Docs/stick/.Trash->../../outside")
	b.refused(t, "trash", `{"path":"Docs/stick/a"}`, "was left where it is: its disk has no trash")
	if b.content(t, "Docs/stick/a") != "a" {
		t.Error("it is gone")
	}
}

func TestBetweenDisksNothingIsMovedAndEverythingIsCopied(t *testing.T) {
	b := newBench(t)
	b.mount(t, "Docs/stick", "1m")
	b.make(t, "Docs/a=a", "Docs/dir/b=b")
	b.refused(t, "move", `{"from":"Docs/a","to":"Docs/stick/a"}`, "on different disks")
	get[struct{}](t, b, "copy", `{"from":"Docs/a","to":"Docs/stick/a"}`)
	get[struct{}](t, b, "copy", `{"from":"Docs/dir","to":"Docs/stick/dir"}`)
	if b.content(t, "Docs/stick/a") != "a" || b.content(t, "Docs/stick/dir/b") != "b" {
		t.Error("the copies differ")
	}
}

func TestAFullDiskLeavesWhatWasThere(t *testing.T) {
	b := newBench(t)
	b.mount(t, "Docs/full", "64k")
	b.make(t, "Docs/full/a.txt=old", "Docs/big="+strings.Repeat("x", 100_000), "Docs/dir/big="+strings.Repeat("x", 100_000))
	big := strings.Repeat("x", 100_000)
	b.refused(t, "write", map[string]any{"path": "Docs/full/a.txt", "text": big, "overwrite": true}, "the disk is full")
	b.refused(t, "write", map[string]any{"path": "Docs/full/b.txt", "text": big}, "the disk is full")
	b.refused(t, "copy", `{"from":"Docs/big","to":"Docs/full/big"}`, "the disk is full")
	b.refused(t, "copy", `{"from":"Docs/dir","to":"Docs/full/dir"}`, "the disk is full")
	if left := get[listed](t, b, "list", `{"path":"Docs/full","recursive":true}`); left.paths() != "Docs/full/a.txt" || b.content(t, "Docs/full/a.txt") != "old" {
		t.Errorf("left: %s", left.paths())
	}
}

func TestADiskThatIsReadOnlySaysSo(t *testing.T) {
	b := newBench(t)
	b.mount(t, "Docs/ro", "1m")
	b.make(t, "Docs/ro/a=a")
	if err := syscall.Mount("", b.at("Docs/ro"), "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	for fn, input := range map[string]string{
		"write": `{"path":"Docs/ro/n","text":""}`, "move": `{"from":"Docs/ro/a","to":"Docs/ro/b"}`, "makeFolder": `{"path":"Docs/ro/n"}`, "trash": `{"path":"Docs/ro/a"}`,
	} {
		b.refused(t, fn, input, "")
	}
	b.refused(t, "write", `{"path":"Docs/ro/n","text":""}`, "on a disk that cannot be written to")
}
