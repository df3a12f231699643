package card

import (
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Lengths in 1/96 inch.
const (
	margin     = 16
	gap        = 8
	lineHeight = 17
	fieldHigh  = 24
	buttonHigh = 28
	longest    = 78 // of the request before it scrolls
)

// layout puts the controls where the window's size wants them.
func (w *window) layout() {
	if w.runs == 0 {
		return // they are being made
	}
	var area rect
	getClientRect.Call(w.handle.Load(), uintptr(unsafe.Pointer(&area)))
	if area.width() == 0 || area.height() == 0 {
		return
	}
	m, g := w.px(margin), w.px(gap)
	inner := rect{m, m, area.right - m, area.bottom - m}
	bottom := w.layoutFoot(inner)
	y := w.layoutHead(inner)
	middle := inner.left + (inner.width()-g)*52/100
	w.layoutList(rect{inner.left, y, middle, bottom})
	w.layoutDetail(rect{middle + g, y, inner.right, bottom})
	w.wrapAgain()
}

// layoutHead returns where what it holds ends.
func (w *window) layoutHead(in rect) int32 {
	g, y := w.px(gap), in.top
	put := func(control windows.HWND, left, height int32) {
		w.move(control, rect{left, y, in.right, y + height})
		y += height
	}
	put(w.title, in.left, w.measure(w.sheet.Title, w.fonts.title, in.width())+w.px(2))
	if w.request != 0 {
		y += g
		put(w.asked, in.left, w.px(lineHeight))
		height := w.measure(w.sheet.Request, w.fonts.text, in.width()-w.px(28)) + w.px(4)
		put(w.request, in.left, min(height, w.px(longest)))
	}
	if w.warning != 0 {
		y += g
		icon := w.px(32)
		height := max(w.measure(w.sheet.Warning, w.fonts.text, in.width()-icon-g), icon)
		w.move(w.icon, rect{in.left, y, in.left + icon, y + icon})
		put(w.warning, in.left+icon+g, height)
	}
	return y + g
}

// layoutFoot returns where what it holds begins.
func (w *window) layoutFoot(in rect) int32 {
	g, high := w.px(gap), w.px(buttonHigh)
	top := in.bottom - high
	runs := w.px(24) + w.widthOf(w.choice.runLabel(), w.fonts.text)
	reject := w.px(110)
	runs = max(runs, reject)
	w.move(w.runs, rect{in.right - runs, top, in.right, in.bottom})
	w.move(w.reject, rect{in.right - runs - g - reject, top, in.right - runs - g, in.bottom})
	note := in.right - runs - 2*g - reject
	inset := (high - w.px(lineHeight)) / 2
	w.move(w.note, rect{in.left, top + inset, note, in.bottom})
	field := w.px(fieldHigh)
	top -= w.px(margin) + field
	label := w.widthOf("Reason for rejecting", w.fonts.text) + g
	w.move(w.reasonLabel, rect{in.left, top + (field-w.px(lineHeight))/2, in.left + label, top + field})
	w.move(w.reason, rect{in.left + label, top, in.right, top + field})
	return top - g
}

func (w *window) layoutList(in rect) {
	g, y, l := w.px(gap), in.top, w.px(lineHeight)
	all := w.px(64)
	w.move(w.listLabel, rect{in.left, y, in.right - all - g, y + l})
	w.move(w.all, rect{in.right - all, y, in.right, y + l})
	y += l + w.px(4)
	if w.filter != 0 {
		label := min(w.widthOf("Show only calls that contain", w.fonts.text)+g, in.width()/2)
		w.move(w.filterLabel, rect{in.left, y + w.px(3), in.left + label, y + w.px(fieldHigh)})
		w.move(w.filter, rect{in.left + label, y, in.right, y + w.px(fieldHigh)})
		y += w.px(fieldHigh) + w.px(2)
		note := w.measure(w.choice.filterNote(), w.fonts.text, in.width())
		w.move(w.filterNote, rect{in.left, y, in.right, y + note})
		y += note + w.px(4)
	}
	w.move(w.list, rect{in.left, y, in.right, in.bottom})
	w.stretchColumns()
}

func (w *window) layoutDetail(in rect) {
	y := in.top
	for _, text := range []struct {
		control windows.HWND
		font    uintptr
	}{{w.heading, w.fonts.bold}, {w.meta, w.fonts.text}, {w.rowWarning, w.fonts.text}} {
		said := textOf(text.control)
		height := int32(0)
		if said != "" {
			height = w.measure(said, text.font, in.width())
		}
		w.move(text.control, rect{in.left, y, in.right, y + height})
		y += height
	}
	y += w.px(4)
	if w.save != 0 {
		high, g := w.px(buttonHigh), w.px(gap)
		note := w.px(2 * lineHeight)
		in.bottom -= high + g + note
		top := in.bottom + g/2
		choice := in.left + w.px(100)
		w.move(w.saveChoice, rect{in.left, top + w.px(1), choice, top + w.px(200)}) // with its list
		w.move(w.save, rect{choice + g, top, choice + g + w.px(130), top + high})
		w.move(w.saveNote, rect{in.left, top + high + w.px(2), in.right, top + high + note})
	}
	w.move(w.detail, rect{in.left, y, in.right, in.bottom})
}

// widthOf is how wide a line of text is in a font.
func (w *window) widthOf(text string, font uintptr) int32 {
	handle := w.handle.Load()
	dc, _, _ := getDC.Call(handle)
	defer releaseDC.Call(handle, dc)
	before, _, _ := selectObject.Call(dc, font)
	defer selectObject.Call(dc, before)
	units := windows.StringToUTF16(text)
	var extent point
	getTextExtent.Call(dc, uintptr(unsafe.Pointer(&units[0])), uintptr(len(units)-1), uintptr(unsafe.Pointer(&extent)))
	return extent.x
}

// wrapAgain fits the detail to its width.
func (w *window) wrapAgain() {
	var area rect
	getClientRect.Call(uintptr(w.detail), uintptr(unsafe.Pointer(&area)))
	digit := max(w.widthOf("0000000000", w.fonts.mono), 10)
	columns := int((area.width() - w.px(8)) * 10 / digit)
	if columns != w.columns {
		w.columns = columns
		if w.selected >= 0 {
			w.showDetail()
		}
	}
}

func (w *window) showDetail() {
	setText(w.detail, crlf(w.sheet.wrap(w.sheet.Rows[w.selected].Detail, w.columns)))
}

func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
