//go:build cgo

package card

/*
#cgo CFLAGS: -Wall -Wextra
#cgo LDFLAGS: -framework Cocoa
#include <stdlib.h>
#include "window_darwin.h"
*/
import "C"

import (
	"context"
	"fmt"
	"strings"
)

// The card on macOS: an NSPanel of native controls over the app's window. It is
// complete and not yet built on a Mac; its Objective-C has been seen to work on
// GNUstep's AppKit, keys and all, and nowhere else. Its rules are
// those of the other windows, and what is ticked and what is in sight is the same
// Go code that runs on Windows (choice.go).

// filterFrom is from how many calls on the list has a filter.
const filterFrom = 10

// window is the Go end of one card on screen; its own members belong to the main
// thread.
type window struct {
	showing
	sheet  *sheet
	choice *choice
	lines  []line
}

var windows numbered[window]

func find(id C.uint64_t) *window { return windows.find(uint64(id)) }

// show puts a sheet on screen and waits for its end.
func show(ctx context.Context, s *sheet) (outcome, error) {
	w := &window{showing: newShowing(), sheet: s, choice: newChoice(s)}
	w.lines = w.choice.lines()
	id, remove := windows.add(w)
	defer remove()
	filter, binaries := 0, 0
	if len(s.Rows) >= filterFrom {
		filter = 1
	}
	for _, row := range s.Rows {
		binaries += len(row.binaries)
	}
	C.card_post_show(C.uint64_t(id), C.int(filter), C.int(binaries), C.int(s.size.Width), C.int(s.size.Height))
	return w.wait(ctx, func() { C.card_post_close(C.uint64_t(id)) })
}

// The functions below run on the main thread. A panic in one of them fails the
// card instead of the process, and a failed card approves nothing.

func guard(id C.uint64_t) {
	if p := recover(); p != nil {
		if w := find(id); w != nil {
			w.broke(p)
		}
	}
}

//export countersignMacWanted
func countersignMacWanted(id C.uint64_t) C.int {
	defer guard(id)
	if find(id) == nil {
		return 0
	}
	return 1
}

//export countersignMacShown
func countersignMacShown(id C.uint64_t) {
	defer guard(id)
	if w := find(id); w != nil {
		w.isShown()
	}
}

//export countersignMacFailed
func countersignMacFailed(id C.uint64_t, why *C.char) {
	defer guard(id)
	if w := find(id); w != nil {
		w.fail(fmt.Errorf("the card cannot be shown: %s", C.GoString(why)))
	}
}

//export countersignMacArmed
func countersignMacArmed(id C.uint64_t, armed C.int) {
	defer guard(id)
	if w := find(id); w != nil {
		w.armed.Store(armed != 0)
	}
}

// countersignMacText returns a text of the card for C to free.
//
//export countersignMacText
func countersignMacText(id C.uint64_t, what C.int) (text *C.char) {
	defer guard(id)
	w := find(id)
	if w == nil {
		return nil
	}
	switch what {
	case C.TEXT_WINDOW:
		return C.CString(w.sheet.Window)
	case C.TEXT_TITLE:
		return C.CString(w.sheet.Title)
	case C.TEXT_REQUEST:
		return C.CString(w.sheet.Request)
	case C.TEXT_WARNING:
		return C.CString(w.sheet.Warning)
	case C.TEXT_RUN:
		return C.CString(w.choice.runLabel())
	case C.TEXT_NOTE:
		return C.CString(w.choice.note())
	case C.TEXT_FILTER_NOTE:
		return C.CString(w.choice.filterNote())
	case C.TEXT_ENTER:
		return C.CString(enterNote)
	}
	return nil
}

// countersignMacCell returns a text of a line of the list for C to free. The
// detail is wrapped to columns.
//
//export countersignMacCell
func countersignMacCell(id C.uint64_t, at, what, columns C.int) (text *C.char) {
	defer guard(id)
	w := find(id)
	if w == nil || int(at) < 0 || int(at) >= len(w.lines) {
		return nil
	}
	l := w.lines[at]
	if l.row < 0 {
		return C.CString(w.headCell(w.sheet.Groups[l.group], int(what)))
	}
	row := w.sheet.Rows[l.row]
	switch what {
	case C.CELL_CALL:
		return C.CString(row.Call)
	case C.CELL_FUNCTION:
		return C.CString(row.Function)
	case C.CELL_SUMMARY:
		return C.CString(row.Summary)
	case C.CELL_LABEL:
		return C.CString(row.Label)
	case C.LINE_TOP:
		return C.CString(row.Top)
	case C.LINE_META:
		return C.CString(row.Meta)
	case C.CELL_WARNING, C.LINE_WARNING:
		return C.CString(row.Warning)
	case C.LINE_DETAIL:
		return C.CString(w.sheet.wrap(row.Detail, int(columns)))
	}
	return nil
}

