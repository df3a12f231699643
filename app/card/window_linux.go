package card

/*
#cgo pkg-config: gtk+-3.0
#cgo CFLAGS: -Wall -Wextra -Werror=format-security -Werror=implicit-function-declaration -Wno-deprecated-declarations
#include <stdlib.h>
#include "window_linux.h"
*/
import "C"

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

// window is the Go end of one card on screen.
type window struct {
	showing
	sheet *sheet
	size  size                   // that the person gave it; on the GTK thread
	label atomic.Pointer[string] // of the run button
	said  atomic.Pointer[string] // at the foot of the card

	painted     chan struct{} // closed when its content has been drawn
	oncePainted sync.Once
}

var windows numbered[window]

func find(id C.guint64) *window { return windows.find(uint64(id)) }

// show puts a sheet on screen and waits for its end. A window that is closed
// because ctx ended has gone from the screen when show returns.
func show(ctx context.Context, s *sheet) (outcome, error) {
	w := &window{showing: newShowing(), sheet: s, painted: make(chan struct{})}
	id, remove := windows.add(w)
	defer remove()
	C.card_post_show(copySheet(id, s))
	return w.wait(ctx, func() { C.card_post_close(C.guint64(id)) })
}

func copySheet(id uint64, s *sheet) *C.CardSheet {
	c := C.card_sheet_new(C.guint64(id), C.int(len(s.Rows)), C.int(len(s.Groups)))
	c.width, c.height = C.int(s.size.Width), C.int(s.size.Height)
	put := func(field **C.char, text string) {
		C.card_sheet_text(field, (*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.gsize(len(text)))
	}
	put(&c.window, s.Window)
	put(&c.title, s.Title)
	put(&c.request, s.Request)
	put(&c.warning, s.Warning)
	for i, row := range s.Rows {
		r := C.card_sheet_row(c, C.int(i))
		r.group, r.binaries = C.int(row.Group), C.int(len(row.binaries))
		if row.worded {
			r.worded = 1
		}
		put(&r.call, row.Call)
		put(&r.label, row.Label)
		put(&r.function, row.Function)
		put(&r.summary, row.Summary)
		put(&r.heading, row.Top)
		put(&r.meta, row.Meta)
		put(&r.warning, row.Warning)
	}
	for i, group := range s.Groups {
		g := C.card_sheet_group(c, C.int(i))
		put(&g.function, group.Function)
		put(&g.title, group.Title)
		put(&g.heading, group.Heading)
	}
	return c
}

// The functions below run on the GTK thread. A panic in one of them fails the
// card instead of the process, and a failed card approves nothing.

func guard(id C.guint64) {
	if p := recover(); p != nil {
		if w := find(id); w != nil {
			w.broke(p)
		}
	}
}

//export countersignCardWanted
func countersignCardWanted(id C.guint64) C.gboolean {
	defer guard(id)
	if find(id) == nil {
		return 0
	}
	return 1
}

//export countersignCardShown
func countersignCardShown(id C.guint64) {
	defer guard(id)
	if w := find(id); w != nil {
		w.isShown()
	}
}

// countersignCardPainted: the card's content has been drawn for the first time.
//
//export countersignCardPainted
func countersignCardPainted(id C.guint64) {
	defer guard(id)
	if w := find(id); w != nil {
		w.oncePainted.Do(func() { close(w.painted) })
	}
}

//export countersignCardArmed
func countersignCardArmed(id C.guint64, armed C.gboolean) {
	defer guard(id)
	if w := find(id); w != nil {
		w.armed.Store(armed != 0)
	}
}

//export countersignCardFailed
func countersignCardFailed(id C.guint64, why *C.char) {
	defer guard(id)
	if w := find(id); w != nil {
		w.fail(fmt.Errorf("the card cannot be shown: %s", C.GoString(why)))
	}
}

// countersignCardDetail returns the wrapped input of a row for C to free.
//
//export countersignCardDetail
func countersignCardDetail(id C.guint64, row, columns C.int) (text *C.char) {
	defer guard(id)
	w := find(id)
	if w == nil {
		return nil
	}
	return C.CString(w.sheet.wrap(w.sheet.Rows[row].Detail, int(columns)))
}

//export countersignCardAnswered
func countersignCardAnswered(id C.guint64, how C.int, ticks *C.char, count C.int, reason *C.char) {
	defer guard(id)
	w := find(id)
	if w == nil {
		return
	}
	out := outcome{how: ending(how), reason: C.GoString(reason), size: w.size}
	for _, tick := range unsafe.Slice((*byte)(unsafe.Pointer(ticks)), int(count)) {
		out.ticks = append(out.ticks, tick == 1)
	}
	w.end(out)
}

// countersignCardMatches marks the rows that a filter leaves in sight.
//
//export countersignCardMatches
func countersignCardMatches(id C.guint64, text *C.char, seen *C.char, count C.int) {
	defer guard(id)
	w := find(id)
	if w == nil {
		return
	}
	out := unsafe.Slice((*byte)(unsafe.Pointer(seen)), int(count))
	for i, match := range w.sheet.matches(C.GoString(text)) {
		if match {
			out[i] = 1
		}
	}
}

// countersignCardSaveName proposes a file name for C to free.
//
//export countersignCardSaveName
func countersignCardSaveName(id C.guint64, row, index C.int) (name *C.char) {
	defer guard(id)
	w := find(id)
	if w == nil {
		return nil
	}
	return C.CString(w.sheet.Rows[row].names[index])
}

// countersignCardSave saves a binary and returns what to tell the person, for C
// to free.
//
//export countersignCardSave
func countersignCardSave(id C.guint64, row, index C.int, path *C.char) (said *C.char) {
	defer guard(id)
	w := find(id)
	if w == nil {
		return nil
	}
	return C.CString(saveSaid(w.sheet.Rows[row].binaries[index], C.GoString(path)))
}

//export countersignCardSized
func countersignCardSized(id C.guint64, width, height C.int) {
	defer guard(id)
	if w := find(id); w != nil {
		w.size = size{int(width), int(height)}
	}
}

//export countersignCardLabel
func countersignCardLabel(id C.guint64, text *C.char) {
	defer guard(id)
	if w := find(id); w != nil {
		said := C.GoString(text)
		w.label.Store(&said)
	}
}

//export countersignCardSaid
func countersignCardSaid(id C.guint64, text *C.char) {
	defer guard(id)
	if w := find(id); w != nil {
		said := C.GoString(text)
		w.said.Store(&said)
	}
}
