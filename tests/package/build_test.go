//go:build packagetest

package package_

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// built is the folder with the packages of this tree.
var built string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "countersign-package-")
	if err == nil {
		built = filepath.Join(folder, "one")
		err = run("../..", nil, "build/packaging/package.sh", built)
	}
	code := 1
	if err != nil {
		fmt.Fprintln(os.Stderr, "the packages were not built:", err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(folder)
	os.Exit(code)
}

// run runs a program in a folder, with variables on top of ours.
func run(folder string, variables []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), variables...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// one is the only file of the packages that matches.
func one(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(built, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %v, %v", pattern, found, err)
	}
	return found[0]
}

// output is what a program prints.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func TestThePackagesAreTheSameWhoeverBuildsThemWhereAndWhen(t *testing.T) {
	folder := t.TempDir()
	tree, again := filepath.Join(folder, "another", "place"), filepath.Join(folder, "two")
	// A copy of what is committed and of what has changed since, in another folder,
	// with nothing compiled before, and its page built anew.
	files := output(t, "git", "-C", "../..", "ls-files", "--cached", "--others", "--exclude-standard")
	for file := range strings.Lines(files) {
		file = strings.TrimSpace(file)
		text, err := os.ReadFile(filepath.Join("../..", file))
		if os.IsNotExist(err) {
			continue // removed since
		}
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(tree, file)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
	for _, part := range []string{"sandbox", "frontend"} {
		modules, err := filepath.Abs(filepath.Join("../..", part, "node_modules"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(modules, filepath.Join(tree, part, "node_modules")); err != nil {
			t.Fatal(err)
		}
		if err := run(filepath.Join(tree, part), nil, "npm", "run", "--silent", "build"); err != nil {
			t.Fatal(err)
		}
	}
	epoch := strings.TrimSpace(output(t, "git", "-C", "../..", "log", "-1", "--format=%ct"))
	if err := run(tree, []string{"SOURCE_DATE_EPOCH=" + epoch, "GOCACHE=" + filepath.Join(folder, "cache"), "TZ=Asia/Tokyo", "LC_ALL=C.UTF-8"},
		"build/packaging/package.sh", again); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"*.deb", "*.tar.gz", "SHA256SUMS"} {
		first := one(t, pattern)
		a, err := os.ReadFile(first)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(again, filepath.Base(first)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs: %d and %d bytes", filepath.Base(first), len(a), len(b))
		}
	}
}
