// Package review answers what a reviewer asks a log: what was called, who decided,
// how it ended, what is still open, and whether the log is whole. It is the one
// place for the words and numbers that the window, the command line and exports
// give, so that they cannot differ.
//
// It reads the app's own log and, read-only, copies and exports of others. What it
// writes to a log is one thing: what a person has found out about a call whose
// outcome is unknown.
package review
