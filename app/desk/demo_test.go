package desk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestALogInAFolderThatIsNotThereIsRefused(t *testing.T) {
	folder := t.TempDir()
	missing := filepath.Join(folder, "no", "log.db")
	if err := folderFor(missing); err == nil || !strings.Contains(err.Error(), "there is no folder") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Dir(missing)); !os.IsNotExist(err) {
		t.Errorf("it was made: %v", err)
	}
	for _, fine := range []string{"", "log.db", filepath.Join(folder, "log.db")} {
		if err := folderFor(fine); err != nil {
			t.Errorf("%q: %v", fine, err)
		}
	}
}
