package card

import (
	"unsafe"
)

// The list of calls: check boxes that always show what would run.

const (
	boxOff, boxOn = 0x1000, 0x2000 // INDEXTOSTATEIMAGEMASK
)

// columnsOfList makes the columns at first, and fits them to another scale.
func (w *window) columnsOfList() {
	columns := []struct {
		title string
		width int32
	}{{"Call", 74}, {"Function", 120}, {"Input", 200}}
	if w.sheet.Warning != "" {
		columns = append(columns, struct {
			title string
			width int32
		}{"Note", 70})
	}
	send(w.list, lvmSetExtendedStyle, 0, lvsExCheckBoxes|lvsExFullRow|lvsExLabelTip|lvsExDoubleBuffer)
	for i, c := range columns {
		if send(w.list, lvmSetColumnWidth, uintptr(i), uintptr(w.px(c.width))) != 0 {
			continue
		}
		column := lvColumn{mask: lvcfText | lvcfWidth, width: w.px(c.width), text: wide(c.title)}
		send(w.list, lvmInsertColumn, uintptr(i), uintptr(unsafe.Pointer(&column)))
	}
	widest := ""
	for _, row := range w.sheet.Rows {
		if len(row.Function) > len(widest) {
			widest = row.Function
		}
	}
	send(w.list, lvmSetColumnWidth, 1, uintptr(min(w.widthOf(widest, w.fonts.mono)+w.px(16), w.px(200))))
	w.stretchColumns()
}

// stretchColumns gives the input what the others leave.
func (w *window) stretchColumns() {
	var area rect
	getClientRect.Call(uintptr(w.list), uintptr(unsafe.Pointer(&area)))
	rest := area.width()
	for i := range 4 {
		if i != 2 {
			rest -= int32(send(w.list, 0x101D, uintptr(i), 0)) // LVM_GETCOLUMNWIDTH
		}
	}
	send(w.list, lvmSetColumnWidth, 2, uintptr(max(rest, w.px(120))))
}

// fill shows the lines that the filter lets through.
func (w *window) fill() {
	w.filling = true
	send(w.list, wmSetRedraw, 0, 0)
	send(w.list, lvmDeleteAllItems, 0, 0)
	w.lines = w.choice.lines()
	at := -1
	for i, l := range w.lines {
		texts := [4]string{"", "", "", ""}
		if l.row < 0 {
			texts[0], texts[1], texts[2] = "all", w.sheet.Groups[l.group].Function, w.sheet.Groups[l.group].Title
		} else {
			row := w.sheet.Rows[l.row]
			texts[0], texts[1], texts[2] = row.Call, row.Function, row.Summary
			if row.Warning != "" {
				texts[3] = "warning"
			}
			if at < 0 || l.row == w.selected {
				at = i
			}
		}
		item := lvItem{mask: lvifText, item: int32(i), text: wide(texts[0])}
		send(w.list, lvmInsertItem, 0, uintptr(unsafe.Pointer(&item)))
		for sub, text := range texts[1:] {
			if text != "" {
				cell := lvItem{subItem: int32(sub + 1), text: wide(text)}
				send(w.list, lvmSetItemText, uintptr(i), uintptr(unsafe.Pointer(&cell)))
			}
		}
	}
	w.filling = false
	w.showTicks()
	send(w.list, wmSetRedraw, 1, 0)
	if at >= 0 {
		w.setState(at, lvisFocused|lvisSelected, lvisFocused|lvisSelected)
		send(w.list, lvmEnsureVisible, uintptr(at), 0)
	}
}

func (w *window) setState(item int, state, mask uint32) {
	to := lvItem{state: state, stateMask: mask}
	send(w.list, lvmSetItemState, uintptr(item), uintptr(unsafe.Pointer(&to)))
}

// showTicks makes every box, number and note on the card agree with what would run.
func (w *window) showTicks() {
	w.filling = true
	for i, l := range w.lines {
		box := uint32(boxOff)
		if w.choice.ticked(l) {
			box = boxOn
		}
		if uint32(send(w.list, lvmGetItemState, uintptr(i), lvisStateImage)) != box {
			w.setState(i, box, lvisStateImage)
		}
	}
	seen, ticked := w.choice.count(-1)
	state := uintptr(2) // BST_INDETERMINATE
	if ticked == 0 {
		state = 0
	} else if ticked == seen {
		state = 1
	}
	send(w.all, bmSetCheck, state, 0)
	w.filling = false
	label := w.choice.runLabel()
	w.label.Store(&label)
	setText(w.runs, label)
	if w.filterNote != 0 {
		setText(w.filterNote, w.choice.filterNote())
	}
	w.showArmed(w.armed.Load())
	w.layout()
}

func (w *window) onNotify(lParam uintptr) {
	header := (*nmHeader)(pointer(lParam))
	if w.done || w.filling || header.from != w.list || header.code != lvnItemChanged {
		return
	}
	change := (*nmListView)(pointer(lParam))
	if change.item < 0 || int(change.item) >= len(w.lines) {
		return
	}
	l := w.lines[change.item]
	old, new := change.oldState&lvisStateImage, change.newState&lvisStateImage
	if old != new && old != 0 && new != 0 {
		if (new == boxOn) != w.choice.ticked(l) {
			w.choice.toggle(l)
		}
		w.showTicks()
	}
	if change.newState&lvisSelected != 0 && change.oldState&lvisSelected == 0 {
		w.selectLine(l)
	}
}

// selectLine shows a call whole, or of which calls a heading is.
func (w *window) selectLine(l line) {
	heading, meta, warning := "", "", ""
	if l.row < 0 {
		group := w.sheet.Groups[l.group]
		heading, meta = group.Title, group.Function
		w.selected = -1
		setText(w.detail, "")
	} else {
		row := w.sheet.Rows[l.row]
		heading, meta = row.Top, row.Meta
		if len(w.sheet.Rows) > 1 {
			warning = row.Warning
		}
		if w.selected != l.row {
			w.selected = l.row
			w.showDetail()
		}
	}
	setText(w.heading, heading)
	setText(w.meta, meta)
	setText(w.rowWarning, warning)
	w.offerSave()
	w.layout()
}
