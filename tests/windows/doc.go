// Package windows compiles the app for Windows and runs the card's tests there
// under Wine, with real keys and real clicks. Wine is no Windows: what passes here
// has been seen to work on Wine's controls, and nowhere else yet.
package windows
