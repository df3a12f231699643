package sqlite_test

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/faustine-ai/countersign/app/sqlite"
)

// Each of these would wait for ever for somebody who writes into the pipe.
func TestAPipeInThePlaceOfAFileIsRefusedAtOnce(t *testing.T) {
	for _, suffix := range []string{"", ".head", ".key"} {
		t.Run("log.db"+suffix, func(t *testing.T) {
			path := filled(t, 3)
			if err := os.Remove(path + suffix); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(path+suffix, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := sqlite.Open(path, sqlite.Options{}); err == nil || !strings.Contains(err.Error(), "no regular file") {
				t.Errorf("opening: %v", err)
			}
			reader, err := sqlite.OpenReader(path)
			if err == nil {
				_, err = reader.Verify(t.Context())
				if e := reader.Close(); e != nil {
					t.Error(e)
				}
			}
			if err == nil || !strings.Contains(err.Error(), "no regular file") {
				t.Errorf("verifying: %v", err)
			}
		})
	}
}
