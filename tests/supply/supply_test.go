// Package supply keeps what comes from others as it was when somebody chose it:
// each version is pinned, each file is what its checksum says, and nothing of it
// runs by being installed.
package supply

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// folders are those with a lock file of npm's.
func folders(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("git", "-C", "../..", "ls-files", "*package-lock.json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for file := range strings.Lines(string(out)) {
		found = append(found, filepath.Dir(strings.TrimSpace(file)))
	}
	if len(found) < 2 {
		t.Fatalf("found lock files in %v, expected those of the page and the library", found)
	}
	return found
}

func readJSON(t *testing.T, into any, path ...string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{"../.."}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%v: %v", path, err)
	}
}

func TestEveryGoModuleIsWhatItsChecksumSays(t *testing.T) {
	verify := exec.Command("go", "mod", "verify")
	verify.Dir = "../.."
	if out, err := verify.CombinedOutput(); err != nil {
		t.Errorf("go mod verify: %v\n%s", err, out)
	}
}

func TestEveryNpmPackageIsPinnedAndHasAChecksum(t *testing.T) {
	exact := regexp.MustCompile(`^\d+\.\d+\.\d+(-[\w.]+)?$|^file:`)
	for _, folder := range folders(t) {
		var own struct {
			Dependencies, DevDependencies map[string]string
		}
		readJSON(t, &own, folder, "package.json")
		for _, list := range []map[string]string{own.Dependencies, own.DevDependencies} {
			for name, version := range list {
				if !exact.MatchString(version) {
					t.Errorf("%s/package.json: %s %s: expected one version", folder, name, version)
				}
			}
		}
		var lock struct {
			Packages map[string]struct {
				Resolved, Integrity string
				Link, InBundle      bool
			}
		}
		readJSON(t, &lock, folder, "package-lock.json")
		for path, p := range lock.Packages {
			if !strings.Contains(path, "node_modules/") || p.Link || p.InBundle {
				continue
			}
			// Where it comes from is left out for npm's own registry.
			if !strings.HasPrefix(p.Integrity, "sha512-") || p.Resolved != "" && !strings.HasPrefix(p.Resolved, "https://registry.npmjs.org/") {
				t.Errorf("%s/package-lock.json: %s has the checksum %q and comes from %q", folder, path, p.Integrity, p.Resolved)
			}
		}
	}
}

func TestNothingRunsByBeingInstalled(t *testing.T) {
	for _, folder := range folders(t) {
		settings, err := os.ReadFile(filepath.Join("../..", folder, ".npmrc"))
		if err != nil || !strings.Contains(string(settings), "ignore-scripts=true") {
			t.Errorf("%s/.npmrc: expected ignore-scripts=true, got %q, %v", folder, settings, err)
		}
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(makefile)) {
		if regexp.MustCompile(`npm (ci|install)`).MatchString(line) && !strings.Contains(line, "--ignore-scripts") {
			t.Errorf("Makefile: %s", line)
		}
	}
}

// A tool that is run by its name gets a version with it.
func TestEveryToolThatIsRunIsPinned(t *testing.T) {
	for _, file := range []string{"Makefile", "build/packaging/package.sh", "build/packaging/sbom.sh", "build/packaging/windows.sh"} {
		text, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			for _, tool := range regexp.MustCompile(`[\w.-]+\.[a-z]+/[\w./-]+@\S+`).FindAllString(line, -1) {
				if !regexp.MustCompile(`@v\d+\.\d+\.\d+$`).MatchString(strings.TrimRight(tool, `"')`)) {
					t.Errorf("%s: %s is not one version", file, tool)
				}
			}
		}
	}
}
