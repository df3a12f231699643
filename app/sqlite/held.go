package sqlite

import (
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
)

// SQLite locks by process: when a process closes any handle of a file, the system
// drops all locks of the process on it, also those that SQLite has through another
// handle; see https://sqlite.org/howtocorrupt.html, 2.2. Another program that reads
// the log would then take itself for the only one, and remove the WAL that is being
// written. So a database that this process has open is opened by SQLite alone.
var held struct {
	sync.Mutex
	files []*holding
}

type holding struct {
	file  fs.FileInfo
	count int
}

// hold notes that SQLite is about to open the file at path, and gives what notes
// that it has closed it.
func hold(path string) (release func(), err error) {
	held.Lock()
	defer held.Unlock()
	file, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	h := holdingOf(file)
	if h == nil {
		h = &holding{file: file}
		held.files = append(held.files, h)
	}
	h.count++
	return sync.OnceFunc(func() {
		held.Lock()
		defer held.Unlock()
		if h.count--; h.count == 0 {
			held.files = slices.DeleteFunc(held.files, func(each *holding) bool { return each == h })
		}
	}), nil
}

func holdingOf(file fs.FileInfo) *holding {
	for _, h := range held.files {
		if os.SameFile(h.file, file) {
			return h
		}
	}
	return nil
}

// startOf reads how the file at path starts, at most so many bytes. isHeld: this
// process has it open as a database, so it was not opened to be read.
func startOf(path string, most int) (start []byte, isHeld bool, err error) {
	held.Lock()
	defer held.Unlock()
	if now, err := os.Stat(path); err == nil && holdingOf(now) != nil {
		return nil, true, nil
	}
	if err := regular(path); err != nil {
		return nil, false, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	start, err = io.ReadAll(io.LimitReader(file, int64(most)))
	if closing := file.Close(); err == nil {
		err = closing
	}
	return start, false, err
}

// IsDatabase reports whether the file at path is an SQLite database, whoever has it open.
func IsDatabase(path string) (bool, error) {
	start, isHeld, err := startOf(path, len(fileFormat))
	return isHeld || string(start) == fileFormat, err
}
