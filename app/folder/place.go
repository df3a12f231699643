package folder

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/faustine-ai/countersign/app"
)

// Place is what a path names, whether or not it exists. Close it.
type Place struct {
	Folder Folder
	Path   string // as the program names it, without a slash at the end
	inside string // relative to the root, in the system's form
	root   *os.Root
	all    *Folders
}

// At looks a path up. Its error says what is wrong with the path or the folder.
func (f *Folders) At(given string) (*Place, error) {
	name, inside, err := parse(given)
	if err != nil {
		return nil, err
	}
	picked, err := f.find(name)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(picked.Path)
	if err != nil {
		return nil, &app.Error{Code: app.FunctionFailed, Cause: err, Message: "the folder " + picked.Name +
			" cannot be opened: " + reason(err) + "; ask the person to look at it in Settings, under Folders"}
	}
	p := &Place{Folder: picked, Path: strings.TrimSuffix(given, "/"), inside: inside, root: root, all: f}
	return p, nil
}

// ForChange is At for what will be changed: the person must allow it.
func (f *Folders) ForChange(given string) (*Place, error) {
	p, err := f.At(given)
	if err != nil {
		return nil, err
	}
	if !p.Folder.Write {
		return nil, closing(p, app.Errorf(app.FunctionFailed, "the folder %s is picked for reading only; ask the person to allow changes in Settings, under Folders", p.Folder.Name))
	}
	return p, nil
}

// Close gives the folder back.
func (p *Place) Close() error { return p.root.Close() }

func closing(p *Place, err error) error {
	_ = p.Close() // nothing was written through it
	return err
}

// IsFolder says that the path is a picked folder itself.
func (p *Place) IsFolder() bool { return p.inside == "." }

// Name is the last part of the path.
func (p *Place) Name() string { return path.Base(p.Path) }

// Stat describes what is there, following links that stay inside.
func (p *Place) Stat() (fs.FileInfo, error) { return p.root.Stat(p.inside) }

// Lstat describes what is there; a link is a link.
func (p *Place) Lstat() (fs.FileInfo, error) { return p.root.Lstat(p.inside) }

// Content is an ordinary file that is open for reading.
type Content struct {
	*os.File
	end func()
}

// Close closes the file.
func (c *Content) Close() error {
	err := c.File.Close()
	c.end()
	return err
}

// Open opens an ordinary file for reading.
func (p *Place) Open() (*Content, error) {
	file, err := openFile(p.root, p.inside)
	if err != nil {
		return nil, p.Explain(err)
	}
	real, err := realPath(file.File, filepath.Join(p.root.Name(), p.inside))
	if err == nil && p.all.bars(real) {
		err = p.barred()
	}
	if err != nil {
		_ = file.Close() // it was only read
		return nil, err
	}
	return file, nil
}

// Dir is an open folder inside a picked one, or that one itself. Its root cannot
// be left, so names in it are safe whatever happens to the path above.
type Dir struct {
	*os.Root
	Real string // where it was when it was opened, absolute and without links
	all  *Folders
}

// Dir opens the folder that the path names.
func (p *Place) Dir() (*Dir, error) {
	info, err := p.Stat()
	if err != nil {
		return nil, p.Explain(err)
	}
	if !info.IsDir() {
		return nil, app.Errorf(app.FunctionFailed, "%s is %s; expected a folder", clip(p.Path), KindOf(info.Mode()).article())
	}
	d, err := openDir(p.root, p.inside, p.all)
	if err != nil {
		return nil, p.Explain(err)
	}
	return d, nil
}

// Parent opens the folder above, for what is done to a name in it. What is in
// reach of nobody, or is a picked folder itself, is refused. With whole, so is
// what holds something out of reach, since it is taken with all that is in it.
func (p *Place) Parent(whole bool) (*Dir, string, error) {
	if p.IsFolder() {
		return nil, "", errItself(p.Path)
	}
	d, err := openDir(p.root, filepath.Dir(p.inside), p.all)
	if err != nil {
		return nil, "", p.Explain(err)
	}
	name := filepath.Base(p.inside)
	if at := filepath.Join(d.Real, name); p.all.bars(at) || whole && p.all.holds(at) {
		_ = d.Close() // nothing was done in it
		return nil, "", p.barred()
	}
	return d, name, nil
}

// Open opens an ordinary file of the folder for reading.
func (d *Dir) Open(name string) (*Content, error) { return openFile(d.Root, name) }

// Sub opens a folder in this one.
func (d *Dir) Sub(name string) (*Dir, error) { return openDir(d.Root, name, d.all) }

func openDir(root *os.Root, inside string, all *Folders) (*Dir, error) {
	opened, err := root.OpenRoot(inside)
	if err != nil {
		return nil, err
	}
	handle, err := opened.Open(".")
	if err != nil {
		_ = opened.Close() // it was only opened
		return nil, err
	}
	real, err := realPath(handle, filepath.Join(root.Name(), inside))
	_ = handle.Close() // it was only looked at
	if err == nil && all.bars(real) {
		err = errBarred
	}
	if err != nil {
		_ = opened.Close() // it was only opened
		return nil, err
	}
	return &Dir{Root: opened, Real: real, all: all}, nil
}

// openFile opens what is an ordinary file, before and after it is opened. Without
// waiting: opening a pipe would otherwise last until somebody writes to it.
func openFile(root *os.Root, name string) (content *Content, err error) {
	for range 10 { // a file that is written again and again
		if content, err = openOnce(root, name); !errors.Is(err, errSwapped) {
			break
		}
	}
	return content, err
}

func openOnce(root *os.Root, name string) (*Content, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &notAFile{KindOf(info.Mode())}
	}
	end := enter(info, false)
	if end == nil {
		return nil, errDatabase
	}
	file, err := root.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		end()
		return nil, err
	}
	content := &Content{file, end}
	opened, err := file.Stat()
	if err == nil && !os.SameFile(info, opened) {
		err = errSwapped
	}
	if err != nil {
		_ = content.Close() // it was only opened
		return nil, err
	}
	return content, nil
}

var (
	errDatabase = errors.New("it is in use as a database by another call; try again when that has ended")
	errSwapped  = errors.New("it was replaced while it was being opened; try again")
)

// MakeFolder makes the folder that the path names and those above it.
func (p *Place) MakeFolder() error {
	// Nothing is made in what is out of reach; the nearest folder above tells.
	for above := filepath.Dir(p.inside); ; above = filepath.Dir(above) {
		d, err := openDir(p.root, above, p.all)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return p.Explain(err)
		}
		if err != nil {
			continue
		}
		rest, err := filepath.Rel(above, p.inside)
		if err == nil && p.all.bars(filepath.Join(d.Real, rest)) {
			err = errBarred
		}
		if err == nil {
			err = d.MkdirAll(rest, 0o777)
		}
		return p.Explain(errors.Join(err, d.Close()))
	}
}

// MakeFile makes an empty file where nothing is, and gives what takes it away again
// as long as it is empty. One that exists is left, and undo does nothing.
func (p *Place) MakeFile() (undo func(), err error) {
	d, name, err := p.Parent(false)
	if err != nil {
		return nil, err
	}
	defer d.Close() // only a name was made in it
	file, err := d.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return func() {}, nil
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return nil, p.Explain(err)
	}
	return func() {
		if info, err := p.root.Lstat(p.inside); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
			_ = p.root.Remove(p.inside) // an empty file that stays is no harm
		}
	}, nil
}
