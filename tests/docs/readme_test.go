package docs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestEveryMakeCommandOfADocumentIsATarget(t *testing.T) {
	found := 0
	for _, file := range documents(t) {
		for _, command := range commands(t, file) {
			target, ok := strings.CutPrefix(command, "make ")
			if !ok {
				continue
			}
			found++
			target, _, _ = strings.Cut(target, " ")
			// --question asks whether the target is up to date; 2 means that there is none.
			err := exec.Command("make", "--directory="+top, "--question", target).Run()
			if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 2 {
				t.Errorf("%s says “%s”, and there is no such target", file, command)
			}
		}
	}
	if found < 4 {
		t.Errorf("the documents name %d make commands, expected those that start everything", found)
	}
}

// machine is a home of its own with a log in it, and the program.
type machine struct {
	program string
	env     []string
	folder  string
	id, key string // of a call in the log, and of the log
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{folder: t.TempDir(), program: filepath.Join(t.TempDir(), "countersign")}
	build := exec.Command("go", "build", "-tags", "desktop,production,webkit2_41,sqlite_fts5", "-o", m.program, top)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	m.env = append(os.Environ(), "HOME="+m.folder, "XDG_CONFIG_HOME="+m.folder+"/config",
		"XDG_DATA_HOME="+m.folder+"/data", "XDG_STATE_HOME="+m.folder+"/state", "XDG_CACHE_HOME="+m.folder+"/cache")
	log := filepath.Join(m.folder, "data", "countersign", "log.db")
	if err := os.MkdirAll(filepath.Dir(log), 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := m.run("demo", "cancel-orders", "--headless", "--db", log); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var calls []struct{ CallID string }
	out, err := m.run("log", "list", "--format", "json")
	if err != nil || json.Unmarshal([]byte(out), &calls) != nil || len(calls) == 0 {
		t.Fatalf("log list: %v\n%s", err, out)
	}
	var report struct{ Key string }
	if out, err := m.run("log", "verify", "--format", "json"); err != nil || json.Unmarshal([]byte(out), &report) != nil {
		t.Fatalf("log verify: %v\n%s", err, out)
	}
	m.id, m.key = calls[0].CallID, report.Key
	return m
}

func (m *machine) run(args ...string) (string, error) {
	cmd := exec.Command(m.program, args...)
	cmd.Dir, cmd.Env = m.folder, m.env
	out, err := cmd.Output()
	return string(out), err
}

// words takes a line apart as a shell does, as far as documents need it.
func words(line string) []string {
	var found []string
	for _, word := range regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(line, -1) {
		found = append(found, strings.Trim(word, `"`))
	}
	return found
}

// needsPerson: it opens a window that only a person closes.
func needsPerson(args []string) bool {
	if len(args) == 0 {
		return true
	}
	for _, arg := range args {
		if arg == "--headless" || arg == "--list" {
			return false
		}
	}
	return args[0] == "demo" || args[0] == "selftest"
}

func TestEveryCommandLineOfADocumentWorks(t *testing.T) {
	m := newMachine(t)
	ran := 0
	for _, file := range documents(t) {
		if file == "app/docs/reviewing.md" {
			continue // its commands are about a larger log: reviewing_test.go
		}
		for _, command := range commands(t, file) {
			args := words(command)
			if args[0] != "countersign" {
				continue
			}
			args = args[1:]
			for i, arg := range args {
				switch arg {
				case "ID":
					args[i] = m.id
				case "KEY":
					args[i] = m.key
				}
			}
			if needsPerson(args) {
				// With --help no command does anything, but unknown commands, flags
				// and demos are still errors.
				args = append(args, "--help")
			}
			ran++
			out, err := m.run(args...)
			if err != nil {
				said := ""
				if exit, ok := err.(*exec.ExitError); ok {
					said = string(exit.Stderr)
				}
				t.Errorf("%s: %s: %v %s\n%s", file, command, err, said, out)
			}
		}
	}
	if ran < 20 {
		t.Errorf("the documents have %d command lines", ran)
	}
}

func TestEveryDemoThatADocumentNamesIsThere(t *testing.T) {
	for _, file := range documents(t) {
		for _, name := range regexp.MustCompile(`countersign demo ([a-z][a-z-]+)`).FindAllStringSubmatch(read(t, file), -1) {
			if _, err := os.Stat(filepath.Join(top, "app/model/transcripts", name[1]+".json")); err != nil {
				t.Errorf("%s names the demo %s: %v", file, name[1], err)
			}
		}
	}
}

// heading is what GitHub makes of a heading for links to it.
func heading(text string) string {
	text = strings.ToLower(strings.Trim(text, "# \n"))
	text = regexp.MustCompile(`[^\p{L}\p{N}\- _]`).ReplaceAllString(text, "")
	return strings.ReplaceAll(text, " ", "-")
}

func TestEveryLinkOfADocumentLeadsSomewhere(t *testing.T) {
	fences := regexp.MustCompile("(?s)```.*?```")
	for _, file := range documents(t) {
		text := fences.ReplaceAllString(read(t, file), "")
		for _, link := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(text, -1) {
			if strings.Contains(link[1], "://") {
				if !strings.HasPrefix(link[1], "https://") {
					t.Errorf("%s links to %s, which is not https", file, link[1])
				}
				continue
			}
			path, fragment, _ := strings.Cut(link[1], "#")
			to := filepath.Join(filepath.Dir(file), path)
			if path == "" {
				to = file
			}
			info, err := os.Stat(filepath.Join(top, to))
			if err != nil {
				t.Errorf("%s links to %s: %v", file, link[1], err)
				continue
			}
			if fragment == "" || info.IsDir() || filepath.Ext(to) != ".md" {
				continue
			}
			known := false
			for _, line := range regexp.MustCompile(`(?m)^#+ .*$`).FindAllString(read(t, to), -1) {
				known = known || heading(line) == fragment
			}
			if !known {
				t.Errorf("%s links to %s, and there is no such heading", file, link[1])
			}
		}
	}
}
