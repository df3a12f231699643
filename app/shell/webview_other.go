//go:build !linux

package shell

// watchWeb has nothing to watch: only WebKitGTK leaves a dead page on screen.
func watchWeb(*Shell) error { return nil }

// Prepare has nothing to start: only WebKitGTK runs within this process.
func Prepare() {}

// Engine names the webview's engine and version, or "".
func Engine() string { return "" }
