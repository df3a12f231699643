package shell

/*
#include <stdlib.h>
#include "message_linux.h"
*/
import "C"

import "unsafe"

// countersignMessage runs on the GTK thread, which must not wait for an answer.
//
//export countersignMessage
func countersignMessage(text *C.char, length C.size_t, message unsafe.Pointer) {
	envelope := string(unsafe.Slice((*byte)(unsafe.Pointer(text)), int(length)))
	watched.Lock()
	s := watched.shell
	watched.Unlock()
	go func() {
		answer := s.config.Answer(envelope)
		C.message_answer(message, C.CString(answer), C.size_t(len(answer)))
	}()
}
