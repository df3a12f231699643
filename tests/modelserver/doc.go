// Package modelserver is a model's server for tests: it speaks the formats that
// the providers were recorded with, says what a script lets it say, and breaks in
// the ways that servers break. It listens on this machine only.
package modelserver
