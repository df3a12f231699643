//go:build !linux

package shell

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

func raiseWindow(window context.Context) {
	runtime.WindowUnminimise(window)
	runtime.WindowShow(window)
}
