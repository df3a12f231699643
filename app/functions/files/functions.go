package files

import (
	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
	"github.com/faustine-ai/countersign/app/registry"
)

// Files is the family on some folders.
type Files struct {
	folders *folder.Folders
}

// New makes the family.
func New(folders *folder.Folders) *Files { return &Files{folders} }

// Functions returns the family's functions.
func (f *Files) Functions() []*app.Function {
	return []*app.Function{
		registry.Define("files.list", f.list,
			registry.Title("List a folder"), registry.NeverNull(),
			registry.Description("What is in a folder, sorted by name; without a path, the folders that the person has picked. Paths are the name of a picked folder, then what is inside it: Downloads/2026/letter.txt. With recursive or a glob such as **/*.pdf, what is in the folders inside too, each folder before its contents; symbolic links are listed and not followed. When more is true there is more than limit: call again with after set to the last path."),
		),
		registry.Define("files.stat", f.stat,
			registry.Title("Look at a file or folder"), registry.NeverNull(),
			registry.Description("Whether there is such a file or folder, and its kind, size and time of change."),
		),
		registry.Define("files.read", f.read,
			registry.Title("Read a file"), registry.NeverNull(),
			registry.Description("The content of a file: as text (up to 1 MiB a call), or with as: \"bytes\" as a Uint8Array (up to 8 MiB a call). When next is there, the file goes on: call again with from set to it. What is no text is refused as text; read it as bytes."),
		),
		registry.Define("files.search", f.search,
			registry.Title("Search in files"), registry.NeverNull(),
			registry.Description("Lines that hold a text, or match a regular expression (RE2), in the text files of a folder and the folders inside; or, with name, files and folders whose name holds it. Case does not count unless matchCase. Files that are no text, or larger than 8 MiB, are passed over and counted in skipped. When more is true there is more than limit: narrow the search."),
		),
		registry.Define("files.write", f.write,
			registry.Title("Write a file"), registry.Plural("Write {n} files"), registry.NeverNull(),
			registry.Description("Writes a whole file, from text or bytes. A file that exists is refused unless overwrite is true. The folder must exist; files.makeFolder makes one."),
			registry.Marked(), registry.Valid(f.writeValid), registry.Row(f.writeWords),
		),
		registry.Define("files.move", f.move,
			registry.Title("Move a file or folder"), registry.Plural("Move {n} files or folders"), registry.NeverNull(),
			registry.Description("Moves or renames a file or folder. to is its new path, name included. What is there already is refused, or a file replaced with overwrite. The folder that it goes to must exist."),
			registry.Marked(), registry.Valid(f.moveValid), registry.Row(f.moveWords),
		),
		registry.Define("files.copy", f.copy,
			registry.Title("Copy a file or folder"), registry.Plural("Copy {n} files or folders"), registry.NeverNull(),
			registry.Description("Copies a file, or a folder with everything in it. to is the copy's path, name included. What is there already is refused, or a file replaced with overwrite. Symbolic links are left out and counted in skipped."),
			registry.Marked(), registry.Valid(f.copyValid), registry.Row(f.copyWords),
		),
		registry.Define("files.makeFolder", f.makeFolder,
			registry.Title("Make a folder"), registry.Plural("Make {n} folders"), registry.NeverNull(),
			registry.Description("Makes a folder, and those above it that are missing. One that exists is fine."),
			registry.Marked(), registry.Valid(f.makeFolderValid), registry.Row(f.makeFolderWords),
		),
		registry.Define("files.trash", f.trash,
			registry.Title("Move to the trash"), registry.Plural("Move {n} files or folders to the trash"), registry.NeverNull(),
			registry.Description("Moves a file, a folder with everything in it, or a symbolic link to the trash, from which the person can take it back."),
			registry.Marked(), registry.Valid(f.trashValid), registry.Row(f.trashWords),
		),
	}
}
