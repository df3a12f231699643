// Package mcp offers the tools of servers that speak the Model Context Protocol as
// functions: sdk.<server>.<tool>.
//
// A server is another's program, so everything it says is data: names are made
// identifiers, texts are bounded and freed of characters that change how other
// text is read, schemas are checked before a function is made of them, results are
// bounded. What a tool says of itself does not unmark it: it is marked unless it
// says that it only reads and the person has confirmed that for this very
// definition, on this very server. A tool that changes is marked again.
//
// A server that ends is started again, later each time; its functions stay, so that
// a run does not lose them, and say why they do not answer. A process has a group
// of its own, which ends with the app, an environment that holds only what is
// named, and its error output is kept, bounded, for the person.
package mcp
