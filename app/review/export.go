package review

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// Format is the form of an export.
type Format string

// Formats of an export: what verifies, and two for reading.
const (
	Lines      Format = "jsonl"   // entries as they were hashed, signed
	CallsTable Format = "csv"     // one row per call
	EntryTable Format = "entries" // one row per entry, with the hashes of the chain
)

// Exported is what an export came to.
type Exported struct {
	Path    string `json:"path"` // "": the person chose no place
	Calls   int64  `json:"calls"`
	Entries int64  `json:"entries"` // 0 for a table of calls
	Bytes   int64  `json:"bytes"`
	Signed  bool   `json:"signed"`
}

// Write writes exactly what a filter chooses in a format, and counts it.
func Write(ctx context.Context, c *sqlite.Catalog, f sqlite.Filter, format Format, w io.Writer) (out Exported, err error) {
	if out.Calls, _, err = c.Survey(ctx, f, 1000); err != nil {
		return out, err
	}
	switch format {
	case CallsTable:
		table, err := NewCallsCSV(w)
		if err != nil {
			return out, err
		}
		err = c.EachCall(ctx, f, func(found sqlite.Call) error {
			call, err := NewCall(found)
			if err != nil {
				return err
			}
			return table.Add(call)
		})
		if err != nil {
			return out, err
		}
		return out, table.End()
	case Lines, EntryTable:
		writer := JSONLines(w)
		if format == EntryTable {
			writer = EntriesCSV(w)
		} else {
			out.Signed = c.Log().Signs()
		}
		lines := int64(0)
		err := c.Export(ctx, f, func(line []byte) error {
			lines++
			return writer.Line(line)
		})
		if err != nil {
			return out, err
		}
		out.Entries = lines - 2 // without head and end
		return out, writer.End()
	}
	return out, app.Errorf(app.BadRequest, "there is no format %.20q; expected jsonl, csv or entries", format)
}

// export asks for a place and writes there.
func (r *Review) export(ctx context.Context, s *source, f sqlite.Filter, format Format) (Exported, error) {
	if r.config.Dialogs == nil {
		return Exported{}, app.Errorf(app.BadRequest, "files cannot be chosen here")
	}
	ending, ok := map[Format]string{Lines: "jsonl", CallsTable: "csv", EntryTable: "entries.csv"}[format]
	if !ok {
		return Exported{}, app.Errorf(app.BadRequest, "there is no format %.20q; expected jsonl, csv or entries", format)
	}
	path, err := r.config.Dialogs.SaveFile(ctx, "Export what is listed", fmt.Sprintf("countersign-log-%s.%s", time.Now().Format(time.DateOnly), ending))
	if err != nil || path == "" {
		return Exported{}, err
	}
	for _, source := range r.paths() {
		if same(path, source) {
			return Exported{}, app.Errorf(app.BadRequest, "%s is a log that is open here; choose another file", path)
		}
	}
	out, err := writeWhole(path, func(w io.Writer) (Exported, error) { return Write(ctx, s.catalog, f, format, w) })
	if err != nil {
		return out, app.Errorf(app.BadRequest, "%s could not be written, and nothing is there now that was not before: %v", path, err)
	}
	return out, nil
}

// paths are the files that are open.
func (r *Review) paths() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	paths := []string{r.config.Path}
	for _, s := range r.sources {
		paths = append(paths, s.catalog.Log().Path())
	}
	return paths
}

// writeWhole writes a 0600 file that is there whole or not at all: nobody shall
// take half of a log for all of it.
func writeWhole(path string, write func(io.Writer) (Exported, error)) (out Exported, err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-*")
	if err != nil {
		return out, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	buffered := bufio.NewWriterSize(file, 1<<16)
	if out, err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = file.Sync()
	}
	info, e := file.Stat()
	if err = errors.Join(err, e, file.Close()); err != nil {
		return out, err
	}
	out.Path, out.Bytes = path, info.Size()
	return out, os.Rename(file.Name(), path)
}
