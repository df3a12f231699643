// Package spawn starts other programs without handing them what they were not
// given. It is a leaf that anyone may import.
package spawn

import "os/exec"

// Start is command.Start. Before it, every descriptor of this process but the
// first three is marked so that children do not inherit it: the webview's library
// makes pipes for its answers that are not, and a child that holds one keeps the
// page waiting for the end of that answer until the child ends.
func Start(command *exec.Cmd) error {
	keepDescriptors()
	return command.Start()
}
