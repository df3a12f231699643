package review

import (
	"strings"
	"syscall"
	"testing"

	"github.com/faustine-ai/countersign/app"
)

func TestTheLogIsReadWhenTheDiskFillsUpWhileItIsLookedAt(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("needs a small file system of its own: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	d := deskIn(t, folder)
	var before, after Survey
	d.must("log.count", `{"source":"","filter":{}}`, &before)
	written := int64(0)
	for {
		body := marshal(t, app.CallStartedBody{Input: app.Value(`"` + strings.Repeat("x", 20_000) + `"`)})
		id := strings.Repeat("y", int(written)+1)
		if err := d.log.Append(t.Context(), app.Entry{Kind: app.CallStarted, RunID: "r2", CallID: id, Seq: 1, Fn: "files.write", Body: body}); err != nil {
			break
		}
		written++
	}
	d.must("log.count", `{"source":"","filter":{}}`, &after)
	if written == 0 || after.Count != before.Count+written {
		t.Errorf("%d calls were listed, then %d written, now %d are listed", before.Count, written, after.Count)
	}
	var open []Source
	d.must("log.sources", `{}`, &open)
	if len(open) != 1 {
		t.Errorf("one log is open, and is listed as %+v", open)
	}
	// Closing the log wants space for what it still has to write.
	if err := syscall.Mount("tmpfs", folder, "tmpfs", syscall.MS_REMOUNT, "size=8m"); err != nil {
		t.Fatal(err)
	}
}
