//go:build !linux

package shell

// watchWeb has nothing to watch: only WebKitGTK leaves a dead page on screen.
func watchWeb(*Shell) error { return nil }

// Engine names the webview's engine and version, or "".
func Engine() string { return "" }
