package card

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// What the card's window needs of user32, gdi32, comctl32, comdlg32 and shell32
// beyond golang.org/x/sys/windows. Each constant and struct is named as there.

var (
	user32   = windows.NewLazySystemDLL("user32.dll")
	gdi32    = windows.NewLazySystemDLL("gdi32.dll")
	comctl32 = windows.NewLazySystemDLL("comctl32.dll")
	comdlg32 = windows.NewLazySystemDLL("comdlg32.dll")
	shell32  = windows.NewLazySystemDLL("shell32.dll")

	createWindowEx       = user32.NewProc("CreateWindowExW")
	registerClassEx      = user32.NewProc("RegisterClassExW")
	defWindowProc        = user32.NewProc("DefWindowProcW")
	destroyWindow        = user32.NewProc("DestroyWindow")
	getMessage           = user32.NewProc("GetMessageW")
	translateMessage     = user32.NewProc("TranslateMessage")
	dispatchMessage      = user32.NewProc("DispatchMessageW")
	postMessage          = user32.NewProc("PostMessageW")
	postQuitMessage      = user32.NewProc("PostQuitMessage")
	sendMessage          = user32.NewProc("SendMessageW")
	showWindow           = user32.NewProc("ShowWindow")
	updateWindow         = user32.NewProc("UpdateWindow")
	setWindowPos         = user32.NewProc("SetWindowPos")
	setForegroundWindow  = user32.NewProc("SetForegroundWindow")
	setFocus             = user32.NewProc("SetFocus")
	getFocus             = user32.NewProc("GetFocus")
	isChild              = user32.NewProc("IsChild")
	isWindowVisible      = user32.NewProc("IsWindowVisible")
	isIconic             = user32.NewProc("IsIconic")
	isZoomed             = user32.NewProc("IsZoomed")
	getWindow            = user32.NewProc("GetWindow")
	getNextDlgTabItem    = user32.NewProc("GetNextDlgTabItem")
	getClientRect        = user32.NewProc("GetClientRect")
	getWindowRect        = user32.NewProc("GetWindowRect")
	getWindowText        = user32.NewProc("GetWindowTextW")
	getWindowTextLength  = user32.NewProc("GetWindowTextLengthW")
	setWindowText        = user32.NewProc("SetWindowTextW")
	enableWindow         = user32.NewProc("EnableWindow")
	setTimer             = user32.NewProc("SetTimer")
	killTimer            = user32.NewProc("KillTimer")
	loadCursor           = user32.NewProc("LoadCursorW")
	loadIcon             = user32.NewProc("LoadIconW")
	getDC                = user32.NewProc("GetDC")
	releaseDC            = user32.NewProc("ReleaseDC")
	drawText             = user32.NewProc("DrawTextW")
	getAsyncKeyState     = user32.NewProc("GetAsyncKeyState")
	getKeyState          = user32.NewProc("GetKeyState")
	getSysColor          = user32.NewProc("GetSysColor")
	getSysColorBrush     = user32.NewProc("GetSysColorBrush")
	systemParametersInfo = user32.NewProc("SystemParametersInfoW")
	monitorFromWindow    = user32.NewProc("MonitorFromWindow")
	getMonitorInfo       = user32.NewProc("GetMonitorInfoW")
	flashWindowEx        = user32.NewProc("FlashWindowEx")
	notifyWinEvent       = user32.NewProc("NotifyWinEvent")
	// Windows 10 and later:
	getDpiForWindow      = user32.NewProc("GetDpiForWindow")
	setThreadDpi         = user32.NewProc("SetThreadDpiAwarenessContext")
	createFontIndirect   = gdi32.NewProc("CreateFontIndirectW")
	deleteObject         = gdi32.NewProc("DeleteObject")
	selectObject         = gdi32.NewProc("SelectObject")
	getTextExtent        = gdi32.NewProc("GetTextExtentPoint32W")
	getDeviceCaps        = gdi32.NewProc("GetDeviceCaps")
	setBkColor           = gdi32.NewProc("SetBkColor")
	setTextColor         = gdi32.NewProc("SetTextColor")
	initCommonControlsEx = comctl32.NewProc("InitCommonControlsEx")
	getSaveFileName      = comdlg32.NewProc("GetSaveFileNameW")
	shellNotifyIcon      = shell32.NewProc("Shell_NotifyIconW")
)

