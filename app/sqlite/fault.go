package sqlite

import (
	"errors"
	"fmt"

	"github.com/mattn/go-sqlite3"

	"github.com/faustine-ai/countersign/app"
)

// What can be wrong with a log, for errors.Is. The errors themselves are
// *app.Error with code LogUnavailable and say what to do.
var (
	ErrInUse     = errors.New("the log is in use by another instance")
	ErrEmpty     = errors.New("the file is empty")
	ErrForeign   = errors.New("the file is no log of Countersign")
	ErrNewer     = errors.New("the log was written by a newer version")
	ErrGone      = errors.New("the log is gone")
	ErrDamaged   = errors.New("the log is damaged")
	ErrTailCut   = errors.New("the end of the log was cut off")
	ErrRewritten = errors.New("the log was rewritten")
	ErrClosed    = errors.New("the log is closed")

	// ErrNoCatalog: the list of the log's calls cannot be kept where it should be, as
	// on a full disk. The log can be read all the same, with a temporary one.
	ErrNoCatalog = errors.New("the list of calls cannot be written")
)

// fault makes the error for a finding. The text ends with what to do.
func fault(kind error, format string, args ...any) error {
	return &app.Error{Code: app.LogUnavailable, Cause: kind, Message: fmt.Sprintf(format, args...)}
}

// unavailable wraps what the database or the system said.
func unavailable(path string, err error) error {
	var known *app.Error
	if errors.As(err, &known) {
		return err
	}
	text := err.Error()
	var s sqlite3.Error
	if errors.As(err, &s) {
		switch s.Code {
		case sqlite3.ErrBusy, sqlite3.ErrLocked:
			text = "another program has kept the file locked for more than 5 seconds; close it and try again"
		case sqlite3.ErrFull:
			text = "the disk is full; free some space"
		case sqlite3.ErrReadonly, sqlite3.ErrPerm, sqlite3.ErrCantOpen:
			text = "the file or its folder cannot be written (" + s.Error() + "); check their permissions"
		case sqlite3.ErrCorrupt, sqlite3.ErrNotADB:
			return damaged(path, err)
		case sqlite3.ErrIoErr:
			text = "reading or writing failed (" + s.Error() + "); check the disk"
		}
	}
	return &app.Error{Code: app.LogUnavailable, Cause: err, Message: fmt.Sprintf("the log %s cannot be written: %s", path, text)}
}

// unreadable wraps what the database or the system said of a log that is only read.
func unreadable(path string, err error) error {
	var known *app.Error
	if errors.As(err, &known) {
		return err
	}
	var s sqlite3.Error
	if errors.As(err, &s) && (s.Code == sqlite3.ErrCorrupt || s.Code == sqlite3.ErrNotADB) {
		return damaged(path, err)
	}
	return &app.Error{Code: app.LogUnavailable, Cause: err, Message: fmt.Sprintf("the log %s cannot be read: %v", path, err)}
}

// damaged is that a file is not what SQLite wrote.
func damaged(path string, err error) error {
	return &app.Error{Code: app.LogUnavailable, Cause: errors.Join(ErrDamaged, err),
		Message: fmt.Sprintf("the log %s is damaged (%v); it is left as it is: restore a copy, or move it aside together with its anchor", path, err)}
}
