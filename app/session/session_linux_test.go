package session_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/faustine-ai/countersign/app/display"
	"github.com/faustine-ai/countersign/app/session"
	"github.com/faustine-ai/countersign/app/session/sessiontest"
)

func init() { runtime.LockOSThread() }

// The tests run on a display and a bus of their own, or not at all where there is
// no Xvfb.
func TestMain(m *testing.M) {
	code, err := onDisplay(m)
	if err != nil {
		fmt.Println("no display, so nothing is tested here:", err)
	}
	os.Exit(code)
}

var home string

func onDisplay(m *testing.M) (int, error) {
	screen, err := display.Start(800, 600)
	if err != nil {
		return 0, err
	}
	defer screen.Close()
	bus := exec.Command("dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1")
	bus.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := bus.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := bus.Start(); err != nil {
		return 0, err
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return 0, err
	}
	if home, err = os.MkdirTemp("", "session"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(home)
	for name, value := range map[string]string{"DISPLAY": screen.Name, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "DBUS_SESSION_BUS_ADDRESS": strings.TrimSpace(address),
		"HOME": home, "XDG_DATA_HOME": filepath.Join(home, "data"), "XDG_CONFIG_HOME": filepath.Join(home, "config"), "XDG_DATA_DIRS": filepath.Join(home, "none"), "GTK_USE_PORTAL": "0", "GIO_USE_VFS": "local"} {
		if err := os.Setenv(name, value); err != nil {
			return 0, err
		}
	}
	if err := handlers(); err != nil {
		return 0, err
	}
	return sessiontest.Run(m.Run)
}

// handlers makes a program that notes what it is asked to open.
func handlers() error {
	applications := filepath.Join(home, "data", "applications")
	if err := os.MkdirAll(applications, 0o755); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(home, "config"), 0o755); err != nil {
		return err
	}
	script := filepath.Join(home, "note.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nprintf '%s\\n' \"$1\" >>\""+home+"/opened\"\n"), 0o755); err != nil {
		return err
	}
	entry := "[Desktop Entry]\nType=Application\nName=Note\nExec=" + script + " %u\nMimeType=x-scheme-handler/https;text/plain;\n"
	if err := os.WriteFile(filepath.Join(applications, "note.desktop"), []byte(entry), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(home, "config", "mimeapps.list"), []byte("[Default Applications]\nx-scheme-handler/https=note.desktop\ntext/plain=note.desktop\n"), 0o644)
}

func TestTheClipboardGivesWhatItWasGiven(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, text := range []string{"hello", "", "zwölf Boxkämpfer\n文\t🗂 <b>", strings.Repeat("x", 300_000)} {
		if err := (session.System{}).WriteClipboard(ctx, text); err != nil {
			t.Fatal(err)
		}
		if got, err := (session.System{}).ReadClipboard(ctx); err != nil || got != text {
			t.Errorf("%.40q came back as %.40q, %v", text, got, err)
		}
	}
}

func TestAnotherProgramReadsWhatWasWritten(t *testing.T) {
	if _, err := exec.LookPath("xclip"); err != nil {
		t.Skip("there is no xclip")
	}
	if err := (session.System{}).WriteClipboard(t.Context(), "for others"); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("xclip", "-o", "-selection", "clipboard").Output()
	if err != nil || string(out) != "for others" {
		t.Errorf("it reads %q, %v", out, err)
	}
}

func TestWhatIsOpenedGoesToThePersonsOwnProgram(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, uri := range []string{"https://example.com/a?b=c%20d&e", "https://example.com/;touch%20x"} {
		if err := (session.System{}).Open(ctx, uri); err != nil {
			t.Fatal(err)
		}
		for {
			opened, err := os.ReadFile(filepath.Join(home, "opened"))
			if err == nil && strings.HasSuffix(string(opened), uri+"\n") {
				break
			}
			if ctx.Err() != nil {
				t.Fatalf("%s was not opened: %q, %v", uri, opened, err)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	if err := (session.System{}).Open(ctx, "nothing-opens-this://x"); err == nil {
		t.Error("there is no program for it, and nobody said so")
	}
}

// desk is a notification service as a desktop has one.
type desk struct {
	sync.Mutex
	shown []string
}

// GetCapabilities is the service's method of that name.
func (d *desk) GetCapabilities() ([]string, *dbus.Error) { return []string{"body", "body-markup"}, nil }

// Notify is the service's method of that name.
func (d *desk) Notify(name string, _ uint32, _, summary, body string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	d.Lock()
	defer d.Unlock()
	d.shown = append(d.shown, name+" | "+summary+" | "+body)
	return 1, nil
}

func TestANotificationIsShownAsText(t *testing.T) {
	bus, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	if err := (session.System{}).Notify(t.Context(), "nobody", "is there"); err == nil {
		t.Error("nobody shows it, and nobody said so")
	}
	d := &desk{}
	if err := bus.Export(d, "/org/freedesktop/Notifications", "org.freedesktop.Notifications"); err != nil {
		t.Fatal(err)
	}
	if _, err := bus.RequestName("org.freedesktop.Notifications", dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	if err := (session.System{}).Notify(t.Context(), "Done", "<b>3</b> files & more"); err != nil {
		t.Fatal(err)
	}
	d.Lock()
	defer d.Unlock()
	if got := strings.Join(d.shown, "; "); got != "Countersign | Done | &lt;b&gt;3&lt;/b&gt; files &amp; more" {
		t.Errorf("it showed %s", got)
	}
}
