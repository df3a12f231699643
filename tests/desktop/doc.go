// Package desktop tests the real program in real windows: the binary that make
// build makes (plus the driver that the tag desktoptest adds), a screen, a
// window manager, the accessibility bus, real keys and real clicks.
//
// After each ending it compares what three witnesses say: the orders table, the
// log as `countersign log` prints it, and the result that the program got.
//
//	go test -tags desktop,production,webkit2_41,sqlite_fts5,desktoptest ./tests/desktop/
package desktop
