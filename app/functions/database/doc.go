// Package database asks and changes SQLite files in the folders that the person
// has picked.
//
// A query is unmarked, so it must be unable to change anything, whatever SQL it
// is. Three walls stand behind one another: the file is opened for reading only;
// the connection is query-only; and SQLite's authorizer, which is asked about
// every step of every statement when it is compiled, permits reading and nothing
// else. Neither queries nor changes can reach another file: there is no ATTACH,
// no loading of extensions and no function that reads or writes files.
//
// A change is marked and is one transaction: it happens as a whole or not at all.
package database
