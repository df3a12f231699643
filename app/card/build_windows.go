package card

import (
	"math"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/sys/windows"
)

// parts are the controls of a card, 0 where there is none.
type parts struct {
	title, asked, request, icon, warning                  windows.HWND
	listLabel, all, filterLabel, filter, filterNote, list windows.HWND
	heading, meta, rowWarning, detail                     windows.HWND
	saveChoice, save, saveNote                            windows.HWND
	reasonLabel, reason, note, reject, runs               windows.HWND
}

const (
	className = "CountersignCard"
	reasonMax = 2000 // characters
	filterMax = 200
	// filterFrom is from how many calls on the list has a filter.
	filterFrom = 10

	openWidth, leastWidth, leastHeight = 860, 600, 440 // in 1/96 inch
)

// register makes the class of cards known, once.
var register = sync.OnceValue(func() error {
	controls := struct{ size, classes uint32 }{8, 0x1} // ICC_LISTVIEW_CLASSES
	initCommonControlsEx.Call(uintptr(unsafe.Pointer(&controls)))
	cursor, _, _ := loadCursor.Call(0, idcArrow)
	class := wndClassEx{procedure: procedure, cursor: windows.Handle(cursor), background: color3DFace + 1, name: wide(className)}
	class.size = uint32(unsafe.Sizeof(class))
	if atom, _, err := registerClassEx.Call(uintptr(unsafe.Pointer(&class))); atom == 0 {
		return failed("its class cannot be registered", err)
	}
	return nil
})

// build makes the window with its controls; it is not on screen yet.
func (w *window) build(owner windows.HWND) error {
	if err := register(); err != nil {
		return err
	}
	handle, _, err := createWindowEx.Call(wsExControlParent, uintptr(unsafe.Pointer(wide(className))), uintptr(unsafe.Pointer(wide(w.sheet.Window))),
		wsPopup|wsCaption|wsSysMenu|wsThickFrame|wsClipChildren, 0, 0, 100, 100, uintptr(owner), 0, 0, 0)
	if handle == 0 {
		return failed("its window cannot be made", err)
	}
	w.handle.Store(handle)
	w.dpi = dpiOf(windows.HWND(handle))
	w.fonts = newFonts(w.dpi)
	if err := w.controls(); err != nil {
		return err
	}
	w.focus = w.reject
	w.setFonts()
	send(windows.HWND(handle), wmChangeUIState, uisClear|uisfHideFocus<<16, 0) // the focus is always seen
	cards.Store(windows.HWND(handle), w)
	w.place(owner)
	w.columnsOfList()
	w.fill()
	w.showArmed(false)
	return nil
}

// maker makes controls until one fails.
type maker struct {
	parent windows.HWND
	err    error
}

func (m *maker) make(class, text string, style, extended uintptr) windows.HWND {
	if m.err != nil {
		return 0
	}
	handle, _, err := createWindowEx.Call(extended, uintptr(unsafe.Pointer(wide(class))), uintptr(unsafe.Pointer(wide(text))),
		wsChild|wsVisible|style, 0, 0, 0, 0, uintptr(m.parent), 0, 0, 0)
	if handle == 0 {
		m.err = failed("its "+class+" control cannot be made", err)
	}
	return windows.HWND(handle)
}

func (m *maker) text(text string) windows.HWND { return m.make("STATIC", text, ssNoPrefix, 0) }