const (
	wsOverlapped, wsPopup, wsChild, wsVisible = 0, 0x80000000, 0x40000000, 0x10000000
	wsCaption, wsSysMenu, wsThickFrame        = 0x00C00000, 0x00080000, 0x00040000
	wsTabStop, wsGroup, wsBorder, wsVScroll   = 0x00010000, 0x00020000, 0x00800000, 0x00200000
	wsHScroll, wsClipChildren                 = 0x00100000, 0x02000000
	wsExControlParent, wsExClientEdge         = 0x00010000, 0x00000200

	ssNoPrefix, ssIcon, ssEndEllipsis            = 0x80, 0x3, 0x4000
	esMultiline, esAutoVScroll, esAutoHScroll    = 0x4, 0x40, 0x80
	esReadOnly                                   = 0x800
	bsPushButton, bs3State                       = 0x0, 0x5
	cbsDropDownList                              = 0x3
	lvsReport, lvsSingleSel, lvsShowSelAlways    = 0x1, 0x4, 0x8
	lvsExCheckBoxes, lvsExFullRow, lvsExLabelTip = 0x4, 0x20, 0x4000
	lvsExDoubleBuffer                            = 0x10000

	wmCreate, wmDestroy, wmSize, wmActivate, wmSetFocus = 0x1, 0x2, 0x5, 0x6, 0x7
	wmSetRedraw, wmClose, wmSetFont, wmNotify           = 0xB, 0x10, 0x30, 0x4E
	wmGetMinMaxInfo, wmSetIcon, wmKeyDown, wmKeyUp      = 0x24, 0x80, 0x100, 0x101
	wmChar, wmCommand, wmTimer, wmChangeUIState         = 0x102, 0x111, 0x113, 0x127
	wmCtlColorStatic, wmLButtonDown, wmLButtonDblClk    = 0x138, 0x201, 0x203
	wmPointerDown, wmDpiChanged                         = 0x246, 0x2E0
	wmEndCard, wmNotice                                 = 0x8001, 0x8002 // ours

	bnClicked, enChange, cbnSelChange          = 0, 0x300, 1
	bmSetCheck, emSetLimitText, emSetSel       = 0xF1, 0xC5, 0xB1
	emSetCueBanner                             = 0x1501
	cbAddString, cbResetContent                = 0x143, 0x14B
	cbSetCurSel, cbGetCurSel                   = 0x14E, 0x147
	lvmDeleteAllItems, lvmInsertItem           = 0x1009, 0x104D
	lvmInsertColumn, lvmSetColumnWidth         = 0x1061, 0x101E
	lvmSetItemText, lvmSetItemState            = 0x1074, 0x102B
	lvmGetNextItem, lvmEnsureVisible           = 0x100C, 0x1013
	lvmSetExtendedStyle, lvmGetItemState       = 0x1036, 0x102C
	lvifText, lvifState                        = 0x1, 0x8
	lvcfWidth, lvcfText, lvcfFormat            = 0x2, 0x4, 0x1
	lvisFocused, lvisSelected, lvisStateImage  = 0x1, 0x2, 0xF000
	lvniSelected                               = 0x2
	lvnItemChanged                             = ^uint32(100) // -101
	gwOwner, swShow, swShowNoActivate, swHide  = 4, 5, 4, 0
	swpNoZOrder, swpNoActivate                 = 0x4, 0x10
	vkTab, vkReturn, vkEscape, vkSpace, vkA    = 0x9, 0xD, 0x1B, 0x20, 0x41
	vkF, vkShift, vkControl, vkMenu            = 0x46, 0x10, 0x11, 0x12
	colorWindow, colorWindowText, color3DFace  = 5, 8, 15
	dtWordBreak, dtCalcRect, dtNoPrefix        = 0x10, 0x400, 0x800
	idcArrow, idiWarning                       = 32512, 32515
	spiGetNonClientMetrics, logPixelsY         = 0x29, 90
	uisClear, uisfHideFocus                    = 2, 1
	monitorDefaultToNearest                    = 2
	flashwStop, flashwAll, flashwTimerNoFg     = 0, 3, 12
	eventSystemAlert, objidClient              = 2, 0xFFFFFFFC
	dpiPerMonitorV2                            = ^uintptr(3) // DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2, -4
	nimAdd, nimDelete                          = 0, 2
	nifMessage, nifIcon, nifTip, nifInfo       = 1, 2, 4, 16
	ninBalloonUserClick                        = 0x405
	ofnOverwritePrompt, ofnNoChangeDir         = 0x2, 0x8
	ofnPathMustExist, ofnExplorer, ofnHideRead = 0x800, 0x80000, 0x4
)

