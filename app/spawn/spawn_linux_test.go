package spawn_test

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/faustine-ai/countersign/app/spawn"
)

func TestAChildInheritsNothingThatItIsNotGiven(t *testing.T) {
	var ends [2]int
	if err := syscall.Pipe2(ends[:], 0); err != nil { // as the webview's library makes them
		t.Fatal(err)
	}
	defer syscall.Close(ends[0])
	defer syscall.Close(ends[1])
	given, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer given.Close()
	var out strings.Builder
	command := exec.Command("ls", "-l", "/proc/self/fd")
	command.Stdout = &out
	command.ExtraFiles = []*os.File{given}
	if err := spawn.Start(command); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Fatal(err)
	}
	// 0, 1 (a pipe), 2, 3 (given), and the folder that ls reads.
	if strings.Count(out.String(), "pipe:") != 1 || !strings.Contains(out.String(), "3 -> /dev/null") {
		t.Errorf("the child has\n%s", out.String())
	}
}
