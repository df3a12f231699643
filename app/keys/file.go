package keys

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// fileKeys is the file for somebody without a keychain: an object of names and
// keys, as text, for its owner only.
type fileKeys struct{ path string }

// read gives all keys; none when there is no file. One that others can read is
// refused: its keys are no secret any more.
func (f fileKeys) read() (map[string]string, error) {
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // a pipe would keep whoever opens it waiting
		return nil, fmt.Errorf("%s is no regular file; remove it and set the keys again", f.path)
	}
	// Windows has no such bits; there the profile's own rights keep others out.
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("others can read %s; take that right away (chmod 600) and get a new key if they may have", f.path)
	}
	text, err := os.ReadFile(f.path)
	if err != nil {
		return nil, err
	}
	var keys map[string]string
	if err := json.Unmarshal(text, &keys); err != nil {
		// The error could quote the file.
		return nil, fmt.Errorf("%s is not an object of names and keys; set the key again or remove the file", f.path)
	}
	if keys == nil {
		keys = map[string]string{}
	}
	return keys, nil
}

func (f fileKeys) set(name string, key Secret) error {
	keys, err := f.read()
	if err != nil {
		return err
	}
	keys[name] = key.text
	return f.write(keys)
}

// forget says whether there was one.
func (f fileKeys) forget(name string) (bool, error) {
	keys, err := f.read()
	if err != nil || keys[name] == "" {
		return false, err
	}
	delete(keys, name)
	if len(keys) == 0 {
		return true, os.Remove(f.path)
	}
	return true, f.write(keys)
}

func (f fileKeys) write(keys map[string]string) error {
	text, err := json.MarshalIndent(keys, "", "  ")
	if err != nil {
		return err
	}
	folder := filepath.Dir(f.path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(folder, ".keys-*") // 0600
	if err != nil {
		return err
	}
	_, err = temporary.Write(append(text, '\n'))
	err = errors.Join(err, temporary.Sync(), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), f.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}
