package macos

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app/display"
	"github.com/faustine-ai/countersign/app/display/displaytest"
)

const sources = "../../app/card"

// exports writes what cgo would: the declarations of the Go functions that the
// panel calls. A call of one that is not exported then fails to compile.
func exports(t *testing.T, folder string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(sources, "window_darwin.go"))
	if err != nil {
		t.Fatal(err)
	}
	var header strings.Builder
	header.WriteString("#include <stdint.h>\n")
	types := map[string]string{"C.int": "int", "C.uint64_t": "uint64_t", "*C.char": "char *", "": "void"}
	for _, f := range regexp.MustCompile(`(?m)^func (countersignMac\w+)\(([^)]*)\) ?(?:\((?:\w+ )?([^)]+)\)|([^ {]*)) ?\{`).FindAllStringSubmatch(string(text), -1) {
		var parameters []string
		kind := ""
		names := strings.Split(f[2], ",")
		for i := len(names) - 1; i >= 0; i-- { // the type stands behind the last of several names
			if fields := strings.Fields(names[i]); len(fields) == 2 {
				kind = types[fields[1]]
			}
			parameters = append([]string{kind}, parameters...)
		}
		header.WriteString(types[f[3]+f[4]] + " " + f[1] + "(" + strings.Join(parameters, ", ") + ");\n")
	}
	if n := strings.Count(header.String(), "countersignMac"); n < 15 {
		t.Fatalf("found only %d exported functions", n)
	}
	if err := os.WriteFile(filepath.Join(folder, "_cgo_export.h"), []byte(header.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// build compiles the panel with its host. Its key codes are those of a Mac's
// keyboard and become X11's.
func build(t *testing.T) (program string) {
	t.Helper()
	folder := t.TempDir()
	exports(t, folder)
	program = filepath.Join(folder, "panel")
	args := []string{"-x", "objective-c", "-std=gnu11", "-fobjc-exceptions", "-fconstant-string-class=NSConstantString",
		"-Wall", "-Werror=implicit-function-declaration", "-Werror=incompatible-pointer-types",
		"-I", folder, "-I", sources, "-I", "testdata", "-I", "/usr/include/GNUstep", "-include", "gnustep.h", "-o", program, "testdata/host.m"}
	parts, err := filepath.Glob(sources + "/*_darwin.m")
	if err != nil || len(parts) < 5 {
		t.Fatalf("%v, %v", parts, err)
	}
	for _, part := range parts {
		text, err := os.ReadFile(part)
		if err != nil {
			t.Fatal(err)
		}
		keys := "KEY_RETURN = 36, KEY_TAB = 48, KEY_SPACE = 49, KEY_ESCAPE = 53, KEY_ENTER = 76"
		if strings.HasSuffix(part, "arming_darwin.m") && !strings.Contains(string(text), keys) {
			t.Fatal("the key codes have changed: change them here too")
		}
		here := filepath.Join(folder, filepath.Base(part))
		x11 := strings.Replace(string(text), keys, "KEY_RETURN = 36, KEY_TAB = 23, KEY_SPACE = 65, KEY_ESCAPE = 9, KEY_ENTER = 104", 1)
		if err := os.WriteFile(here, []byte(x11), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, here)
	}
	args = append(args, "-x", "none", "-lgnustep-gui", "-lgnustep-base", "-lobjc", "-lm")
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v (make setup-test installs GNUstep)\n%s", err, out)
	}
	return program
}

// hasTheKeys tells whether a window is in front. A panel that is armed before it is
// in front, as on a busy machine, is armed anew with the focus.
func hasTheKeys(environment []string) bool {
	front := exec.Command("xdotool", "getactivewindow")
	front.Env = environment
	return front.Run() == nil
}

// endIn ends what GNUstep has started for this home and leaves behind, before the
// home is removed: its notification center goes on for whoever comes next.
func endIn(t *testing.T, home string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		ours := func() bool {
			environment, err := os.ReadFile(path)
			return err == nil && bytes.Contains(environment, []byte("HOME="+home+"\x00"))
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil || !ours() {
			continue
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Error(err)
		}
		for late := time.Now().Add(time.Minute); ours(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(late) {
				t.Fatalf("the process %d goes on", pid)
			}
		}
	}
}

func TestThePanelAnswersToKeysAsTheOtherWindowsDo(t *testing.T) {
	program := build(t)
	screen, err := display.Start(1280, 800)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	home := t.TempDir()
	environment := append(os.Environ(), "DISPLAY="+screen.Name, "HOME="+home, "LC_ALL=C.UTF-8")
	t.Cleanup(func() { endIn(t, home) })
	stop, err := displaytest.Manage(environment)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	for _, c := range []struct{ name, keys, want string }{
		{"Space on the first focus rejects", "space", "answered 2, ticked 111, “”"},
		{"Enter on the first focus rejects", "Return", "answered 2, ticked 111, “”"},
		{"Escape closes", "Escape", "answered 3, ticked 111, “”"},
		{"Space on run runs", "Tab space", "answered 1, ticked 111, “”"},
		{"Enter on run says why it does not", "Tab Return KP_Enter Return space", "enter enter enter answered 1, ticked 111, “”"},
		{"rows are unticked", "shift+Tab shift+Tab shift+Tab Down space Tab Tab Tab Tab space", "answered 1, ticked 101, “”"},
		{"with nothing ticked Tab finds no button that runs", "shift+Tab shift+Tab shift+Tab space Down space Down space Tab Tab Tab space", "answered 2, ticked 000, “”"},
		{"a reason travels with the rejection", "shift+Tab n o space x Return Tab space", "answered 2, ticked 111, “no x”"},
	} {
		t.Run(c.name, func(t *testing.T) {
			panel := exec.Command(program)
			panel.Env = environment
			out, err := panel.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := panel.Start(); err != nil {
				t.Fatal(err)
			}
			late := time.AfterFunc(2*time.Minute, func() { panel.Process.Kill() })
			defer late.Stop()
			defer func() { panel.Process.Kill(); panel.Wait() }()
			var said, all []string
			pressed := false
			for lines := bufio.NewScanner(out); lines.Scan(); {
				line := lines.Text()
				all = append(all, line)
				switch {
				case line == "armed" && !pressed && hasTheKeys(environment):
					pressed = true
					keys := exec.Command("xdotool", append([]string{"key", "--delay", "60"}, strings.Fields(c.keys)...)...)
					keys.Env = environment
					if out, err := keys.CombinedOutput(); err != nil {
						t.Fatalf("xdotool: %v\n%s", err, out)
					}
				case line == "armed", line == "disarmed", line == "shown":
				default:
					said = append(said, line)
				}
			}
			if got := strings.Join(said, " "); got != c.want {
				t.Errorf("got %q, want %q; it wrote %q", got, c.want, all)
			}
		})
	}
}
