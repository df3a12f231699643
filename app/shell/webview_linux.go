package shell

/*
#cgo pkg-config: gtk+-3.0 webkit2gtk-4.1
#cgo CFLAGS: -Wall -Wno-deprecated-declarations
#include "webview_linux.h"
*/
import "C"

import (
	"errors"
	"sync"
	"time"

	"github.com/faustine-ai/countersign/app/gtk"
)

// A page that dies more often than this within lossWindow is not loaded again by
// itself: whatever kills it would do so for ever.
const (
	maxLosses  = 3
	lossWindow = time.Minute
)

// watched is the shell whose page is being watched: GTK's callbacks carry no Go
// pointer, and a process has one web view.
var watched = struct {
	sync.Mutex
	shell    *Shell
	watching chan bool
	losses   []time.Time
}{}

// watchWeb begins to watch the web view. It needs the main loop.
func watchWeb(s *Shell) error {
	answer := make(chan bool, 1)
	watched.Lock()
	watched.shell, watched.watching = s, answer
	watched.Unlock()
	gtk.Post(func() { C.webview_watch() })
	select {
	case found := <-answer:
		if !found {
			return errNoWebView
		}
		return nil
	case <-s.ended:
		return nil
	case <-time.After(10 * time.Second):
		return errors.New("the main loop did not answer within 10 s")
	}
}

// Prepare starts WebKit in this process, which Run would do otherwise: some 30 ms, in
// which other goroutines can open what the window stands on. It must be called on the
// program's first thread, after Ready.
func Prepare() { C.webview_prepare() }

// Engine names the webview's engine and version: “WebKitGTK 2.50.6”.
func Engine() string { return C.GoString(C.webview_engine()) }

//export countersignWatching
func countersignWatching(found C.int) {
	watched.Lock()
	defer watched.Unlock()
	select {
	case watched.watching <- found != 0:
	default:
	}
}

// countersignPageLost runs on the GTK thread, which must not wait for the log.
//
//export countersignPageLost
func countersignPageLost(reason *C.char) {
	why := C.GoString(reason)
	now := time.Now()
	watched.Lock()
	s := watched.shell
	recent := watched.losses[:0]
	for _, at := range watched.losses {
		if now.Sub(at) < lossWindow {
			recent = append(recent, at)
		}
	}
	watched.losses = append(recent, now)
	tooOften := len(watched.losses) > maxLosses
	watched.Unlock()
	go func() {
		forMemory := s.pageLost(why)
		offer, memory := C.int(0), C.int(0)
		if tooOften {
			offer = 1
		}
		if forMemory {
			memory = 1
		}
		gtk.Post(func() { C.webview_reload(offer, memory) })
	}()
}
