package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// npmPackages are those that a folder's lock file has, but for what only builds
// and tests need.
func npmPackages(folder string) ([]dependency, error) {
	text, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License          string
			Dev, Link, Optional, Peer bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("%s/package-lock.json: %w", folder, err)
	}
	var all []dependency
	for path, p := range lock.Packages {
		at := strings.LastIndex(path, "node_modules/")
		if at < 0 || p.Dev || p.Link {
			continue
		}
		installed := filepath.Join(folder, path)
		if _, err := os.Stat(installed); errors.Is(err, fs.ErrNotExist) && p.Optional {
			continue // for another platform
		}
		text, err := textIn(installed)
		if err != nil {
			return nil, err
		}
		name := path[at+len("node_modules/"):]
		licence := p.License
		if licence == "" {
			licence = recognise(text)
		}
		all = append(all, dependency{name, p.Version, licence, text, "https://www.npmjs.com/package/" + name})
	}
	return all, nil
}
