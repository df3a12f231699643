package files

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
)

// maxCopied bounds how many files and folders one call copies: a person has
// approved it by the name of the topmost.
const maxCopied = 10_000

type copyInput struct {
	From      string `json:"from" jsonschema:"such as Downloads/letter.txt"`
	To        string `json:"to" jsonschema:"the path of the copy, name included: Documents/letter (copy).txt"`
	Overwrite bool   `json:"overwrite,omitempty" jsonschema:"replace a file that exists"`
}

type copyOutput struct {
	To      string `json:"to"`
	Files   int    `json:"files"`
	Size    int64  `json:"size" jsonschema:"of all files, in bytes"`
	Skipped int    `json:"skipped" jsonschema:"symbolic links, and what is neither file nor folder"`
}

func (f *Files) copy(ctx context.Context, in copyInput) (copyOutput, error) {
	source, err := f.folders.At(in.From)
	if err != nil {
		return copyOutput{}, err
	}
	defer source.Close()
	info, err := source.Stat()
	if err != nil {
		return copyOutput{}, source.Explain(err)
	}
	target, dir, name, err := f.target(in.To)
	if err != nil {
		return copyOutput{}, err
	}
	defer target.Close()
	defer dir.Close()
	c := &copying{ctx: ctx, out: copyOutput{To: target.Path}}
	if info.IsDir() {
		err = c.folder(source, dir, name)
	} else {
		err = c.file(source, dir, name, in.Overwrite)
	}
	if err != nil {
		return copyOutput{}, stopped(ctx, target, c.taken(target, err))
	}
	return c.out, nil
}

type copying struct {
	ctx context.Context
	out copyOutput
}

func (c *copying) taken(target *folder.Place, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return taken(target, err)
	}
	return err
}

func (c *copying) file(source *folder.Place, to *folder.Dir, name string, overwrite bool) error {
	file, err := source.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	c.out.Files = 1
	c.out.Size, err = put(c.ctx, to, name, file, info.Mode().Perm(), overwrite)
	return err
}

// folder copies into a draft beside the copy's place, so that a copy that was
// stopped half-way leaves nothing.
func (c *copying) folder(source *folder.Place, to *folder.Dir, name string) (err error) {
	if _, err := to.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, &fs.PathError{Op: "copy", Path: name, Err: fs.ErrExist})
	}
	from, err := source.Dir()
	if err != nil {
		return err
	}
	defer from.Close()
	if folder.Within(from.Real, to.Real) {
		return app.Errorf(app.FunctionFailed, "%s cannot be copied into itself", source.Path)
	}
	draft := unfinished + rand.Text()
	if err := to.Mkdir(draft, 0o777); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, to.RemoveAll(draft))
		}
	}()
	into, err := to.Sub(draft)
	if err != nil {
		return err
	}
	defer into.Close()
	w := &walker{ctx: c.ctx, recursive: true, visit: func(found found) error { return c.one(found, into) }}
	if err := w.walk(from, "", 0); err != nil {
		return err
	}
	if w.cut || len(w.unread) > 0 {
		return app.Errorf(app.FunctionFailed, "%s holds something that cannot be read, or lies too deep; nothing was copied", source.Path)
	}
	return settle(to, draft, name, false)
}

// one copies what the walk has found; a folder comes before what is in it.
func (c *copying) one(found found, into *folder.Dir) error {
	if c.out.Files++; c.out.Files > maxCopied {
		return app.Errorf(app.FunctionFailed, "there are more than %d files and folders in it; copy smaller parts. Nothing was copied", maxCopied)
	}
	at := localized(found.at)
	switch folder.KindOf(found.info.Mode()) {
	case folder.Sub:
		c.out.Files--
		return into.Mkdir(at, found.info.Mode().Perm()|0o700)
	case folder.File:
		return c.copyFile(found, into, at)
	default:
		c.out.Files--
		c.out.Skipped++
		return nil
	}
}
