//go:build unix

package folder

import (
	"errors"
	"io/fs"
	"syscall"
)

const withoutWaiting = syscall.O_NONBLOCK | syscall.O_NOCTTY

func isQuota(err error) bool { return errors.Is(err, syscall.EDQUOT) }

// inode names a file whatever its path.
type inode struct{ device, number uint64 }

// identity is nil where the system does not tell.
func identity(info fs.FileInfo) any {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return inode{uint64(stat.Dev), uint64(stat.Ino)}
}
