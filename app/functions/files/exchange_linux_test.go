package files_test

import (
	"testing"

	"golang.org/x/sys/unix"
)

func exchange(t *testing.T, a, b string) {
	if err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE); err != nil {
		t.Error(err)
	}
}
