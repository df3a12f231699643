package shell

// The window as it opens where there is room, and as small as it can be made.
const (
	openWidth, openHeight   = 1100, 760
	leastWidth, leastHeight = 800, 600
)

// frameHeight is left free above and below the page: the window manager's title
// and border are not in the size that is asked for, and Wails centres without
// them.
const frameHeight = 48

// extent is how large the window opens and how small it can be made.
type extent struct{ width, height, leastWidth, leastHeight int }

// fit returns the size of a window on a screen with so much room; one that
// nothing is known of has enough.
func fit(width, height int, known bool) extent {
	e := extent{openWidth, openHeight, leastWidth, leastHeight}
	if !known {
		return e
	}
	e.width = min(e.width, width)
	e.height = min(e.height, max(height-2*frameHeight, 1))
	e.leastWidth, e.leastHeight = min(e.leastWidth, e.width), min(e.leastHeight, e.height)
	return e
}
