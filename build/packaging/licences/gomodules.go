package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// goModules are the modules that packages of the program come from: not all that
// go.mod names, of which many are for tests.
func goModules(tags string) ([]dependency, error) {
	command := exec.Command("go", "list", "-deps", "-tags", tags, "-json=ImportPath,Standard,Module", ".")
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []dependency
	seen := map[string]bool{}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			Standard bool
			Module   *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if p.Module == nil || p.Module.Main || seen[p.Module.Path] {
			continue
		}
		seen[p.Module.Path] = true
		text, err := textIn(p.Module.Dir)
		if err != nil {
			return nil, err
		}
		all = append(all, dependency{p.Module.Path, p.Module.Version, recognise(text), text, "https://pkg.go.dev/" + p.Module.Path})
	}
	standard, err := standardLibrary()
	return append(all, standard), err
}

// standardLibrary is Go itself, which is in every program.
func standardLibrary() (dependency, error) {
	out, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return dependency{}, fmt.Errorf("go env: %w", err)
	}
	root, version, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	text, err := textIn(root)
	if err != nil || text == "" {
		// Debian's packages of Go have it elsewhere.
		text, err = textIn("/usr/share/doc/golang-go")
	}
	if text == "" {
		return dependency{"Go", version, "BSD-3-Clause", "", "https://go.dev"}, err
	}
	return dependency{"Go", version, recognise(text), text, "https://go.dev"}, err
}
