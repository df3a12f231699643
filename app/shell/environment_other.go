//go:build !linux

package shell

func prepareEnvironment() {}
