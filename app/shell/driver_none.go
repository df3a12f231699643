//go:build !desktoptest

package shell

import (
	"net/http"

	"github.com/wailsapp/wails/v2/pkg/options"
)

// Without the tag desktoptest there is no driver and no route for it.
func addDriver(*Shell, *options.App) {}
func addTestRoutes(*http.ServeMux)   {}

func frameDocument(handler http.Handler) http.Handler { return handler }
