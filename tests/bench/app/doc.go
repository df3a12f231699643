// Package app measures the real program in a desktop session of its own: calls,
// bytes and approved writes against what Wails and SQLite cost bare, its start
// against an empty Wails app, and a program that eats memory. It is run by
// tests/bench/bench.mjs, which reads the lines that begin with BENCH.
//
// Everything else in it has the build tag desktoptest.
package app
