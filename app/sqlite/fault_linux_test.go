package sqlite_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

func TestAFullDiskStopsWritingAndLosesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("needs a small file system of its own: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	path := filepath.Join(dir, "log.db")
	log := open(t, path)
	body, err := json.Marshal(map[string]string{"text": strings.Repeat("x", 20_000)})
	if err != nil {
		t.Fatal(err)
	}
	written := 0
	for ; written < 1000; written++ {
		if err = log.Append(t.Context(), app.Entry{Kind: app.CallStarted, RunID: "r", CallID: "c", Body: body}); err != nil {
			break
		}
	}
	if app.CodeOf(err) != app.LogUnavailable || !strings.Contains(err.Error(), "full") {
		t.Fatalf("after %d entries: got %v, want LogUnavailable about the full disk", written, err)
	}
	entries, err := log.Entries(t.Context(), sqlite.Filter{})
	if err != nil || len(entries) != written {
		t.Errorf("%d entries can be read, want %d (%v)", len(entries), written, err)
	}
	if report, err := log.Verify(t.Context()); err != nil || report.State != sqlite.Intact {
		t.Errorf("got %+v, %v", report, err)
	}
	catalog, err := sqlite.OpenFilled(t.Context(), path, sqlite.CatalogFor(path))
	if err != nil {
		t.Fatalf("its calls cannot be listed: %v", err)
	}
	if count, _, err := catalog.Survey(t.Context(), sqlite.Filter{}, 100); err != nil || count != 1 {
		t.Errorf("%d calls are listed, want 1 (%v)", count, err)
	}
	if err := catalog.Close(); err != nil {
		t.Error(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=4m"); err != nil {
		t.Fatal(err)
	}
	if err := log.Append(t.Context(), app.Entry{Kind: app.CallStarted, RunID: "r", CallID: "d", Body: body}); err != nil {
		t.Errorf("with space again: %v", err)
	}
}
