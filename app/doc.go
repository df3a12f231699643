// Package app is the domain of Countersign: the words, and nothing that does
// work. It imports the standard library only; everything else imports it.
//
// # The path of a call
//
//	model → frontend (chat) → sandbox: page → frame → worker              inward
//	worker → page → frontend (bindings) → app/bridge → app/dispatch
//	dispatch: gate consumes a decision (marked calls only)
//	          → log started → function → log settled
//	and the value returns the same way.
//
// A marked call first waits: the page asks the gate to decide its pending
// rows, the gate logs the requests, the card shows them, the person decides,
// the gate logs the decisions. Only then can dispatch consume one.
//
// # The import law
//
// Package app imports nothing of ours. The packages dispatch, gate, registry,
// sqlite, card, model, mcp and functions/* import app and never each other (but
// functions/* and mcp define functions with registry, and functions/* reach files
// through folder); desk joins them. The package
// bridge imports dispatch, gate and app. Package value is a leaf that imports
// app and that anyone may import. A test in tests/layers keeps the law, with the
// reason of each rule.
package app
