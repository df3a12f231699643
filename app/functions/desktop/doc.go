// Package desktop is what programs may do on the person's desktop: show a
// notification, which is unmarked and rare, and, marked, open an address or a file,
// and read and write the clipboard.
package desktop
