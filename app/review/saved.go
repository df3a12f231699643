package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// SavedFilter is a filter under a name.
type SavedFilter struct {
	Name   string `json:"name"`
	Filter Filter `json:"filter"`
}

const (
	maxSaved     = 200
	maxSavedName = 80
)

// saved keeps filters in a 0600 file of JSON.
type saved struct {
	mu   sync.Mutex
	path string
}

func (s *saved) list() ([]SavedFilter, error) {
	text, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return []SavedFilter{}, nil
	}
	if err != nil {
		return nil, err
	}
	var file struct {
		Filters []SavedFilter `json:"filters"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, app.Errorf(app.Internal, "the file of saved filters %s is damaged (%v); correct it, or move it aside", s.path, err)
	}
	return file.Filters, nil
}

// List gives the saved filters, sorted by name.
func (s *saved) List() ([]SavedFilter, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list()
}

// Save keeps a filter, in the place of one with the same name.
func (s *saved) Save(f SavedFilter) ([]SavedFilter, error) {
	f.Name = strings.TrimSpace(f.Name)
	if f.Name == "" || len(f.Name) > maxSavedName || strings.ContainsFunc(f.Name, func(r rune) bool { return r < ' ' }) {
		return nil, app.Errorf(app.BadRequest, "the name of a filter has 1 to %d characters on one line", maxSavedName)
	}
	if _, err := f.Filter.Read(time.Now()); err != nil {
		return nil, badFilter(err)
	}
	return s.change(func(list []SavedFilter) ([]SavedFilter, error) {
		list = slices.DeleteFunc(list, func(o SavedFilter) bool { return o.Name == f.Name })
		if len(list) >= maxSaved {
			return nil, app.Errorf(app.BadRequest, "%d filters are saved already; delete one first", maxSaved)
		}
		return append(list, f), nil
	})
}

// Delete forgets a filter; that there is none is no error.
func (s *saved) Delete(name string) ([]SavedFilter, error) {
	return s.change(func(list []SavedFilter) ([]SavedFilter, error) {
		return slices.DeleteFunc(list, func(o SavedFilter) bool { return o.Name == name }), nil
	})
}

func (s *saved) change(f func([]SavedFilter) ([]SavedFilter, error)) ([]SavedFilter, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, err := s.list()
	if err != nil {
		return nil, err
	}
	if list, err = f(list); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b SavedFilter) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	text, err := json.MarshalIndent(map[string]any{"filters": list}, "", "  ")
	if err != nil {
		return nil, err
	}
	return list, writeNew(s.path, append(text, '\n'))
}

// writeNew replaces a file by a 0600 one that is there whole or not at all.
func writeNew(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	draft := path + ".new"
	if err := os.WriteFile(draft, text, 0o600); err != nil {
		return errors.Join(fmt.Errorf("saving: %w", err), os.Remove(draft))
	}
	return os.Rename(draft, path)
}
