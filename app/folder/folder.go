// Package folder finds what a program names inside the folders that the person
// has picked, and opens it in a way that nothing outside can be reached: not by
// .., not by a symbolic link, and not by one that is swapped in meanwhile.
//
// A program's path is the name of a folder, then what is inside it, with slashes:
// “Downloads/2026/invoice.pdf”. Everything is opened through an os.Root, relative
// to the picked folder, component by component. What leads nowhere else but is no
// ordinary file (a pipe, a device, a socket) is refused before it is opened. Some
// folders are barred wherever they lie: the app's own, which hold its settings,
// keys and log.
//
// Hard links cannot be told from files, and a mount below a picked folder is
// part of it.
package folder

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/faustine-ai/countersign/app"
)

// Folder is one that the person has picked.
type Folder struct {
	Name  string // what programs call it, unique
	Path  string // absolute
	Write bool   // false: nothing in it is changed
}

// Folders are those that are picked now.
type Folders struct {
	list   func() []Folder
	barred []string
}

// New asks list each time that a path is looked up. What is in barred, absolute
// paths, is out of reach for programs also where a picked folder holds it.
func New(list func() []Folder, barred ...string) *Folders {
	return &Folders{list: list, barred: slices.Concat(ofTheSystem, barred)}
}

// All gives the picked folders, in the person's order, or an error that says what
// to do when there is none.
func (f *Folders) All() ([]Folder, error) {
	all := f.list()
	if len(all) == 0 {
		return nil, app.Errorf(app.FunctionFailed, "no folder has been picked, so there are no files to work on; ask the person to add one in Settings, under Folders")
	}
	return all, nil
}

// find gives the folder with exactly this name.
func (f *Folders) find(name string) (Folder, error) {
	all, err := f.All()
	if err != nil {
		return Folder{}, err
	}
	var names []string
	for _, picked := range all {
		if picked.Name == name {
			return picked, nil
		}
		names = append(names, picked.Name)
	}
	return Folder{}, app.Errorf(app.FunctionFailed, "there is no folder %q; the person has picked %s, and a path begins with one of these names", clip(name), strings.Join(names, ", "))
}

// bars says whether a real path is out of reach.
func (f *Folders) bars(real string) bool {
	return slices.ContainsFunc(f.barred, func(barred string) bool { return Within(resolved(barred), real) })
}

// holds says whether what is out of reach lies below a real path.
func (f *Folders) holds(real string) bool {
	return slices.ContainsFunc(f.barred, func(barred string) bool { return Within(real, resolved(barred)) })
}

// resolved follows the links of a path, as far as it exists.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolved(parent), filepath.Base(path))
}

// Within says whether path is folder, or below it; both are absolute and clean.
func Within(folder, path string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(folder, string(filepath.Separator)))
}

// clip bounds text from a program inside a message.
func clip(s string) string {
	const most = 120
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
