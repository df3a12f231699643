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
	"sync"
	"unsafe"
)

// asked are the wishes whose answer is awaited, by the id that C knows.
var asked = struct {
	sync.Mutex
	next    uint64
	answers map[uint64]chan answer
}{answers: map[uint64]chan answer{}}

type answer struct {
	text string
	err  error
}

// ask posts a wish to the GTK thread and waits for its answer. What comes after
// ctx has ended is thrown away.
func ask(ctx context.Context, post func(id C.guint64)) (string, error) {
	given := make(chan answer, 1)
	asked.Lock()
	asked.next++
	id := asked.next
	asked.answers[id] = given
	asked.Unlock()
	defer func() {
		asked.Lock()
		delete(asked.answers, id)
		asked.Unlock()
	}()
	post(C.guint64(id))
	select {
	case a := <-given:
		return a.text, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

//export countersignSession
func countersignSession(id C.guint64, text, problem *C.char) {
	asked.Lock()
	given := asked.answers[uint64(id)]
	asked.Unlock()
	if given == nil {
		return
	}
	if problem != nil {
		given <- answer{err: errors.New(C.GoString(problem))}
		return
	}
	given <- answer{text: C.GoString(text)}
}

// ReadClipboard gives the text of the clipboard, "" when it holds none.
func (System) ReadClipboard(ctx context.Context) (string, error) {
	return ask(ctx, func(id C.guint64) { C.session_post_read(id) })
}

// WriteClipboard puts text, without NUL, into the clipboard.
func (System) WriteClipboard(ctx context.Context, text string) error {
	_, err := ask(ctx, func(id C.guint64) {
		c := C.CString(text)
		defer C.free(unsafe.Pointer(c))
		C.session_post_write(id, c, C.int(len(text)))
	})
	return err
}

// Open has the person's own program open an address: https://… or file:///….
func (System) Open(ctx context.Context, uri string) error {
	_, err := ask(ctx, func(id C.guint64) {
		c := C.CString(uri)
		defer C.free(unsafe.Pointer(c))
		C.session_post_open(id, c)
	})
	return err
}
