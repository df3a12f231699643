//go:build !unix

package folder

const withoutWaiting = 0

func isQuota(error) bool { return false }
