package desk

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOnlyThePersonCanReadTheFolders(t *testing.T) {
	dir := t.TempDir()
	there, fresh := filepath.Join(dir, "there"), filepath.Join(dir, "a", "fresh")
	if err := os.Mkdir(there, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(there, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := makePrivate(there, fresh); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{there, fresh} {
		if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", folder, info.Mode(), err)
		}
	}
}
