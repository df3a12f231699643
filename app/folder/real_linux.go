package folder

import (
	"os"
	"strconv"
	"strings"
)

// realPath asks the system where an open file is, which no renaming of the path
// above it can falsify.
func realPath(file *os.File, _ string) (path string, err error) {
	raw, err := file.SyscallConn()
	if err != nil {
		return "", err
	}
	if failed := raw.Control(func(fd uintptr) {
		path, err = os.Readlink("/proc/self/fd/" + strconv.Itoa(int(fd)))
	}); failed != nil {
		return "", failed
	}
	return strings.TrimSuffix(path, " (deleted)"), err
}

// ofTheSystem are file systems without files.
var ofTheSystem = []string{"/proc", "/sys", "/dev"}