func (w *window) headCell(group sheetGroup, what int) string {
	switch what {
	case C.CELL_FUNCTION, C.LINE_META:
		return group.Function
	case C.CELL_SUMMARY, C.CELL_LABEL, C.LINE_TOP:
		return group.Title
	}
	return ""
}

//export countersignMacLines
func countersignMacLines(id C.uint64_t) C.int {
	defer guard(id)
	if w := find(id); w != nil {
		return C.int(len(w.lines))
	}
	return 0
}

// countersignMacTicked is 1 for a line that is ticked; with line -1 the state of
// all in sight: 1, 0, or -1 for some.
//
//export countersignMacTicked
func countersignMacTicked(id C.uint64_t, at C.int) C.int {
	defer guard(id)
	w := find(id)
	switch {
	case w == nil || int(at) >= len(w.lines):
		return 0
	case at >= 0:
		if w.choice.ticked(w.lines[at]) {
			return 1
		}
		return 0
	}
	seen, ticked := w.choice.count(-1)
	switch ticked {
	case 0:
		return 0
	case seen:
		return 1
	}
	return -1
}

// countersignMacToggle turns a line's box, or all in sight with line -1, and
// returns how many calls would run.
//
//export countersignMacToggle
func countersignMacToggle(id C.uint64_t, at C.int) {
	defer guard(id)
	w := find(id)
	if w == nil || int(at) >= len(w.lines) {
		return
	}
	if at < 0 {
		w.choice.toggleAll(-1)
		return
	}
	w.choice.toggle(w.lines[at])
}

//export countersignMacTotal
func countersignMacTotal(id C.uint64_t) C.int {
	defer guard(id)
	w := find(id)
	if w == nil {
		return 0
	}
	ticked, _ := w.choice.total()
	return C.int(ticked)
}

//export countersignMacFilter
func countersignMacFilter(id C.uint64_t, text *C.char) {
	defer guard(id)
	if w := find(id); w != nil {
		w.choice.filter(C.GoString(text))
		w.lines = w.choice.lines()
	}
}

//export countersignMacAnswered
func countersignMacAnswered(id C.uint64_t, how C.int, reason *C.char, width, height C.int) {
	defer guard(id)
	w := find(id)
	if w == nil {
		return
	}
	out := outcome{how: ending(how), reason: strings.ToValidUTF8(C.GoString(reason), "\uFFFD"), size: size{int(width), int(height)}}
	if out.how == ran {
		out.ticks = append(out.ticks, w.choice.ticks...)
	}
	w.end(out)
}

// countersignMacBinaries is how many binaries the call of a line holds.
//
//export countersignMacBinaries
func countersignMacBinaries(id C.uint64_t, at C.int) C.int {
	defer guard(id)
	if w := find(id); w != nil && at >= 0 && int(at) < len(w.lines) && w.lines[at].row >= 0 {
		return C.int(len(w.sheet.Rows[w.lines[at].row].binaries))
	}
	return 0
}

// countersignMacSaveName proposes a file name for C to free.
//
//export countersignMacSaveName
func countersignMacSaveName(id C.uint64_t, at, index C.int) (name *C.char) {
	defer guard(id)
	if w := find(id); w != nil {
		return C.CString(w.sheet.Rows[w.lines[at].row].names[index])
	}
	return nil
}

// countersignMacSave saves a binary and returns what to tell the person, for C to
// free.
//
//export countersignMacSave
func countersignMacSave(id C.uint64_t, at, index C.int, path *C.char) (said *C.char) {
	defer guard(id)
	w := find(id)
	if w == nil {
		return nil
	}
	return C.CString(saveSaid(w.sheet.Rows[w.lines[at].row].binaries[index], C.GoString(path)))
}
