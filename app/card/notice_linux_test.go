package card

import (
	"bufio"
	"errors"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/card/cardtest"
)

// sessionBus starts a bus for this process, so that a notification service of
// our own is the one that the card finds. It ends with this process and not
// before: GIO ends programs that lose their bus.
func sessionBus() (address string, err error) {
	bus := exec.Command("dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1")
	bus.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // the first thread starts it, and lives as long as we do
	out, err := bus.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := bus.Start(); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", errors.New("dbus-daemon told no address")
	}
	return strings.TrimSpace(line), nil
}

// desktop is a notification service as a desktop has one.
type desktop struct {
	sync.Mutex
	bus    *dbus.Conn
	shown  []string
	closed []uint32
}

// Notify is the service's method of that name.
func (d *desktop) Notify(_ string, _ uint32, _, summary, body string, actions []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	d.Lock()
	defer d.Unlock()
	d.shown = append(d.shown, summary+" | "+body+" | "+strings.Join(actions, ","))
	return uint32(6 + len(d.shown)), nil
}

// CloseNotification is the service's method of that name.
func (d *desktop) CloseNotification(id uint32) *dbus.Error {
	d.Lock()
	defer d.Unlock()
	d.closed = append(d.closed, id)
	return nil
}

func (d *desktop) count() (shown, closed int) {
	d.Lock()
	defer d.Unlock()
	return len(d.shown), len(d.closed)
}

func openDesktop(t *testing.T) *desktop {
	t.Helper()
	if onScreen != nil {
		t.Skip(onScreen)
	}
	bus, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { bus.Close() })
	d := &desktop{bus: bus}
	if err := bus.Export(d, "/org/freedesktop/Notifications", "org.freedesktop.Notifications"); err != nil {
		t.Fatal(err)
	}
	if reply, err := bus.RequestName("org.freedesktop.Notifications", dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("%v, %v", reply, err)
	}
	// Given back before the connection ends, which the bus would notice when the
	// next test asks for the name already.
	t.Cleanup(func() {
		if reply, err := bus.ReleaseName("org.freedesktop.Notifications"); err != nil || reply != dbus.ReleaseNameReplyReleased {
			t.Errorf("%v, %v", reply, err)
		}
	})
	return d
}

func TestACardCallsAPersonWhoIsElsewhereAndAClickBringsItUp(t *testing.T) {
	d := openDesktop(t)
	main := xdotool(t, "search", "--onlyvisible", "--name", "^Countersign$")
	xdotool(t, "windowminimize", "--sync", main)
	t.Cleanup(func() { xdotool(t, "windowmap", "--sync", main) })
	eventually(t, "the app's window has no focus", func() bool {
		out, err := exec.Command("xdotool", "getwindowfocus", "getwindowname").Output()
		return err != nil || strings.TrimSpace(string(out)) != "Countersign"
	})
	cardtest.Turn() // GTK knows it too
	out := put(t, New(Config{}), calls(2))
	untilShown(t)
	eventually(t, "the desktop shows a notification", func() bool { shown, _ := d.count(); return shown == 1 })
	if want := "Cancel many orders? | Nothing runs before you have decided. | default,Look at it"; d.shown[0] != want {
		t.Errorf("got %q, want %q", d.shown[0], want)
	}
	// Nobody has looked at it: it does not act, however long it waits.
	until := time.Now().Add(1200 * time.Millisecond)
	eventually(t, "more than the arming delay has gone by", func() bool { return time.Now().After(until) })
	if onlyWindow().armed.Load() {
		t.Error("armed though nobody has looked at it")
	}
	keys(t, "space", "Return")
	noAnswer(t, out, "keys that were meant for another program")

	if err := d.bus.Emit("/org/freedesktop/Notifications", "org.freedesktop.Notifications.ActionInvoked", uint32(999), "default"); err != nil {
		t.Fatal(err)
	}
	if err := d.bus.Emit("/org/freedesktop/Notifications", "org.freedesktop.Notifications.ActivationToken", uint32(7), "a token"); err != nil {
		t.Fatal(err)
	}
	if err := d.bus.Emit("/org/freedesktop/Notifications", "org.freedesktop.Notifications.ActionInvoked", uint32(7), "default"); err != nil {
		t.Fatal(err)
	}
	waitArmed(t)
	if got := xdotool(t, "getactivewindow", "getwindowname"); !strings.HasPrefix(got, "Cancel many orders?") {
		t.Errorf("the window in front is %q", got)
	}
	eventually(t, "the notification is taken back", func() bool { _, closed := d.count(); return closed == 1 })
	keys(t, "space")
	if g := wait(t, out); g.answer.By != app.ByUser || len(g.answer.Approve) > 0 {
		t.Errorf("got %+v, %v", g.answer, g.err)
	}
}

func TestACardInFrontOfThePersonSendsNoNotification(t *testing.T) {
	d := openDesktop(t)
	lookAway(t)
	out := put(t, New(Config{}), calls(2))
	waitArmed(t)
	keys(t, "Escape")
	wait(t, out)
	if shown, _ := d.count(); shown != 0 {
		t.Errorf("%d notifications: %v", shown, d.shown)
	}
}
