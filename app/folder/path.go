package folder

import (
	"path/filepath"
	"strings"

	"github.com/faustine-ai/countersign/app"
)

// longest is the longest path that is looked up, in bytes; systems take less.
const longest = 4096

// CheckPath says why a path can name nothing in any picked folder, by its form
// alone: the error has the code InvalidInput.
func CheckPath(path string) error {
	_, _, err := parse(path)
	return err
}

// CheckInside is CheckPath for what is moved, written or removed as a whole, which
// a picked folder itself never is: it stays where the person has picked it.
// Which folders there are only words the error.
func (f *Folders) CheckInside(path string) error {
	name, inside, err := parse(path)
	if err != nil || inside != "." {
		return err
	}
	if _, err := f.find(name); err != nil {
		return err
	}
	return errItself(name)
}

// errItself refuses what would take a picked folder itself along.
func errItself(name string) error {
	return app.Errorf(app.InvalidInput, "%s is a picked folder itself, which stays where it is; name something inside it", name)
}

// parse splits a program's path into the folder's name and the path inside, in
// the system's form; "." is the folder itself. It refuses what a program can
// only mean by mistake or to get out; os.Root would refuse the rest.
func parse(path string) (name, inside string, err error) {
	refuse := func(why string) (string, string, error) {
		return "", "", app.Errorf(app.InvalidInput, "the path %q %s", clip(path), why)
	}
	switch {
	case path == "":
		return refuse("is empty; expected the name of a folder and what is inside it, such as Downloads/letter.txt")
	case len(path) > longest:
		return refuse("is too long")
	case strings.ContainsRune(path, 0):
		return refuse("has a NUL character in it")
	case strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~"):
		return refuse("is not inside a folder; begin with the name of a folder, such as Downloads/letter.txt")
	}
	parts := strings.Split(strings.TrimSuffix(path, "/"), "/")
	for _, part := range parts {
		switch part {
		case "":
			return refuse("has an empty part; write single slashes")
		case ".", "..":
			return refuse("has the part " + part + "; write the path without it, there is no way out of a folder")
		}
	}
	if len(parts) == 1 {
		return parts[0], ".", nil
	}
	inside, err = filepath.Localize(strings.Join(parts[1:], "/"))
	if err != nil {
		return refuse("is none that this system can have")
	}
	return parts[0], inside, nil
}
