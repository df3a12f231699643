//go:build unix

package folder

import (
	"errors"
	"syscall"
)

const withoutWaiting = syscall.O_NONBLOCK | syscall.O_NOCTTY

func isQuota(err error) bool { return errors.Is(err, syscall.EDQUOT) }
