package session

/*
#cgo pkg-config: gtk+-3.0
#cgo CFLAGS: -Wall -Wextra -Werror=format-security -Werror=implicit-function-declaration
#include <stdlib.h>
#include "gtk_linux.h"
*/
import "C"

import (
	"context"
	"errors"
	"unsafe"

	"github.com/faustine-ai/countersign/app/gtk"
)

//export countersignSession
func countersignSession(id C.guint64, text, problem *C.char) {
	if problem != nil {
		gtk.Answer(uint64(id), "", errors.New(C.GoString(problem)))
		return
	}
	gtk.Answer(uint64(id), C.GoString(text), nil)
}

// ReadClipboard gives the text of the clipboard, "" when it holds none.
func (System) ReadClipboard(ctx context.Context) (string, error) {
	return gtk.Ask(ctx, gtk.Wish{Begin: func(id uint64) { C.session_read(C.guint64(id)) }})
}

// WriteClipboard puts text, without NUL, into the clipboard.
func (System) WriteClipboard(ctx context.Context, text string) error {
	_, err := gtk.Ask(ctx, gtk.Wish{Begin: func(id uint64) {
		c := C.CString(text)
		defer C.free(unsafe.Pointer(c))
		C.session_write(C.guint64(id), c, C.int(len(text)))
	}})
	return err
}

// Open has the person's own program open an address: https://… or file:///….
func (System) Open(ctx context.Context, uri string) error {
	_, err := gtk.Ask(ctx, gtk.Wish{Begin: func(id uint64) {
		c := C.CString(uri)
		defer C.free(unsafe.Pointer(c))
		C.session_open(C.guint64(id), c)
	}})
	return err
}
