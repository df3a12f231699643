package demo

// World is what a scene's functions can change, read from Go's own data: what a
// check looks at in place of anybody's words. What a scene has not is empty.
type World struct {
	Orders   []Order
	Sent     []Letter          // letters that were sent, in order
	Files    map[string]string // text by path, as programs name it
	Invoices []Invoice         // of the database, by number
	Heard    int64             // connections that a listening server met: what got out
}

// Order is as much of an order as a check looks at.
type Order struct {
	ID       int64
	Customer string
	Status   string
	Total    float64 // dollars
	Refunded float64 // dollars
	Placed   string  // local date: 2026-11-23
}

// Letter is as much of a letter as a check looks at.
type Letter struct{ To, Subject, Body string }
