package session

import (
	"context"
	"errors"
	"html"
	"os"
	"path/filepath"
	"slices"

	"github.com/godbus/dbus/v5"
)

const notifications = "org.freedesktop.Notifications"

// Notify shows a notification of the app.
func (System) Notify(ctx context.Context, summary, body string) error {
	if !reachable() {
		return errors.New("there is no session bus, over which notifications go")
	}
	bus, err := dbus.ConnectSessionBus(dbus.WithContext(ctx))
	if err != nil {
		return err
	}
	defer bus.Close()
	service := bus.Object(notifications, "/org/freedesktop/Notifications")
	var can []string
	if err := service.CallWithContext(ctx, notifications+".GetCapabilities", 0).Store(&can); err != nil {
		return errors.New("this desktop shows no notifications")
	}
	if slices.Contains(can, "body-markup") {
		body = html.EscapeString(body) // it is text
	}
	hints := map[string]dbus.Variant{"desktop-entry": dbus.MakeVariant("countersign"), "urgency": dbus.MakeVariant(byte(1))}
	return service.CallWithContext(ctx, notifications+".Notify", 0, "Countersign", uint32(0), "countersign", summary, body, []string{}, hints, int32(-1)).Err
}

// reachable keeps the library from starting a bus of its own, on which nobody is.
func reachable() bool {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	runtime := os.Getenv("XDG_RUNTIME_DIR")
	_, err := os.Stat(filepath.Join(runtime, "bus"))
	return runtime != "" && err == nil
}
