//go:build bindings

// With the tag bindings Wails' command line tool builds a program that only says
// what is bound. It must not open anybody's log to do so.
package main

import (
	"fmt"
	"os"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"

	"github.com/faustine-ai/countersign/app/bridge"
)

func main() {
	if err := wails.Run(&options.App{Bind: []any{&bridge.Bridge{}}}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
