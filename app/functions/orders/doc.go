// Package orders is the capability family of the demos: a small shop's orders
// in a SQLite file, with functions to list, read, cancel and refund them.
//
// A new store is filled with about sixty orders placed in the nine weeks up to
// today. Exactly three of them are open, above $100 and from last week, which
// is what the demo's request asks for. “Last week” is Monday to Sunday of the
// calendar week before the current one, in local time.
//
// Money is counted in whole cents in here and leaves as a number of dollars.
package orders
