package files

import (
	"context"
	"errors"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
)

const (
	usualEntries = 1_000
	maxEntries   = 10_000
)

type listInput struct {
	Path      string `json:"path,omitempty" jsonschema:"a folder, such as Downloads or Downloads/2026; left out: the picked folders themselves"`
	Recursive bool   `json:"recursive,omitempty" jsonschema:"also what is in the folders inside"`
	Glob      string `json:"glob,omitempty" jsonschema:"only what matches, below path: *.pdf, **/*.{jpg,png}, 2026/**. A glob with / or ** looks into the folders inside too"`
	After     string `json:"after,omitempty" jsonschema:"only what comes after this path; to go on where more was true"`
	Limit     *int   `json:"limit,omitempty" jsonschema:"1 to 10000 entries, 1000 when left out"`
}

type listOutput struct {
	Entries []Entry  `json:"entries"`
	More    bool     `json:"more" jsonschema:"there is more: call again with after set to the path of the last entry"`
	Unread  []string `json:"unread,omitempty" jsonschema:"what could not be looked into: folders that the system does not open, names that are no text"`
}

func (f *Files) list(ctx context.Context, in listInput) (listOutput, error) {
	limit, err := limitOf(in.Limit, usualEntries, maxEntries)
	if err != nil {
		return listOutput{}, err
	}
	if in.Glob != "" && !doublestar.ValidatePattern(in.Glob) {
		return listOutput{}, app.Errorf(app.InvalidInput, "input.glob: %q is no pattern; expected one such as **/*.pdf", in.Glob)
	}
	if in.Path == "" {
		if in.Glob != "" || in.Recursive || in.After != "" {
			return listOutput{}, app.Errorf(app.InvalidInput, "input.path: required with recursive, glob or after; expected the name of a picked folder, such as Downloads")
		}
		return f.picked()
	}
	place, err := f.folders.At(in.Path)
	if err != nil {
		return listOutput{}, err
	}
	defer place.Close()
	dir, err := place.Dir()
	if err != nil {
		return listOutput{}, err
	}
	defer dir.Close()
	after, err := below(place.Path, in.After)
	if err != nil {
		return listOutput{}, err
	}
	out := listOutput{Entries: []Entry{}}
	w := &walker{ctx: ctx, recursive: in.Recursive || strings.Contains(in.Glob, "/") || strings.Contains(in.Glob, "**")}
	w.into = func(at string) bool {
		return after == "" || comparePaths(at, after) >= 0 || strings.HasPrefix(after, at+"/")
	}
	w.visit = func(found found) error {
		if after != "" && comparePaths(found.at, after) <= 0 || in.Glob != "" && !doublestar.MatchUnvalidated(in.Glob, found.at) {
			return nil
		}
		if len(out.Entries) == limit {
			out.More = true
			return errStop
		}
		out.Entries = append(out.Entries, entryOf(place.Path+"/"+found.at, found.name, found.info))
		return nil
	}
	if err := over(w.walk(dir, "", 0)); err != nil {
		return listOutput{}, stopped(ctx, place, err)
	}
	out.More = out.More || w.cut
	out.Unread = unread(place, w)
	return out, nil
}

// picked lists the picked folders themselves.
func (f *Files) picked() (listOutput, error) {
	all, err := f.folders.All()
	if err != nil {
		return listOutput{}, err
	}
	out := listOutput{Entries: []Entry{}}
	for _, picked := range all {
		e := Entry{Path: picked.Name, Name: picked.Name, Kind: folder.Sub, Write: picked.Write}
		place, err := f.folders.At(picked.Name)
		if err == nil {
			if info, err := place.Stat(); err == nil {
				e.Modified = entryOf("", "", info).Modified
			}
			_ = place.Close() // it was only looked at
		} else {
			out.Unread = append(out.Unread, picked.Name)
		}
		out.Entries = append(out.Entries, e)
	}
	return out, nil
}

// below takes the beginning off a path that continues an earlier answer.
func below(folder, path string) (string, error) {
	if path == "" {
		return "", nil
	}
	rest, ok := strings.CutPrefix(path, folder+"/")
	if !ok {
		return "", app.Errorf(app.InvalidInput, "input.after: expected a path below %s, got %q", folder, path)
	}
	return rest, nil
}

const maxUnread = 20

func unread(place *folder.Place, w *walker) []string {
	var paths []string
	for _, at := range w.unread[:min(len(w.unread), maxUnread)] {
		paths = append(paths, place.Path+"/"+at)
	}
	return paths
}

// stopped is the error of a walk: the caller's end stays what it is.
func stopped(ctx context.Context, place *folder.Place, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	return place.Explain(err)
}