type wndClassEx struct {
	size, style                        uint32
	procedure                          uintptr
	classExtra, windowExtra            int32
	instance, icon, cursor, background windows.Handle
	menu, name                         *uint16
	smallIcon                          windows.Handle
}

type point struct{ x, y int32 }

type message struct {
	window         windows.HWND
	message        uint32
	wParam, lParam uintptr
	time           uint32
	at             point
	_              uint32
}

type rect struct{ left, top, right, bottom int32 }

func (r rect) width() int32  { return r.right - r.left }
func (r rect) height() int32 { return r.bottom - r.top }

type minMaxInfo struct{ reserved, maxSize, maxPosition, minTrack, maxTrack point }

type monitorInfo struct {
	size          uint32
	monitor, work rect
	flags         uint32
}

type logFont struct {
	height, width, escapement, orientation, weight       int32
	italic, underline, strikeOut, charSet                byte
	outPrecision, clipPrecision, quality, pitchAndFamily byte
	face                                                 [32]uint16
}

type nonClientMetrics struct {
	size                                                           uint32
	border, scrollWidth, scrollHeight, captionWidth, captionHeight int32
	caption                                                        logFont
	smallCaptionWidth, smallCaptionHeight                          int32
	smallCaption                                                   logFont
	menuWidth, menuHeight                                          int32
	menu, status, message                                          logFont
	padded                                                         int32
}

type lvColumn struct {
	mask                               uint32
	format, width                      int32
	text                               *uint16
	textMax, subItem, image, order     int32
	minWidth, defaultWidth, idealWidth int32
}

type lvItem struct {
	mask             uint32
	item, subItem    int32
	state, stateMask uint32
	text             *uint16
	textMax, image   int32
	param            uintptr
	indent, groupID  int32
	columns          uint32
	columnList       *uint32
	columnFormat     *int32
	group            int32
}

type nmHeader struct {
	from windows.HWND
	id   uintptr
	code uint32
}

type nmListView struct {
	nmHeader
	item, subItem               int32
	newState, oldState, changed uint32
	at                          point
	param                       uintptr
}

type flashInfo struct {
	size         uint32
	window       windows.HWND
	flags, count uint32
	timeout      uint32
}

type notifyIcon struct {
	size             uint32
	window           windows.HWND
	id, flags        uint32
	callback         uint32
	icon             windows.Handle
	tip              [128]uint16
	state, stateMask uint32
	info             [256]uint16
	version          uint32
	title            [64]uint16
	infoFlags        uint32
	guid             windows.GUID
	balloonIcon      windows.Handle
}

type openFileName struct {
	size                   uint32
	owner                  windows.HWND
	instance               windows.Handle
	filter, customFilter   *uint16
	customMax, filterIndex uint32
	file                   *uint16
	fileMax                uint32
	fileTitle              *uint16
	fileTitleMax           uint32
	initialDir, title      *uint16
	flags                  uint32
	fileOffset, extOffset  uint16
	defaultExt             *uint16
	custData, hook         uintptr
	template               *uint16
	reserved               uintptr
	reservedToo, flagsEx   uint32
}

// wide is text for Windows. What a card shows has gone through Plain and has no
// NUL; text that has one all the same is a defect and is not cut at it.
func wide(text string) *uint16 {
	units, err := windows.UTF16PtrFromString(text)
	if err != nil {
		panic("text for the card has a NUL in it")
	}
	return units
}

func send(window windows.HWND, what uint32, w, l uintptr) uintptr {
	r, _, _ := sendMessage.Call(uintptr(window), uintptr(what), w, l)
	return r
}

func setText(window windows.HWND, text string) {
	setWindowText.Call(uintptr(window), uintptr(unsafe.Pointer(wide(text))))
}

func textOf(window windows.HWND) string {
	n, _, _ := getWindowTextLength.Call(uintptr(window))
	units := make([]uint16, n+1)
	getWindowText.Call(uintptr(window), uintptr(unsafe.Pointer(&units[0])), n+1)
	return windows.UTF16ToString(units)
}

func enable(window windows.HWND, is bool) {
	var on uintptr
	if is {
		on = 1
	}
	enableWindow.Call(uintptr(window), on)
}

// failed is the error of a call that Windows refused.
func failed(what string, err error) error { return fmt.Errorf("%s: %w", what, err) }
