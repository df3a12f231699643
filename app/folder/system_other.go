//go:build !unix

package folder

import "io/fs"

const withoutWaiting = 0

func isQuota(error) bool { return false }

// identity: locks belong to handles here, so nothing needs to be told apart.
func identity(fs.FileInfo) any { return nil }
