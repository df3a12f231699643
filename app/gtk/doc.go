// Package gtk is the way onto GTK's thread, the one that runs the window's main
// loop: GTK may be touched there and nowhere else. On other systems it is empty.
package gtk
