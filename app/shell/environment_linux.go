package shell

// #include <signal.h>
// static void leave_usr1(void) { signal(SIGUSR1, SIG_DFL); }
import "C"

import "syscall"

// prepareEnvironment runs before GTK and WebKit start.
//
// JavaScriptCore stops its threads with SIGUSR1 and says on stderr, at each
// start, that it takes the signal from whoever has a handler. Go has one for
// every signal and no use for this one.
//
// WebKit makes folders and files beside the log, and would let everybody on this
// machine read them.
func prepareEnvironment() {
	C.leave_usr1()
	syscall.Umask(0o077)
}
