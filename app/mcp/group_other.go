//go:build !unix

package mcp

import "os/exec"

func ownGroup(*exec.Cmd) {}

// There is no group here; that the process is gone already is fine.
func termGroup(command *exec.Cmd) { _ = command.Process.Kill() }
func killGroup(command *exec.Cmd) { _ = command.Process.Kill() }
