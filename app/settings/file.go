package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// target is the file that a path leads to: people link their settings into a
// folder that they keep, and a change must not put a file in the link's place.
func target(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// read gives the text of the file and whether there is one. It takes from others
// the right to read and change it, which an editor that replaces files gives.
func read(path string) (text []byte, exists bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err == nil && !info.Mode().IsRegular() { // a pipe would keep whoever opens it waiting
		err = errors.New("it is no regular file")
	}
	if err != nil {
		return nil, true, err
	}
	text, err = os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) { // gone since
		return nil, false, nil
	}
	if err != nil {
		return nil, true, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(path, info.Mode().Perm()&0o700)
	}
	return text, true, err
}

// draft is a text that is on the disk and not yet in its place.
type draft struct{ temporary, path string }

// prepare writes a text beside a file, durably and for its owner only. What can
// fail fails here, before the change is logged.
func prepare(path string, text []byte) (_ *draft, err error) {
	path = target(path)
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(folder, ".settings-*") // 0600
	if err != nil {
		return nil, err
	}
	d := &draft{f.Name(), path}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.drop())
		}
	}()
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	return d, errors.Join(err, f.Close())
}

// place puts the text in its place, whole or not at all.
func (d *draft) place() error { return os.Rename(d.temporary, d.path) }

func (d *draft) drop() error { return os.Remove(d.temporary) }

func write(path string, text []byte) error {
	d, err := prepare(path, text)
	if err != nil {
		return err
	}
	if err := d.place(); err != nil {
		return errors.Join(err, d.drop())
	}
	return nil
}
