package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// top is the folder of the repository.
const top = "../.."

// documents are all Markdown files of the repository, by path from its top.
func documents(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("git", "-C", top, "ls-files", "--cached", "--others", "--exclude-standard", "*.md").Output()
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for file := range strings.Lines(string(out)) {
		if file = strings.TrimSpace(file); file != "" {
			files = append(files, file)
		}
	}
	if len(files) < 15 {
		t.Fatalf("git names only the documents %v", files)
	}
	return files
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// commands are the lines of a document's shell blocks, without comments.
func commands(t *testing.T, file string) []string {
	t.Helper()
	var found []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(read(t, file), -1) {
		for line := range strings.Lines(block[1]) {
			line, _, _ = strings.Cut(line, " #")
			if line = strings.TrimSpace(line); line != "" {
				found = append(found, line)
			}
		}
	}
	return found
}
