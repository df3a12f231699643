// Package desk starts the real program in a desktop session of its own, for the
// tests that need one: the binary that make build makes (plus the driver and the
// functions that the tag desktoptest adds), a screen, a window manager, the
// accessibility bus, real keys and real clicks. It reads what came of it from the
// three witnesses: the orders table, the log as "countersign log" prints it, and
// the page.
//
// Everything else in it has the build tag desktoptest.
package desk
