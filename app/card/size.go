package card

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// size is the card's width and height, in logical pixels; zero: the card's own choice.
type size struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// lastSize reads the size that the person gave the card. A file that is missing
// or says nonsense is as good as none.
func lastSize(path string) size {
	var s size
	if path == "" {
		return s
	}
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, &s) != nil || s.Width < 0 || s.Height < 0 || s.Width > 1<<15 || s.Height > 1<<15 {
		return size{}
	}
	return s
}

// keep writes the size down.
func (s size) keep(path string) error {
	if path == "" || s.Width <= 0 || s.Height <= 0 {
		return nil
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o600)
}
