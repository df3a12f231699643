//go:build !linux

package shell

// SetTheme does nothing here: cards and controls look as the system says.
func SetTheme(string) {}
