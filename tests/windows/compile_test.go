package windows

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const (
	compiler = "x86_64-w64-mingw32-gcc"
	tags     = "desktop,production,sqlite_fts5"
)

// forWindows runs the go command in the repository, for Windows.
func forWindows(t *testing.T, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(compiler); err != nil {
		t.Fatalf("%v (make setup-test installs it)", err)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=1", "CC="+compiler)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
}

func TestTheAppCompilesForWindows(t *testing.T) {
	forWindows(t, "build", "-tags", tags, "-o", filepath.Join(t.TempDir(), "countersign.exe"), ".")
}
