//go:build !linux

package folder

import (
	"os"
	"path/filepath"
)

// realPath follows the links of the path by which a file was opened.
func realPath(_ *os.File, path string) (string, error) { return filepath.EvalSymlinks(path) }

// ofTheSystem are file systems without files: none that is known here.
var ofTheSystem []string
