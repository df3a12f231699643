package shell

/*
#include <stdlib.h>
#include "dialogs_linux.h"
*/
import "C"

import (
	"context"
	"errors"
	"strings"
	"sync"
	"unsafe"
)

// asked are the dialogs that are wanted or open, by the id that C knows.
var asked = struct {
	sync.Mutex
	next uint64
	open map[uint64]chan chosen
}{open: map[uint64]chan chosen{}}

type chosen struct {
	path string
	err  error
}

func openDialog(ctx, _ context.Context, q question) (string, error) {
	if strings.ContainsRune(q.title+q.name, 0) {
		return "", errors.New("the title of a dialog or the name that it proposes has a NUL in it")
	}
	answer := make(chan chosen, 1)
	asked.Lock()
	asked.next++
	id := asked.next
	asked.open[id] = answer
	asked.Unlock()
	defer func() {
		asked.Lock()
		delete(asked.open, id)
		asked.Unlock()
	}()
	title := C.CString(q.title)
	defer C.free(unsafe.Pointer(title))
	name := C.CString(q.name)
	defer C.free(unsafe.Pointer(name))
	C.dialog_post_open(C.guint64(id), C.int(q.what), title, name)
	select {
	case c := <-answer:
		return c.path, c.err
	case <-ctx.Done():
		C.dialog_post_close(C.guint64(id))
		return "", ctx.Err()
	}
}

//export countersignDialogWanted
func countersignDialogWanted(id C.guint64) C.gboolean {
	asked.Lock()
	defer asked.Unlock()
	if asked.open[uint64(id)] == nil {
		return 0
	}
	return 1
}

// countersignChosen is given "" when the person chose nothing and nil when the
// dialog could not be opened.
//
//export countersignChosen
func countersignChosen(id C.guint64, path *C.char) {
	asked.Lock()
	answer := asked.open[uint64(id)]
	asked.Unlock()
	if answer == nil {
		return
	}
	if path == nil {
		answer <- chosen{err: errors.New("there is no window to open a dialog on")}
		return
	}
	answer <- chosen{path: C.GoString(path)}
}
