// Package faults meets the real program with what goes wrong on a real machine:
// full disks, files that are read-only, gone, locked or no log, a second instance,
// functions that fail in every way, and the death of each process at any moment.
// The claims are group G of the cases: nothing marked runs that is not on disk, the
// person is told why, and what was written can be read and verified.
//
//	go test -tags desktop,production,webkit2_41,sqlite_fts5,desktoptest ./tests/faults
//
// It mounts file systems and starts the program as another user, so it wants root.
package faults
