//go:build !linux && !windows && !(darwin && cgo)

package shell

func explain(title, text string) {} // standard error has to do
