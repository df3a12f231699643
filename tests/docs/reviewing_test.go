package docs

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app/cli"
	"github.com/faustine-ai/countersign/tests/million"
)

var (
	wordForm = regexp.MustCompile(`'[^']*'|\S+`)
	exitForm = regexp.MustCompile(`# exits with (\d)`)
)

func TestEveryCommandOfTheReviewersGuideDoesWhatItSays(t *testing.T) {
	text, err := os.ReadFile("../../app/docs/reviewing.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := million.Write("log.db", 20_000); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		for line := range strings.Lines(block[1]) {
			want := "0"
			if exit := exitForm.FindStringSubmatch(line); exit != nil {
				want = exit[1]
			}
			command, _, _ := strings.Cut(strings.TrimSpace(line), " # ")
			args := []string{}
			for _, word := range wordForm.FindAllString(command, -1) {
				args = append(args, strings.Trim(word, "'"))
			}
			if len(args) < 2 || args[0] != "countersign" || args[1] != "log" {
				t.Errorf("the guide says “%s”, which is no command on a log", command)
				continue
			}
			found++
			t.Run(command, func(t *testing.T) {
				root := cli.Root(cli.Program{}, cli.LogCommand())
				var out, errs bytes.Buffer
				root.SetOut(&out)
				root.SetArgs(args[1:])
				if code := cli.Execute(t.Context(), root, &errs); string(rune('0'+code)) != want {
					t.Errorf("it exits with %d, expected %s: %s", code, want, errs.String())
				}
				if out.Len() == 0 && !strings.Contains(command, "--output") || strings.Contains(out.String(), "No calls.") && !strings.Contains(command, "waiting") {
					t.Errorf("it shows nothing:\n%s", out.String())
				}
			})
		}
	}
	if found < 20 {
		t.Errorf("the guide has %d commands", found)
	}
	if rows, err := os.ReadFile(filepath.Clean("rejected-entries.csv")); err != nil || !bytes.Contains(rows, []byte("call.decided")) {
		t.Errorf("what was exported: %v", err)
	}
}
