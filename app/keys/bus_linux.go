package keys

import (
	"errors"
	"os"
	"path/filepath"
)

// reachable says why the keychain cannot be asked. Without a session bus the
// D-Bus library would start one of its own, which nobody else is on and which
// outlives the app.
func reachable() error {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return nil
	}
	if runtime := os.Getenv("XDG_RUNTIME_DIR"); runtime != "" {
		if _, err := os.Stat(filepath.Join(runtime, "bus")); err == nil {
			return nil
		}
	}
	return errors.New("there is no session bus, over which the keychain is reached")
}
