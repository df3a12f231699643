package bridge

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

func TestAFullDiskIsCalledThatAndNothingElseLeavesTheProcess(t *testing.T) {
	full := wire(&fs.PathError{Op: "write", Path: "/secret", Err: syscall.ENOSPC})
	if !strings.Contains(full.Message, "the disk is full") || strings.Contains(full.Message, "/secret") {
		t.Errorf("got %q", full.Message)
	}
	if other := wire(errors.New("a cause of our own")); strings.Contains(other.Message, "cause") {
		t.Errorf("got %q", other.Message)
	}
}
