package files

import (
	"io/fs"
	"time"

	"github.com/faustine-ai/countersign/app/folder"
)

// Entry is a file or folder as programs see it.
type Entry struct {
	Path     string      `json:"path"`
	Name     string      `json:"name"`
	Kind     folder.Kind `json:"kind" jsonschema:"file, folder, link (symbolic) or device"`
	Size     int64       `json:"size" jsonschema:"in bytes; 0 for what is no file"`
	Modified time.Time   `json:"modified" jsonschema:"when it was changed last, such as 2026-11-29T08:00:00Z"`
	Write    bool        `json:"write,omitempty" jsonschema:"true for a picked folder in which files may be changed"`
}

func entryOf(path, name string, info fs.FileInfo) Entry {
	e := Entry{Path: path, Name: name, Kind: folder.KindOf(info.Mode()), Modified: info.ModTime().UTC().Truncate(time.Millisecond)}
	if e.Kind == folder.File {
		e.Size = info.Size()
	}
	return e
}
