package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright|notice|unlicense)([.-].*)?$`)

// textIn puts together the licence files of a folder; "" when it has none.
func textIn(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var texts []string
	for _, entry := range entries { // by name
		if entry.IsDir() || !licenceFile.MatchString(entry.Name()) || strings.HasSuffix(entry.Name(), ".go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return "", err
		}
		if clean := strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")); !slices.Contains(texts, clean) {
			texts = append(texts, clean)
		}
	}
	return strings.Join(texts, "\n\n"), nil
}

// phrases tell licences apart; the first that a text has names it.
var phrases = []struct{ licence, phrase string }{
	{"GPL", "gnu general public license"},
	{"MPL-2.0", "mozilla public license"},
	{"Apache-2.0", "apache license"},
	{"Unlicense", "this is free and unencumbered software"},
	{"BSD-3-Clause", "neither the name of"},
	{"BSD-3-Clause", "names of its contributors may"},
	{"BSD-2-Clause", "redistributions in binary form must reproduce"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software"},
	{"ISC", "permission to use, copy, modify, and distribute this software"},
	{"MIT", "permission is hereby granted, free of charge"},
}

// recognise names the licence of a text, or "" when it is none that we know.
func recognise(text string) string {
	plain := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	for _, p := range phrases {
		if strings.Contains(plain, p.phrase) {
			return p.licence
		}
	}
	return ""
}
