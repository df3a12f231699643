//go:build desktoptest

package desk

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/faustine-ai/countersign/app/display"
	"github.com/faustine-ai/countersign/app/display/displaytest"
)

// Binary is the program under test; Environment is that of a desktop session of
// our own, which nothing else on this machine shares.
var (
	Binary      string
	Environment []string
)

// endsWithUs has a program go with the tests, also when they are killed. It goes
// with the thread that started it, so that must be one which stays.
var endsWithUs = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}

func init() { runtime.LockOSThread() }

// Main runs a package's tests inside a session. It is the body of its TestMain.
func Main(m *testing.M) {
	code, err := inSession(m.Run)
	if err != nil {
		// A desktop that cannot be had is a failure, never a silent skip.
		fmt.Fprintln(os.Stderr, "the desktop for the tests did not start:", err)
		code = 1
	}
	os.Exit(code)
}

func inSession(run func() int) (int, error) {
	for _, tool := range []string{"Xvfb", "openbox", "xdotool", "dbus-daemon", "/usr/bin/python3", "/usr/libexec/at-spi-bus-launcher"} {
		if _, err := exec.LookPath(tool); err != nil {
			return 0, fmt.Errorf("%w (make setup-test installs it)", err)
		}
	}
	dir, err := os.MkdirTemp("", "countersign-desktop-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // the program also runs as another user
		return 0, err
	}
	Binary = filepath.Join(dir, "countersign")
	build := exec.Command("go", "build", "-tags", "desktop,production,webkit2_41,sqlite_fts5,desktoptest", "-o", Binary, "github.com/faustine-ai/countersign")
	if out, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("build: %w\n%s", err, out)
	}
	screen, err := display.Start(1280, 900)
	if err != nil {
		return 0, err
	}
	defer screen.Close()
	runtimeDir := filepath.Join(dir, "run")
	if err := os.Mkdir(runtimeDir, 0o700); err != nil {
		return 0, err
	}
	Environment = append(os.Environ(), "DISPLAY="+screen.Name, "GDK_BACKEND=x11", "WAYLAND_DISPLAY=", "XDG_RUNTIME_DIR="+runtimeDir, "LC_ALL=C.UTF-8")
	address, stop, err := sessionBus()
	if err != nil {
		return 0, err
	}
	defer stop()
	Environment = append(Environment, "DBUS_SESSION_BUS_ADDRESS="+address)
	stopManager, err := displaytest.Manage(Environment, func(manager *exec.Cmd) { manager.SysProcAttr = endsWithUs })
	if err != nil {
		return 0, err
	}
	defer stopManager()
	return run(), nil
}

// sessionBus starts a bus of our own and returns its address.
func sessionBus() (address string, stop func(), err error) {
	bus := exec.Command("dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1")
	bus.Env = Environment
	bus.SysProcAttr = endsWithUs
	out, err := bus.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := bus.Start(); err != nil {
		return "", nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", nil, fmt.Errorf("dbus-daemon told no address: %w", err)
	}
	return strings.TrimSpace(line), func() { bus.Process.Kill(); bus.Wait() }, nil
}
