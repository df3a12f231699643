package shell

// #include "webview_linux.h"
import "C"

import (
	"context"

	"github.com/faustine-ai/countersign/app/gtk"
)

// raiseWindow brings the window to the front, with the card or the dialog that
// is open on it.
func raiseWindow(context.Context) { gtk.Post(func() { C.webview_raise() }) }
