package model

import (
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

// mainScene is the one that shows the app's main job.
const mainScene = "cancel-orders"

// Scene is a demo that can be played without a network.
type Scene struct {
	Name    string // “cancel-orders”
	Title   string // what it shows, in one line
	Request string // what the person asks
	Ends    string // the status that its run ends with: ok, error or limit
}

// Scenes returns every scene, the main one first, the others by name.
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
	main := slices.IndexFunc(scenes, func(s Scene) bool { return s.Name == mainScene })
	first := scenes[main]
	return slices.Insert(slices.Delete(scenes, main, main+1), 0, first)
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
