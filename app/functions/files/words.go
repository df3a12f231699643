package files

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/faustine-ai/countersign/app/folder"
)

// What the rows of a card say: not what a program calls a thing, but what is there.

func (f *Files) writeWords(_ context.Context, in writeInput) string {
	size := len(in.Bytes)
	kind := "bytes"
	if in.Text != nil {
		size, kind = utf8.RuneCountInString(*in.Text), "characters"
	}
	there := f.there(in.Path)
	switch {
	case there == "":
		return fmt.Sprintf("%s · new, %d %s", in.Path, size, kind)
	case in.Overwrite:
		return fmt.Sprintf("%s · replaces %s by %d %s", in.Path, there, size, kind)
	default:
		return fmt.Sprintf("%s · will fail, since there is %s", in.Path, there)
	}
}

func (f *Files) moveWords(_ context.Context, in moveInput) string {
	return f.fromTo(in.From, in.To, in.Overwrite)
}

func (f *Files) copyWords(_ context.Context, in copyInput) string {
	return f.fromTo(in.From, in.To, in.Overwrite)
}

func (f *Files) fromTo(from, to string, overwrite bool) string {
	what := f.there(from)
	if what == "" {
		return from + " · not found"
	}
	words := fmt.Sprintf("%s → %s · %s", from, to, what)
	if there := f.there(to); there != "" && overwrite {
		words += ", replaces " + there
	} else if there != "" {
		words += ", will fail, since there is " + there
	}
	return words
}

func (f *Files) makeFolderWords(_ context.Context, in makeFolderInput) string {
	if there := f.there(in.Path); there != "" {
		return in.Path + " · is there already"
	}
	return in.Path + " · new"
}

func (f *Files) trashWords(_ context.Context, in trashInput) string {
	there := f.there(in.Path)
	if there == "" {
		return in.Path + " · not found"
	}
	return in.Path + " · " + there
}

// there says what a path names, "" when nothing is there or in reach.
func (f *Files) there(path string) string {
	place, err := f.folders.At(path)
	if err != nil {
		return ""
	}
	defer place.Close()
	info, err := place.Lstat()
	if err != nil {
		return ""
	}
	switch folder.KindOf(info.Mode()) {
	case folder.File:
		return "a file of " + sizeOf(info.Size())
	case folder.Sub:
		return "a folder with everything in it"
	case folder.Link:
		return "a link"
	default:
		return "no ordinary file"
	}
}

// sizeOf writes a size as people read it.
func sizeOf(bytes int64) string {
	switch {
	case bytes < 1_000:
		return fmt.Sprintf("%d bytes", bytes)
	case bytes < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	case bytes < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	default:
		return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
	}
}
