package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/faustine-ai/countersign/app/display"
	"github.com/faustine-ai/countersign/app/display/displaytest"
)

// on starts a screen with a window manager and returns the environment of it.
func on(t *testing.T, width, height int) []string {
	t.Helper()
	screen, err := display.Start(width, height)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	environment := append(os.Environ(), "DISPLAY="+screen.Name, "GDK_BACKEND=x11", "NO_AT_BRIDGE=1", "DBUS_SESSION_BUS_ADDRESS=")
	stop, err := displaytest.Manage(environment)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return environment
}

func TestNothingOfACardIsCut(t *testing.T) {
	program := filepath.Join(t.TempDir(), "cardstates")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, screen := range []struct{ width, height, scale int }{{800, 600, 1}, {1280, 800, 1}, {1280, 800, 2}, {2560, 1600, 2}} {
		environment := on(t, screen.width, screen.height)
		for _, look := range []struct{ theme, direction string }{{"Adwaita", "ltr"}, {"Adwaita", "rtl"}, {"HighContrast", "ltr"}, {"HighContrastInverse", "rtl"}} {
			for state := range states() {
				name := fmt.Sprintf("%s/%d×%d at %d00 %%/%s %s", state, screen.width, screen.height, screen.scale, look.theme, look.direction)
				if look.theme != "Adwaita" && state != "warning" && state != "binary" && state != "sixteen" {
					continue // the states with every widget there is
				}
				t.Run(name, func(t *testing.T) {
					cmd := exec.Command(program, state, look.direction, "check")
					cmd.Env = append(environment, fmt.Sprint("GDK_SCALE=", screen.scale), "GTK_THEME="+look.theme)
					out, err := cmd.CombinedOutput()
					if err != nil || len(out) > 0 {
						t.Errorf("%v\n%s", err, out)
					}
				})
			}
		}
	}
}
