package windows

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestCommandsSpeakToTheTerminalThatTheyAreGivenIn(t *testing.T) {
	w := newWine(t)
	forWindows(t, "build", "-tags", tags, "-ldflags", "-H windowsgui", "-o", filepath.Join(w.folder, "countersign.exe"), ".")
	if out, err := exec.Command(compiler, "-o", filepath.Join(w.folder, "console.exe"), filepath.Join("testdata", "console.c")).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", compiler, err, out)
	}
	screen := func(wantCode int, command ...string) string {
		t.Helper()
		cmd := w.command(append([]string{"console.exe", "screen.txt", "countersign.exe"}, command...)...)
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != wantCode {
			t.Errorf("%v ended with %d, %v\n%s", command, code, err, out)
		}
		text, err := os.ReadFile(filepath.Join(w.folder, "screen.txt"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if said := screen(0, "version"); !strings.Contains(said, "countersign 0.") {
		t.Errorf("the terminal shows %q", said)
	}
	if said := screen(2, "log", "list", "--since", "whenever"); !strings.Contains(said, "whenever") {
		t.Errorf("the terminal shows no error: %q", said)
	}

	t.Run("and to a file where they are redirected", func(t *testing.T) {
		said := screen(0, "version")
		if err := w.command("cmd", "/c", "countersign.exe version > file.txt 2> errors.txt").Run(); err != nil {
			t.Error(err)
		}
		text, err := os.ReadFile(filepath.Join(w.folder, "file.txt"))
		if err != nil || !strings.Contains(string(text), "countersign 0.") || !strings.Contains(said, strings.Fields(string(text))[1]) {
			t.Errorf("the file holds %q, %v; the terminal showed %q", text, err, said)
		}
		piped, err := w.command("countersign.exe", "version").Output()
		if err != nil || string(piped) != string(text) {
			t.Errorf("a pipe got %q, %v", piped, err)
		}
	})
}
