//go:build desktoptest

package faults

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/tests/desk"
)

// small mounts a small file system for a desk's data.
func small(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", data, "tmpfs", 0, "size=4m"); err != nil {
		t.Fatalf("a small file system needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(data, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill takes all the space that is left, and gives it back.
func fill(t *testing.T, d *desk.Desk) (free func()) {
	t.Helper()
	path := d.DataFile("ballast")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for size := 1 << 16; size > 0; {
		if _, err := file.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOnAFullDiskNothingMarkedRunsAndThePersonIsTold(t *testing.T) {
	d := desk.At(t, small(t))
	d.Start()
	d.Before = d.Orders()
	d.Asks()
	free := fill(t, d)
	d.Click(d.Button("Run 3 selected"))
	d.Gone()
	shows(t, d, "the disk is full")
	d.OnlyCancelled()
	answers(t, d)
	d.Verifies() // reads go on
	for _, call := range d.Cancels() {
		if call.Decision != nil && call.Decision.Verdict == "approve" || call.Outcome == "ok" {
			t.Errorf("the log has %+v", call)
		}
	}
	free()
	d.Close()
	d.Start()
	d.Verifies()
	d.Asks()
	d.Click(d.Button("Run 3 selected"))
	d.Gone()
	d.Result(desk.Matching, nil)
	d.OnlyCancelled(desk.Matching...)
	d.Verifies()
}

func TestTheProgramExplainsADiskThatIsFullFromTheStart(t *testing.T) {
	d := desk.At(t, small(t))
	if err := os.MkdirAll(filepath.Dir(d.DataFile("x")), 0o700); err != nil {
		t.Fatal(err)
	}
	fill(t, d)
	d.Launch()
	explains(t, d, "disk is full")
	if _, err := os.Stat(d.DataFile("log.db")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("half a log was left: %v", err)
	}
}

func TestALogThatIsRemovedWhileItIsOpenStopsWhatNeedsIt(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	copied := read(t, d.DataFile("log.db"))
	if err := os.Rename(d.DataFile("log.db"), d.DataFile("elsewhere.db")); err != nil {
		t.Fatal(err)
	}
	d.Click(d.Button("Run 3 selected"))
	d.Gone()
	shows(t, d, "was removed or replaced")
	d.OnlyCancelled()
	answers(t, d)
	d.Do("command", "quit")
	select {
	case <-d.Exited:
	case <-time.After(12 * time.Second):
		t.Fatal("still there after 12 s")
	}
	d.Ended()
	// Started again it does not begin a new log as if there had been none.
	d.Launch()
	explains(t, d, "is gone: its anchor")
	if copied == "" {
		t.Error("there was no log")
	}
	if _, err := os.Stat(d.DataFile("log.db")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a new log was begun: %v", err)
	}
}

func TestALogThatIsLockedForAMinuteHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	d := desk.Open(t, "COUNTERSIGN_TEST_OFFER=cancel-orders", "COUNTERSIGN_TEST_DECIDE=approve")
	db := database(t, "file:"+d.DataFile("log.db")+"?_txlock=immediate")
	lock, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	locked := time.Now()
	asks(d)
	shows(t, d, "locked for more than 5 seconds")
	d.OnlyCancelled()
	for time.Since(locked) < time.Minute {
		answers(t, d)
		if out, err := d.Command("log", "verify"); err != nil { // reads go on
			t.Fatalf("%v\n%s", err, out)
		}
		time.Sleep(2 * time.Second) // the fault is that time passes
	}
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	asks(d)
	d.Result(desk.Matching, nil)
	d.OnlyCancelled(desk.Matching...)
	d.Verifies()
}

func TestADecisionThatCannotBeRecordedIsARejectionAndWaitsForNobody(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	db := database(t, "file:"+d.DataFile("log.db")+"?_txlock=immediate")
	lock, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	d.Click(d.Button("Run 3 selected"))
	d.Gone()
	shows(t, d, "The decision could not be recorded, so nothing was approved")
	if strings.Contains(d.Text(), "Nobody could be asked") {
		t.Errorf("the page says that nobody was asked:\n%s", d.Text())
	}
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	// While the app is open, by itself.
	desk.Eventually(t, "the log has how it ended", func() bool {
		all := entries(t, d)
		return len(all) > 0 && all[len(all)-1].Kind == app.RunEnded
	})
	d.OnlyCancelled()
	for _, c := range d.Cancels() {
		if c.Outcome != "rejected" || c.Decision == nil || c.Decision.By != "aborted" {
			t.Errorf("in the log: %+v", c)
		}
	}
	if out, err := d.Command("log", "list"); err != nil || strings.Contains(out, "waiting") {
		t.Errorf("%v\n%s", err, out)
	}
	d.Verifies()
}

// nobody is a user to whom permissions apply: they do not to root.
const nobody = 65534

func asNobody(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	cmd.Dir = "/"
}

// foreign makes a desk for nobody, whose data folder holds a log of theirs.
func foreign(t *testing.T) *desk.Desk {
	t.Helper()
	if os.Getuid() != 0 {
		t.Fatal("starting the program as another user needs root")
	}
	dir, err := os.MkdirTemp("", "countersign-nobody-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	runtime := filepath.Join(dir, "run")
	if err := os.Mkdir(runtime, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, runtime} {
		if err := os.Chown(path, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	d := desk.At(t, dir, "XDG_RUNTIME_DIR="+runtime, "HOME="+dir, "DBUS_SESSION_BUS_ADDRESS=disabled:", "TMPDIR="+dir)
	d.Start(asNobody)
	d.Before = nil
	d.Close()
	return d
}

func TestReadOnlyFilesAndFoldersAreExplainedAndReadingGoesOn(t *testing.T) {
	for _, c := range []struct {
		name string
		lock func(t *testing.T, d *desk.Desk)
	}{
		{"folder", func(t *testing.T, d *desk.Desk) { protect(t, filepath.Dir(d.DataFile("log.db")), 0o500) }},
		{"file of somebody else", func(t *testing.T, d *desk.Desk) {
			protect(t, d.DataFile("log.db"), 0o444)
			if err := os.Chown(d.DataFile("log.db"), 0, 0); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := foreign(t)
			before := read(t, d.DataFile("log.db"))
			c.lock(t, d)
			d.Launch(asNobody)
			explains(t, d, "cannot be written")
			if read(t, d.DataFile("log.db")) != before {
				t.Error("the log was changed")
			}
			cmd := exec.Command(desk.Binary, "log", "verify")
			cmd.Env = d.Env
			asNobody(cmd)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("reading: %v\n%s", err, out)
			}
		})
	}
}

func TestOnAReadOnlyLogNothingBeginsAndThePersonIsTold(t *testing.T) {
	d := foreign(t)
	protect(t, d.DataFile("log.db"), 0o400)
	before := read(t, d.DataFile("log.db"))
	d.Env = append(d.Env, "COUNTERSIGN_TEST_OFFER=cancel-orders", "COUNTERSIGN_TEST_DECIDE=approve")
	d.Start(asNobody)
	asks(d)
	shows(t, d, "cannot be written")
	answers(t, d)
	d.Verifies()
	d.Before = d.Orders()
	d.Close()
	d.OnlyCancelled()
	if read(t, d.DataFile("log.db")) != before {
		t.Error("the log was changed")
	}
}

// protect takes the right to write away.
func protect(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func TestAnAnchorThatCannotBeWrittenMeanwhileStopsWhatComesAfter(t *testing.T) {
	d := desk.Open(t)
	d.Asks()
	// The anchor cannot be written any more: what is decided then is on disk, and
	// the next thing that would need the anchor is refused.
	head := filepath.Join(d.Dir, "state", "countersign", "log.head")
	if err := os.Remove(head); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(head, 0o700); err != nil { // also root cannot write into that
		t.Fatal(err)
	}
	d.Click(d.Button("Run 3 selected"))
	d.Gone()
	shows(t, d, "the anchor of the log")
	d.OnlyCancelled()
	answers(t, d)
}
