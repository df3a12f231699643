package gtk

/*
#cgo pkg-config: glib-2.0
#include <glib.h>

extern void countersignPosted(guintptr f);

static gboolean run_posted(gpointer f) {
	countersignPosted((guintptr)f);
	return G_SOURCE_REMOVE;
}

// An idle source and not g_main_context_invoke: that one would run GTK on the
// calling thread whenever no main loop happens to own the context.
static void post(guintptr f) { g_idle_add_full(G_PRIORITY_DEFAULT, run_posted, (gpointer)f, NULL); }
*/
import "C"

import (
	"context"
	"runtime/cgo"
	"sync"
)

// Post runs f on GTK's thread when its main loop comes to it, which may be started
// later. What is posted runs in the order in which it was posted, from within the
// loop: f must not wait.
func Post(f func()) { C.post(C.guintptr(cgo.NewHandle(f))) }

//export countersignPosted
func countersignPosted(f C.guintptr) {
	handle := cgo.Handle(f)
	run := handle.Value().(func())
	handle.Delete()
	run()
}

// Wish is something that C code on GTK's thread is asked for and answers later, by
// a number: C can hold no Go pointer.
type Wish struct {
	// Begin begins it, on GTK's thread, unless its asker has gone by then.
	Begin func(id uint64)
	// Withdraw, if it is set, runs on GTK's thread behind Begin when the asker goes
	// before there is an answer.
	Withdraw func(id uint64)
}

type answer struct {
	text string
	err  error
}

// wishes are those whose answer is awaited.
var wishes = struct {
	sync.Mutex
	last    uint64
	answers map[uint64]chan answer
}{answers: map[uint64]chan answer{}}

// Ask waits for the answer to a wish. What comes after ctx has ended is thrown away.
func Ask(ctx context.Context, w Wish) (string, error) {
	given := make(chan answer, 1)
	wishes.Lock()
	wishes.last++
	id := wishes.last
	wishes.answers[id] = given
	wishes.Unlock()
	defer func() {
		wishes.Lock()
		delete(wishes.answers, id)
		wishes.Unlock()
	}()
	Post(func() {
		if awaited(id) != nil {
			w.Begin(id)
		}
	})
	select {
	case a := <-given:
		return a.text, a.err
	case <-ctx.Done():
		if w.Withdraw != nil {
			Post(func() { w.Withdraw(id) })
		}
		return "", ctx.Err()
	}
}

// Answer answers a wish: with text, or with err in its place. The first answer
// counts, and one to a wish that nobody has any more is thrown away.
func Answer(id uint64, text string, err error) {
	select {
	case awaited(id) <- answer{text, err}:
	default:
	}
}

func awaited(id uint64) chan answer {
	wishes.Lock()
	defer wishes.Unlock()
	return wishes.answers[id]
}
