// Command empty is the least that is a Wails app: a window with a line of text.
// It is the floor of the app's start and memory, and says on stdout, as ms since
// 1970, when its page had been drawn.
package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
)

//go:embed page
var page embed.FS

// Empty is what the page can call.
type Empty struct{}

// Ready is called when the page has been drawn.
func (*Empty) Ready(at int64) { fmt.Println(at) }

func init() { runtime.LockOSThread() } // GTK wants the program's first thread

func main() {
	assets, err := fs.Sub(page, "page")
	if err == nil {
		err = wails.Run(&options.App{
			Title: "Empty", Width: 1280, Height: 800,
			AssetServer: &assetserver.Options{Assets: assets},
			Bind:        []any{&Empty{}},
			Linux:       &linux.Options{ProgramName: "empty", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
		})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
