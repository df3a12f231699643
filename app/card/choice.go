package card

import "fmt"

// choice is what is ticked on a card and what of it is in sight. The windows of
// Windows and macOS are made around it; GTK's keeps the same in its own list.
type choice struct {
	sheet       *sheet
	ticks, seen []bool // by row
}

// enterNote answers Enter on the run button.
const enterNote = "Enter runs nothing. Press Space to run."

// line is a line of the list: a call, or with row -1 the heading of a group.
type line struct{ row, group int }

// newChoice has every row ticked and in sight.
func newChoice(s *sheet) *choice {
	c := &choice{sheet: s, ticks: make([]bool, len(s.Rows)), seen: make([]bool, len(s.Rows))}
	for i := range s.Rows {
		c.ticks[i], c.seen[i] = true, true
	}
	return c
}

// lines are those in sight, by group; headings only when there are several groups.
func (c *choice) lines() []line {
	var lines []line
	for g := range c.sheet.Groups {
		head := len(c.sheet.Groups) == 1
		for i, row := range c.sheet.Rows {
			if row.Group != g || !c.seen[i] {
				continue
			}
			if !head {
				lines, head = append(lines, line{-1, g}), true
			}
			lines = append(lines, line{i, g})
		}
	}
	return lines
}

// filter leaves those rows in sight that have the text. Ticks stay as they are.
func (c *choice) filter(text string) { c.seen = c.sheet.matches(text) }

// ticked tells whether a line's box is ticked: a heading's when all its calls in
// sight are.
func (c *choice) ticked(l line) bool {
	if l.row >= 0 {
		return c.ticks[l.row]
	}
	seen, ticked := c.count(l.group)
	return seen > 0 && seen == ticked
}

// toggle turns a call's box, or those of a heading's calls in sight: on, or off
// when all of them were on.
func (c *choice) toggle(l line) {
	if l.row >= 0 {
		c.ticks[l.row] = !c.ticks[l.row]
		return
	}
	c.toggleAll(l.group)
}

// toggleAll does the same for a group, or for all rows in sight with -1.
func (c *choice) toggleAll(group int) {
	seen, ticked := c.count(group)
	for i, row := range c.sheet.Rows {
		if c.seen[i] && (group < 0 || row.Group == group) {
			c.ticks[i] = ticked < seen
		}
	}
}

// count counts the rows in sight of a group, or of all with -1.
func (c *choice) count(group int) (seen, ticked int) {
	for i, row := range c.sheet.Rows {
		if c.seen[i] && (group < 0 || row.Group == group) {
			seen++
			if c.ticks[i] {
				ticked++
			}
		}
	}
	return seen, ticked
}

// total is how many rows would run, and how many of those are out of sight.
func (c *choice) total() (ticked, hidden int) {
	for i, tick := range c.ticks {
		if tick {
			ticked++
			if !c.seen[i] {
				hidden++
			}
		}
	}
	return ticked, hidden
}

// runLabel is what the run button says.
func (c *choice) runLabel() string {
	ticked, hidden := c.total()
	if hidden > 0 {
		return fmt.Sprintf("Run %d selected, %d of them hidden", ticked, hidden)
	}
	return fmt.Sprintf("Run %d selected", ticked)
}

// note says what becomes of the rest.
func (c *choice) note() string {
	ticked, _ := c.total()
	switch rest := len(c.ticks) - ticked; {
	case rest == 0:
		return ""
	case ticked == 0:
		return "Nothing is selected."
	case rest == 1:
		return "One call will be rejected."
	default:
		return fmt.Sprintf("%d calls will be rejected.", rest)
	}
}

// filterNote says how much a filter leaves in sight.
func (c *choice) filterNote() string {
	all := len(c.seen)
	seen, _ := c.count(-1)
	_, hidden := c.total()
	switch {
	case seen == all:
		return fmt.Sprintf("All %d calls are shown.", all)
	case hidden == 0:
		return fmt.Sprintf("%d of %d calls are shown. No hidden call is selected.", seen, all)
	case hidden == 1:
		return fmt.Sprintf("%d of %d calls are shown. One hidden call is selected too.", seen, all)
	default:
		return fmt.Sprintf("%d of %d calls are shown. %d hidden calls are selected too.", seen, all, hidden)
	}
}
