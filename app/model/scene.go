package model

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed transcripts/*.json transcripts/*.js
var transcripts embed.FS

// sources are where transcripts come from, each with a folder of that name.
var sources = []fs.FS{transcripts}

// order is the order in which scenes are shown: the app's main job first. Those
// that it does not name follow, by name.
var order = []string{
	"cancel-orders", "eight-of-sixteen", "one-at-a-time", "tidy-folder", "ask-the-database",
	"poisoned-mail", "changed-its-mind", "runaway", "restart",
}

// Scene is a demo that can be played without a network.
type Scene struct {
	Name    string // “cancel-orders”
	Title   string // what it shows, in one line
	Notice  string // what to notice when it is over
	Request string // what the person asks
	// Ends are the statuses that its runs end with, one for each run: ok, error
	// or limit.
	Ends []string
	// Approval is how marked calls wait: each, batch or never.
	Approval string
	// Decide is what decides when nobody does: approve, reject or first:N.
	Decide string
	// Functions are the families that the scene's programs may call.
	Functions []string
	// Restarts says that the app is closed while the card waits, and started again.
	Restarts bool
}

// Scenes returns every scene, the main one first.
func Scenes() []Scene {
	var files []fs.DirEntry
	for _, source := range sources {
		found, err := fs.ReadDir(source, "transcripts")
		if err != nil {
			panic(err) // the folder is part of the binary
		}
		files = append(files, found...)
	}
	var scenes []Scene
	for _, file := range files {
		name, isTranscript := strings.CutSuffix(file.Name(), ".json")
		if !isTranscript {
			continue
		}
		script, err := load(name)
		if err != nil {
			panic(err) // the files are part of the binary, and a test loads them all
		}
		scenes = append(scenes, script.scene(name))
	}
	place := func(s Scene) int {
		if at := slices.Index(order, s.Name); at >= 0 {
			return at
		}
		return len(order)
	}
	slices.SortStableFunc(scenes, func(a, b Scene) int { return cmp.Compare(place(a), place(b)) })
	return scenes
}

// Find returns the scene with this name. The error names those that exist.
func Find(name string) (Scene, error) {
	var names []string
	for _, scene := range Scenes() {
		if scene.Name == name {
			return scene, nil
		}
		names = append(names, scene.Name)
	}
	return Scene{}, fmt.Errorf("there is no scene %q; the scenes are %s", name, strings.Join(names, ", "))
}

func readTranscript(name string) (text []byte, err error) {
	for _, source := range sources {
		if text, err = fs.ReadFile(source, path.Join("transcripts", name)); err == nil {
			return text, nil
		}
	}
	return nil, err
}

// load reads a transcript and the programs that its turns name.
func load(name string) (*transcript, error) {
	text, err := readTranscript(name + ".json")
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	var script transcript
	if err := decoder.Decode(&script); err != nil {
		return nil, fmt.Errorf("transcripts/%s.json: %w", name, err)
	}
	if err := script.check(); err != nil {
		return nil, fmt.Errorf("transcripts/%s.json: %w", name, err)
	}
	for i := range script.Turns {
		turn := &script.Turns[i]
		if turn.Program != "" {
			program, err := readTranscript(turn.Program)
			if err != nil {
				return nil, fmt.Errorf("transcripts/%s.json, turn %d: %w", name, i+1, err)
			}
			turn.code = string(program)
		}
		if err := turn.parse(); err != nil {
			return nil, fmt.Errorf("transcripts/%s.json, turn %d: %w", name, i+1, err)
		}
	}
	return &script, nil
}
