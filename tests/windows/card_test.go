package windows

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app/display"
)

// wine is a Windows of our own: a prefix, a screen and a desktop on it.
type wine struct {
	t           *testing.T
	folder      string
	program     string // wine64
	environment []string
}

func newWine(t *testing.T) *wine {
	t.Helper()
	w := &wine{t: t, folder: t.TempDir()}
	for _, place := range []string{"/usr/lib/wine/wine64", "/usr/bin/wine64", "/usr/bin/wine"} {
		if exists(place) {
			w.program = place
			break
		}
	}
	if w.program == "" {
		t.Fatal("Wine is not installed (make setup-test installs it)")
	}
	screen, err := display.Start(1280, 800)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	w.environment = append(os.Environ(), "DISPLAY="+screen.Name, "WINEPREFIX="+filepath.Join(w.folder, "prefix"),
		"WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml=")
	server := filepath.Join(filepath.Dir(w.program), "wineserver64") // Debian keeps it from PATH
	if !exists(server) {
		server = "wineserver"
	}
	w.environment = append(w.environment, "WINESERVER="+server)
	t.Cleanup(func() {
		for _, how := range []string{"-k", "-w"} { // until all of it has ended: its folder is removed then
			end := exec.Command(server, how)
			end.Env = w.environment
			end.Run()
		}
	})
	if out, err := w.command("wineboot", "-i").CombinedOutput(); err != nil {
		t.Fatalf("Wine cannot make its folder: %v\n%s", err, out)
	}
	prng := filepath.Join(w.folder, "prefix", "drive_c", "windows", "system32", "bcryptprimitives.dll")
	if out, err := exec.Command(compiler, "-shared", "-o", prng, filepath.Join("testdata", "prng.c"), "-ladvapi32").CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", compiler, err, out)
	}
	return w
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (w *wine) command(args ...string) *exec.Cmd {
	cmd := exec.Command(w.program, args...)
	cmd.Env, cmd.Dir = w.environment, w.folder
	return cmd
}

func TestTheCardsTestsPassUnderWine(t *testing.T) {
	w := newWine(t)
	program := filepath.Join(w.folder, "card.test.exe")
	forWindows(t, "test", "-c", "-o", program, "./app/card")
	// The test of saving is Linux's: Wine 8 cannot delete as Go does.
	w.passes("-test.skip TestSavedBytes")
	// At 200 %, this screen is one of 640×400.
	if out, err := w.command("reg", "add", `HKCU\Control Panel\Desktop`, "/v", "LogPixels", "/t", "REG_DWORD", "/d", "192", "/f").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	w.command("wineboot", "-k").Run() // read when a desktop begins
	w.passes("-test.run NoControlIsCut -test.skip TestSavedBytes")
}

// passes runs the card's tests on a desktop of Wine's own, where no window manager
// comes between windows and keys.
func (w *wine) passes(options string) {
	w.t.Helper()
	line := "card.test.exe -test.v -test.timeout 300s " + options + " > out.txt 2>&1"
	if err := w.command("explorer", "/desktop=card,1280x800", "cmd", "/c", line).Run(); err != nil {
		w.t.Logf("wine: %v", err)
	}
	out, err := os.ReadFile(filepath.Join(w.folder, "out.txt"))
	if err != nil {
		w.t.Fatal(err)
	}
	text := strings.ReplaceAll(string(out), "\r", "")
	if !strings.HasSuffix(strings.TrimSpace(text), "PASS") {
		w.t.Fatalf("the card's tests for Windows:\n%s", text)
	}
	w.t.Logf("%d tests passed", strings.Count(text, "\n--- PASS"))
}
