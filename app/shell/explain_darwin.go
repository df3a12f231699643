//go:build cgo

package shell

/*
#cgo LDFLAGS: -framework Cocoa
#include <stdlib.h>

void explain_failure(const char *title, const char *text);
*/
import "C"

import "unsafe"

func explain(title, text string) {
	t, s := C.CString(title), C.CString(text)
	defer C.free(unsafe.Pointer(t))
	defer C.free(unsafe.Pointer(s))
	C.explain_failure(t, s)
}
