package card

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Bytes that the detail describes can be saved, to look at before deciding. The
// dialog takes the focus from the card, so the card is armed anew afterwards.

// offerSave fits the offer to the row in the detail.
func (w *window) offerSave() {
	if w.save == 0 {
		return
	}
	n := 0
	if w.selected >= 0 {
		n = len(w.sheet.Rows[w.selected].binaries)
	}
	send(w.saveChoice, cbResetContent, 0, 0)
	for i := range n {
		send(w.saveChoice, cbAddString, 0, uintptr(unsafe.Pointer(wide(fmt.Sprintf("binary %d", i+1)))))
	}
	send(w.saveChoice, cbSetCurSel, 0, 0)
	enable(w.saveChoice, n > 1)
	enable(w.save, n > 0)
	setText(w.saveNote, "")
}

func (w *window) saveBinary() {
	if w.selected < 0 || w.done {
		return
	}
	row := w.sheet.Rows[w.selected]
	chosen := int(int32(send(w.saveChoice, cbGetCurSel, 0, 0)))
	if chosen < 0 || chosen >= len(row.binaries) {
		return
	}
	to := w.askWhere(row.names[chosen])
	if to == "" || w.done { // the card may have gone while the dialog was open
		return
	}
	setText(w.saveNote, saveSaid(row.binaries[chosen], to))
}

// askWhere is the system's dialog; "" when the person chose nothing.
func (w *window) askWhere(name string) string {
	path := make([]uint16, 32768)
	copy(path, windows.StringToUTF16(name))
	dialog := openFileName{owner: windows.HWND(w.handle.Load()), file: &path[0], fileMax: uint32(len(path)), title: wide("Save to look at"),
		flags: ofnOverwritePrompt | ofnNoChangeDir | ofnPathMustExist | ofnExplorer | ofnHideRead}
	dialog.size = uint32(unsafe.Sizeof(dialog))
	if chosen, _, _ := getSaveFileName.Call(uintptr(unsafe.Pointer(&dialog))); chosen == 0 {
		return ""
	}
	return windows.UTF16ToString(path)
}