// controls makes the controls in the order of Tab. Each edit control and the list
// follow the static text that names them: that is how Windows tells a screen
// reader their names.
func (w *window) controls() error {
	s := w.sheet
	m := &maker{parent: windows.HWND(w.handle.Load())}
	w.title = m.text(s.Title)
	if s.Request != "" {
		w.asked = m.text("You asked:")
		style := uintptr(esMultiline | esReadOnly | esAutoVScroll | wsTabStop)
		if utf8.RuneCountInString(s.Request) > 220 || strings.Contains(s.Request, "\n") {
			style |= wsVScroll
		}
		w.request = m.make("EDIT", crlf(s.Request), style, 0)
	}
	if s.Warning != "" {
		w.icon = m.make("STATIC", "", ssIcon, 0)
		w.warning = m.text(s.Warning)
	}
	w.all = m.make("BUTTON", "All", bs3State|wsTabStop, 0)
	if len(s.Rows) >= filterFrom {
		w.filterLabel = m.text("Show only calls that contain")
		w.filter = m.make("EDIT", "", esAutoHScroll|wsTabStop, wsExClientEdge)
		w.filterNote = m.text("")
		send(w.filter, emSetLimitText, filterMax, 0)
		send(w.filter, emSetCueBanner, 1, uintptr(unsafe.Pointer(wide("Show only calls that contain…"))))
	}
	w.listLabel = m.text("Calls that wait for you")
	w.list = m.make("SysListView32", "Calls that wait for you", lvsReport|lvsSingleSel|lvsShowSelAlways|wsTabStop, wsExClientEdge)
	w.heading = m.text("")
	w.rowWarning = m.text("")
	w.meta = m.text("")
	m.text("Full input of the selected call") // out of sight; the name of:
	w.detail = m.make("EDIT", "", esMultiline|esReadOnly|esAutoVScroll|esAutoHScroll|wsVScroll|wsHScroll|wsTabStop, wsExClientEdge)
	send(w.detail, emSetLimitText, math.MaxInt32, 0)
	for _, row := range s.Rows {
		if len(row.binaries) > 0 {
			m.text("Which binary") // out of sight; the name of:
			w.saveChoice = m.make("COMBOBOX", "", cbsDropDownList|wsTabStop|wsVScroll, 0)
			w.save = m.make("BUTTON", "Save to look at…", bsPushButton|wsTabStop, 0)
			w.saveNote = m.text("")
			break
		}
	}
	w.reasonLabel = m.text("Reason for rejecting")
	w.reason = m.make("EDIT", "", esAutoHScroll|wsTabStop, wsExClientEdge)
	send(w.reason, emSetLimitText, reasonMax, 0)
	send(w.reason, emSetCueBanner, 1, uintptr(unsafe.Pointer(wide("Optional; the program is told"))))
	w.note = m.make("STATIC", "", ssNoPrefix|ssEndEllipsis, 0)
	w.reject = m.make("BUTTON", "Reject all", bsPushButton|wsTabStop, 0)
	w.runs = m.make("BUTTON", "", bsPushButton|wsTabStop, 0)
	return m.err
}

// given is the size that the person gave the window; zero when they left it.
func (w *window) given() size {
	var now rect
	getWindowRect.Call(w.handle.Load(), uintptr(unsafe.Pointer(&now)))
	zoomed, _, _ := isZoomed.Call(w.handle.Load())
	if zoomed != 0 || now.width() == w.first.width() && now.height() == w.first.height() {
		return size{}
	}
	return size{int(now.width() * 96 / w.dpi), int(now.height() * 96 / w.dpi)}
}

// colour gives the texts that are read their window's colours, also in a theme
// of high contrast.
func (w *window) colour(dc uintptr, control windows.HWND) (uintptr, bool) {
	if control != w.detail && (w.request == 0 || control != w.request) {
		return 0, false
	}
	background, _, _ := getSysColor.Call(colorWindow)
	text, _, _ := getSysColor.Call(colorWindowText)
	setBkColor.Call(dc, background)
	setTextColor.Call(dc, text)
	brush, _, _ := getSysColorBrush.Call(colorWindow)
	return brush, true
}

func dpiOf(handle windows.HWND) int32 {
	if getDpiForWindow.Find() == nil {
		if dpi, _, _ := getDpiForWindow.Call(uintptr(handle)); dpi != 0 {
			return int32(dpi)
		}
	}
	dc, _, _ := getDC.Call(uintptr(handle))
	defer releaseDC.Call(uintptr(handle), dc)
	if dpi, _, _ := getDeviceCaps.Call(dc, logPixelsY); dpi != 0 {
		return int32(dpi)
	}
	return 96
}

// fonts of a card, by their size on its screen.
type fonts struct{ text, bold, title, mono uintptr }

func newFonts(dpi int32) fonts {
	metrics := nonClientMetrics{}
	metrics.size = uint32(unsafe.Sizeof(metrics))
	systemParametersInfo.Call(spiGetNonClientMetrics, uintptr(metrics.size), uintptr(unsafe.Pointer(&metrics)), 0)
	base := metrics.message
	base.height, base.width = -px(12, dpi), 0
	title, bold, mono := base, base, base
	title.height, title.weight, bold.weight = -px(17, dpi), 700, 700
	mono.face = [32]uint16{}
	copy(mono.face[:], windows.StringToUTF16("Consolas"))
	mono.pitchAndFamily = 0x31 // FIXED_PITCH | FF_MODERN, where there is no Consolas
	create := func(font logFont) uintptr {
		handle, _, _ := createFontIndirect.Call(uintptr(unsafe.Pointer(&font)))
		return handle // 0 is the system's own font
	}
	return fonts{create(base), create(bold), create(title), create(mono)}
}

