//go:build desktoptest

package model

import (
	"embed"
	"io/fs"
)

//go:embed desktoptest/transcripts/*
var testTranscripts embed.FS

// Scenes for the tests of the real program, in no program that is built without
// the tag.
func init() {
	sub, err := fs.Sub(testTranscripts, "desktoptest")
	if err != nil {
		panic(err) // the folder is part of the binary
	}
	sources = append(sources, sub)
}
