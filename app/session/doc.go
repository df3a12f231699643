// Package session is what a desktop offers beside windows: notifications, the
// clipboard, and the programs that open what one points at. On Linux it goes
// through D-Bus, GTK and GIO. GTK is that of the window, whose main loop does the
// work, so before there is one its functions wait.
//
// It is joined to the functions of the family desktop, which know only what they
// need of it.
package session

import "errors"

// System is the desktop session of the person.
type System struct{}

// ErrUnsupported says that this system's way is not built in yet.
var ErrUnsupported = errors.New("it is not built for this system yet")
