// Package macos compiles the card's panel for macOS with GNUstep's AppKit, on
// Linux, and presses its keys. GNUstep is no macOS: this keeps Objective-C that
// has not been built on a Mac from rotting, and has found defects in it, no more.
package macos
