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
	"unsafe"

	"github.com/faustine-ai/countersign/app/gtk"
)

func openDialog(ctx, _ context.Context, q question) (string, error) {
	if strings.ContainsRune(q.title+q.name, 0) {
		return "", errors.New("the title of a dialog or the name that it proposes has a NUL in it")
	}
	return gtk.Ask(ctx, gtk.Wish{
		Begin: func(id uint64) {
			title, name := C.CString(q.title), C.CString(q.name)
			defer C.free(unsafe.Pointer(title))
			defer C.free(unsafe.Pointer(name))
			C.dialog_open(C.guint64(id), C.int(q.what), title, name)
		},
		Withdraw: func(id uint64) { C.dialog_close(C.guint64(id)) },
	})
}

// countersignChosen is given "" when the person chose nothing and nil when the
// dialog could not be opened.
//
//export countersignChosen
func countersignChosen(id C.guint64, path *C.char) {
	if path == nil {
		gtk.Answer(uint64(id), "", errors.New("there is no window to open a dialog on"))
		return
	}
	gtk.Answer(uint64(id), C.GoString(path), nil)
}
