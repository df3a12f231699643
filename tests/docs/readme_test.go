package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// commandsIn returns the lines of the README's shell blocks, without comments.
func commandsIn(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var commands []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		for _, line := range strings.Split(block[1], "\n") {
			line, _, _ = strings.Cut(line, " #")
			if line = strings.TrimSpace(line); line != "" {
				commands = append(commands, line)
			}
		}
	}
	return commands
}

func TestEveryMakeCommandOfTheReadmeIsATarget(t *testing.T) {
	found := 0
	for _, command := range commandsIn(t, "../../README.md") {
		target, ok := strings.CutPrefix(command, "make ")
		if !ok {
			continue
		}
		found++
		// --question asks whether the target is up to date; 2 means that there is none.
		err := exec.Command("make", "--directory=../..", "--question", target).Run()
		if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 2 {
			t.Errorf("README says “%s”, and there is no such target", command)
		}
	}
	if found < 2 {
		t.Errorf("README names %d make commands, expected the two that start everything", found)
	}
}

func TestEveryCommandLineOfTheReadmeIsUnderstood(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "countersign")
	build := exec.Command("go", "build", "-tags", "desktop,production,webkit2_41,sqlite_fts5", "-o", binary, "../..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	for _, command := range commandsIn(t, "../../README.md") {
		words := strings.Fields(command)
		if words[0] != "countersign" {
			continue
		}
		// With --help no command does anything, but unknown commands and flags
		// are still errors.
		cmd := exec.Command(binary, append(words[1:], "--help")...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s --help: %v\n%s", command, err, out)
		}
		for _, word := range words[1:] {
			if name, isFlag := strings.CutPrefix(word, "--"); isFlag && !strings.Contains(string(out), "--"+name) {
				t.Errorf("%s: the help knows no --%s", command, name)
			}
		}
		if len(words) > 1 && !strings.Contains(string(out), "countersign "+words[1]) {
			t.Errorf("%s: there is no such command:\n%s", command, out)
		}
	}
}

func TestEveryFileThatTheReadmeLinksToIsThere(t *testing.T) {
	for _, file := range []string{"../../README.md", "../../ARCHITECTURE.md", "../../SECURITY.md", "../../sandbox/README.md", "../../app/docs/functions.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, link := range regexp.MustCompile(`\]\(([^)#\s]+)`).FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), link[1])); err != nil {
				t.Errorf("%s links to %s: %v", file, link[1], err)
			}
		}
	}
}
