package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

// run executes the command line and returns what it printed.
func run(t *testing.T, p Program, args ...string) (out, errs string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	root := Root(p, LogCommand())
	root.SetArgs(args)
	root.SetOut(&stdout)
	root.SetErr(&stderr)
	code = Execute(context.Background(), root, &stderr)
	return stdout.String(), stderr.String(), code
}

func program(played *Demo) Program {
	return Program{
		Version: "1.2.3", Engine: "WebKitGTK 9.9",
		Open:   func(context.Context) error { return errors.New("opened") },
		Demo:   func(_ context.Context, d Demo) error { *played = d; return nil },
		Scenes: func() []Scene { return []Scene{{"cancel-orders", "Three orders"}, {"throws", "A program that throws"}} },
	}
}

func TestCommands(t *testing.T) {
	for _, c := range []struct {
		args     string
		out, err string // contained
		code     int
		demo     Demo
	}{
		{"", "", "countersign: opened", 1, Demo{}},
		{"version", "countersign 1.2.3 (go", "", 0, Demo{}},
		{"version extra", "", `unexpected argument "extra"`, 2, Demo{}},
		{"demo --list", "throws         A program that throws\n", "", 0, Demo{}},
		{"demo", "", "", 0, Demo{Name: "cancel-orders"}},
		{"demo throws --headless --decide first:2 --db x.db", "", "", 0, Demo{Name: "throws", Headless: true, Decide: "first:2", Log: "x.db"}},
		{"demo --list nosuch", "", `unexpected argument "nosuch"`, 2, Demo{}},
		{"demo --decide approve --decide reject", "", "--decide is given twice", 2, Demo{}},
		{"log list --fn a --fn b", "", "--fn is given twice", 2, Demo{}},
		{"log list --db a --db b", "", "--db is given twice", 2, Demo{}},
		{"help log list", "List calls", "", 0, Demo{}},
		{"help", "Available Commands", "", 0, Demo{}},
		{"help nosuch", "", `unknown command "nosuch"`, 2, Demo{}},
		{"help log nosuch", "", `unknown command "nosuch"`, 2, Demo{}},
		{"completion", "Usage:", "", 0, Demo{}},
		{"completion bash --help", "Generate the autocompletion script", "", 0, Demo{}},
		{"completion nosuch", "", `unknown command "nosuch"`, 2, Demo{}},
		{"completion bash extra", "", `unexpected argument "extra"`, 2, Demo{}},
		{"demo a b", "", "expected one demo", 2, Demo{}},
		{"demo --what", "", "unknown flag: --what", 2, Demo{}},
		{"demo nosuch", "", `there is no demo "nosuch"`, 2, Demo{}},
		{"--version", "countersign 1.2.3 (go", "", 0, Demo{}},
		{"demo throws --decide=", "", "--decide is empty", 2, Demo{}},
		{"demo throws --db=", "", "--db is empty", 2, Demo{}},
		{"--help", "Exit codes: 0", "", 0, Demo{}},
		{"selftest --help", "Exit codes: 0", "", 0, Demo{}},
		{"demo --help", "Exit codes: 0", "", 0, Demo{}},
		{"log --nope", "", `Run "countersign log --help"`, 2, Demo{}},
		{"nonsense", "", `unknown command "nonsense"`, 2, Demo{}},
		{"--help", "demo", "", 0, Demo{}},
		{"demo --help", "first:N", "", 0, Demo{}},
		{"version --help", "Print the version", "", 0, Demo{}},
	} {
		t.Run(c.args, func(t *testing.T) {
			var played Demo
			out, errs, code := run(t, program(&played), strings.Fields(c.args)...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if !strings.Contains(out, c.out) || !strings.Contains(errs, c.err) {
				t.Errorf("stdout %q, stderr %q", out, errs)
			}
			if c.err == "" && errs != "" {
				t.Errorf("stderr %q", errs)
			}
			played.Out = nil
			if played != c.demo {
				t.Errorf("played %+v, want %+v", played, c.demo)
			}
		})
	}
}
