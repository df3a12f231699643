package folder

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// SQLite locks a database file by its process. When a process closes any handle
// of that file, the system drops all locks of the process on it, also those that
// SQLite holds through another handle; see https://sqlite.org/howtocorrupt.html,
// 2.2. So no file is open here as a file while it is open as a database, and as a
// database once at a time.
var uses = struct {
	sync.Mutex
	byFile map[any]*use
}{byFile: map[any]*use{}}

type use struct{ files, databases int }

// patience is how long a database waits for other uses of its file to end.
const patience = 20 * time.Second

// enter begins a use of a file and gives what ends it; nil: the other use goes on.
func enter(info fs.FileInfo, asDatabase bool) func() {
	key := identity(info)
	if key == nil {
		return func() {} // a system whose locks do not work so
	}
	uses.Lock()
	defer uses.Unlock()
	u := uses.byFile[key]
	if u == nil {
		u = &use{}
		uses.byFile[key] = u
	}
	if u.databases > 0 || asDatabase && u.files > 0 {
		return nil
	}
	count := &u.files
	if asDatabase {
		count = &u.databases
	}
	*count++
	return sync.OnceFunc(func() {
		uses.Lock()
		defer uses.Unlock()
		*count--
		if u.files == 0 && u.databases == 0 {
			delete(uses.byFile, key)
		}
	})
}

// Database is a file that is held for SQLite, which opens it by its path.
type Database struct {
	Real string // absolute, without links
	info fs.FileInfo
	end  func()
}

// Close lets others open it as a file again. SQLite has closed it before.
func (d *Database) Close() { d.end() }

// Same says whether the path still leads to the file that was looked up: asked
// after SQLite has opened it, it tells that no folder was swapped meanwhile.
func (d *Database) Same() bool {
	now, err := os.Lstat(d.Real)
	return err == nil && os.SameFile(d.info, now)
}

// Real looks a file or folder up without opening it: where it is, without links,
// and what. It is for other programs, which open it by its path.
func (p *Place) Real() (string, fs.FileInfo, error) {
	info, err := p.Stat()
	if err != nil {
		return "", nil, p.Explain(err)
	}
	root, err := p.root.Open(".")
	if err != nil {
		return "", nil, p.Explain(err)
	}
	base, err := realPath(root, p.root.Name())
	_ = root.Close() // it was only looked at
	if err != nil {
		return "", nil, p.Explain(err)
	}
	real, err := filepath.EvalSymlinks(filepath.Join(base, p.inside))
	if err != nil {
		return "", nil, p.Explain(err)
	}
	if p.all.bars(real) {
		return "", nil, p.barred()
	}
	if now, err := os.Lstat(real); err != nil || !os.SameFile(info, now) || !Within(base, real) {
		return "", nil, app.Errorf(app.FunctionFailed, "%s changed its place while it was being looked up; try again", clip(p.Path))
	}
	return real, info, nil
}

// Database looks a database file up without opening it, and holds it.
func (p *Place) Database(ctx context.Context) (*Database, error) {
	real, info, err := p.Real()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, p.Explain(&notAFile{KindOf(info.Mode())})
	}
	d := &Database{Real: real, info: info}
	for deadline := time.Now().Add(patience); ; {
		if d.end = enter(info, true); d.end != nil {
			return d, nil
		}
		if time.Now().After(deadline) {
			return nil, app.Errorf(app.FunctionFailed, "%s is in use by another call; try again when that has ended", clip(p.Path))
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}
