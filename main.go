//go:build !bindings

// Command countersign is a desktop assistant that acts without having the keys.
package main

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"github.com/faustine-ai/countersign/app/cli"
	"github.com/faustine-ai/countersign/app/desk"
)

//go:embed all:frontend/dist
var frontend embed.FS

// As large as any desktop shows it: what is larger is scaled and sent to the X server at each start.
//
//go:embed build/icons/128.png
var icon []byte

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version = "0.1.0"

func init() { runtime.LockOSThread() } // GTK wants the program's first thread

func main() {
	page, err := fs.Sub(frontend, "frontend/dist")
	if err != nil {
		fmt.Fprintln(os.Stderr, "countersign: this build has no page:", err)
		os.Exit(1)
	}
	build := desk.Build{Version: version, Page: page, Icon: icon}
	os.Exit(cli.Execute(context.Background(), cli.Root(build.Program(), cli.LogCommand()), os.Stderr))
}
