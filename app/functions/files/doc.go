// Package files works on files in the folders that the person has picked.
//
// Looking (list, read, search, stat) is unmarked. Changing (write, move, copy,
// makeFolder, trash) is marked, and only in folders that are picked for writing.
// What is written appears whole or not at all; nothing is replaced unless the
// call says so; nothing is deleted: it goes to the trash of the system, from
// which the person can take it back.
//
// Package folder sees to it that no path leads out.
package files
