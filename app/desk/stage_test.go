package desk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// As the web view's processes do when the window has gone.
func TestAFolderIsTakenAwayWhileTheLastIsWrittenIntoIt(t *testing.T) {
	for round := range 5 {
		folder := filepath.Join(t.TempDir(), "stage")
		below := filepath.Join(folder, "data", "storage")
		if err := os.MkdirAll(below, 0o700); err != nil {
			t.Fatal(err)
		}
		var begun, writing sync.WaitGroup
		for writer := range 4 {
			begun.Add(1)
			writing.Go(func() {
				for n := range 60 {
					if n == 10 {
						begun.Done()
					}
					if os.Mkdir(filepath.Join(below, strconv.Itoa(writer*100+n)), 0o700) != nil && n > 10 {
						return // the folder has gone
					}
				}
			})
		}
		begun.Wait()
		if err := takeAway(folder); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		writing.Wait()
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("round %d: it is still there: %v", round, err)
		}
	}
}
