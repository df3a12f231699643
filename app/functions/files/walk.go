package files

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
)

const (
	maxVisited = 200_000 // files and folders that one call looks at
	maxDepth   = 100     // folders inside folders; each holds one open
)

// found is something in a folder that is walked through.
type found struct {
	at   string // below where the walk began, with slashes
	name string
	info fs.FileInfo
	dir  *folder.Dir // it is in
}

var errStop = errors.New("enough") // visit wants no more

// walker goes through a folder: names sorted, each folder before its contents.
type walker struct {
	ctx       context.Context
	recursive bool
	into      func(at string) bool // whether to look into this folder; nil: always
	visit     func(found) error
	visited   int
	cut       bool     // there was more than may be looked at
	unread    []string // folders that could not be opened, and names that are no text
}

// walk visits what is below dir. Links are visited and not followed. A name that
// goes away meanwhile is left out.
func (w *walker) walk(dir *folder.Dir, at string, depth int) error {
	names, err := w.namesIn(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if w.visited++; w.visited > maxVisited {
			w.cut = true
			return errStop
		}
		if !utf8.ValidString(name) { // no path can name it
			w.unread = append(w.unread, strings.ToValidUTF8(strings.TrimPrefix(at+"/"+name, "/"), "\ufffd"))
			continue
		}
		info, err := dir.Lstat(name)
		if err != nil {
			continue
		}
		below := strings.TrimPrefix(at+"/"+name, "/")
		if err := w.visit(found{below, name, info, dir}); err != nil {
			return err
		}
		if !w.recursive || !info.IsDir() || w.into != nil && !w.into(below) {
			continue
		}
		if err := w.enter(dir, name, below, depth); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) enter(dir *folder.Dir, name, at string, depth int) error {
	if depth >= maxDepth {
		w.cut = true
		return nil
	}
	sub, err := dir.Sub(name)
	if err != nil {
		w.unread = append(w.unread, at)
		return nil
	}
	err = w.walk(sub, at, depth+1)
	_ = sub.Close() // it was only read
	return err
}

func (w *walker) namesIn(dir *folder.Dir) ([]string, error) {
	handle, err := dir.Root.Open(".")
	if err != nil {
		return nil, err
	}
	names, err := handle.Readdirnames(-1)
	_ = handle.Close() // it was only read
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	return names, nil
}

// over says whether a walk's error is none.
func over(err error) error {
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}

// comparePaths orders paths as a walk meets them: part by part.
func comparePaths(a, b string) int {
	return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
}

func limitOf(asked *int, usual, most int) (int, error) {
	switch {
	case asked == nil:
		return usual, nil
	case *asked < 1 || *asked > most:
		return 0, app.Errorf(app.InvalidInput, "input.limit: expected 1 to %d, got %d", most, *asked)
	}
	return *asked, nil
}
