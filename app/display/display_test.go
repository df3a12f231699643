package display_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app/display"
)

func TestScreensHaveNumbersOfTheirOwnAndGoAway(t *testing.T) {
	if _, err := exec.LookPath("Xvfb"); err != nil {
		t.Skip("Xvfb is not installed")
	}
	a, err := display.Start(800, 600)
	if err != nil {
		t.Fatal(err)
	}
	b, err := display.Start(800, 600)
	if err != nil {
		a.Close()
		t.Fatal(err)
	}
	if a.Name == b.Name || !strings.HasPrefix(a.Name, ":") {
		t.Errorf("names %q and %q", a.Name, b.Name)
	}
	for _, v := range []*display.Virtual{a, b} {
		socket := "/tmp/.X11-unix/X" + v.Name[1:]
		open, err := os.Stat(socket)
		if err != nil {
			t.Fatalf("%s is not there while its screen runs: %v", socket, err)
		}
		v.Close()
		// Other tests start screens too, and may have been given this number by now.
		if left, err := os.Stat(socket); err == nil && os.SameFile(open, left) && open.ModTime().Equal(left.ModTime()) {
			t.Errorf("%s is still there after Close", socket)
		}
	}
}

func TestWithoutXvfbTheErrorSaysWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := display.Start(800, 600); err == nil || !strings.Contains(err.Error(), "xvfb") {
		t.Errorf("got %v", err)
	}
}