func (f fonts) delete() {
	for _, font := range []uintptr{f.text, f.bold, f.title, f.mono} {
		if font != 0 {
			deleteObject.Call(font)
		}
	}
}

func (w *window) setFonts() {
	for _, control := range w.everything() {
		font := w.fonts.text
		switch control {
		case w.title:
			font = w.fonts.title
		case w.heading:
			font = w.fonts.bold
		case w.detail, w.list:
			font = w.fonts.mono
		}
		if control != 0 {
			send(control, wmSetFont, font, 1)
		}
	}
	if w.icon != 0 {
		icon, _, _ := loadIcon.Call(0, idiWarning)
		send(w.icon, 0x170, icon, 0) // STM_SETICON
	}
}

func (p *parts) everything() []windows.HWND {
	return []windows.HWND{p.title, p.asked, p.request, p.warning, p.listLabel, p.all, p.filterLabel, p.filter, p.filterNote, p.list, p.heading, p.meta,
		p.rowWarning, p.detail, p.saveChoice, p.save, p.saveNote, p.reasonLabel, p.reason, p.note, p.reject, p.runs}
}

// rescale follows the window to a screen of another scale.
func (w *window) rescale(dpi int32, to rect) {
	old := w.fonts
	w.dpi, w.fonts = dpi, newFonts(dpi)
	w.setFonts()
	old.delete()
	w.move(windows.HWND(w.handle.Load()), to)
	w.columnsOfList()
	w.layout()
}

func (w *window) px(n int32) int32 { return px(n, w.dpi) }

func px(n, dpi int32) int32 { return (n*dpi + 48) / 96 }

func (w *window) move(control windows.HWND, to rect) {
	setWindowPos.Call(uintptr(control), 0, uintptr(to.left), uintptr(to.top), uintptr(max(to.width(), 0)), uintptr(max(to.height(), 0)), swpNoZOrder|swpNoActivate)
}

// measure is how high a text gets in a font at this width.
func (w *window) measure(text string, font uintptr, width int32) int32 {
	handle := w.handle.Load()
	dc, _, _ := getDC.Call(handle)
	defer releaseDC.Call(handle, dc)
	before, _, _ := selectObject.Call(dc, font)
	defer selectObject.Call(dc, before)
	area := rect{right: width}
	drawText.Call(dc, uintptr(unsafe.Pointer(wide(text))), ^uintptr(0), uintptr(unsafe.Pointer(&area)), dtCalcRect|dtWordBreak|dtNoPrefix)
	return area.height()
}

// workArea is what the screen of a window has beside the task bar.
func workArea(of windows.HWND) rect {
	monitor, _, _ := monitorFromWindow.Call(uintptr(of), monitorDefaultToNearest)
	info := monitorInfo{}
	info.size = uint32(unsafe.Sizeof(info))
	getMonitorInfo.Call(monitor, uintptr(unsafe.Pointer(&info)))
	return info.work
}

// place puts the window over the middle of its owner, wholly on the screen.
func (w *window) place(owner windows.HWND) {
	area := workArea(owner)
	width, height := int32(openWidth), 460+16*int32(min(len(w.sheet.Rows), 8))
	for _, more := range []struct {
		is bool
		by int32
	}{{w.warning != 0, 50}, {w.filter != 0, 50}, {w.save != 0, 70}} {
		if more.is {
			height += more.by
		}
	}
	if s := w.sheet.size; s.Width > 0 && s.Height > 0 {
		width, height = int32(s.Width), int32(s.Height)
	}
	width, height = min(w.px(width), area.width()), min(w.px(height), area.height())
	var over rect
	getWindowRect.Call(uintptr(owner), uintptr(unsafe.Pointer(&over)))
	x := over.left + (over.width()-width)/2
	y := over.top + (over.height()-height)/2
	x = min(max(x, area.left), area.right-width)
	y = min(max(y, area.top), area.bottom-height)
	w.move(windows.HWND(w.handle.Load()), rect{x, y, x + width, y + height})
}
