package database

import (
	"context"
	"errors"
	"fmt"

	"github.com/mattn/go-sqlite3"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
)

// failed words the error of a statement. ctx is the caller's, timed ours.
func (c *connection) failed(ctx, timed context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case timed.Err() != nil:
		given := queryTime
		if c.guard.change {
			given = executeTime
		}
		return app.Errorf(app.FunctionFailed, "the SQL was stopped after %v, and nothing was changed; narrow it", given)
	}
	var sqlite sqlite3.Error
	if errors.As(err, &sqlite) && (sqlite.Code == sqlite3.ErrAuth || c.guard.denied != "") {
		what := c.guard.denied
		if what == "" {
			what = "this"
		}
		if c.guard.change {
			return app.Errorf(app.FunctionFailed, "database.execute does not do %s; nothing was changed", what)
		}
		return app.Errorf(app.FunctionFailed, "database.query only reads, and does not do %s; database.execute, which needs approval, changes a database", what)
	}
	return explained(err)
}

// explain words an error of opening.
func explain(place *folder.Place, err error) error {
	var sqlite sqlite3.Error
	if errors.As(err, &sqlite) {
		return &app.Error{Code: app.FunctionFailed, Cause: err, Message: place.Path + ": " + reason(sqlite)}
	}
	return err
}

func explained(err error) error {
	var sqlite sqlite3.Error
	if errors.As(err, &sqlite) {
		return &app.Error{Code: app.FunctionFailed, Cause: err, Message: reason(sqlite)}
	}
	return err
}

func reason(err sqlite3.Error) string {
	switch err.Code {
	case sqlite3.ErrNotADB:
		return "it is no SQLite database"
	case sqlite3.ErrCorrupt:
		return "the database is damaged: " + err.Error()
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return "another program is changing the database; try again later"
	case sqlite3.ErrReadonly:
		if err.ExtendedCode == sqlite3.ErrReadonlyRecovery || err.ExtendedCode == sqlite3.ErrReadonlyRollback || err.ExtendedCode == sqlite3.ErrReadonlyCantLock {
			return "another program was stopped while it changed the database, which must be opened for writing once to be put in order"
		}
		return "the file, or its folder, cannot be written to"
	case sqlite3.ErrFull:
		return "the disk is full; nothing was changed"
	case sqlite3.ErrTooBig:
		return "a value or the SQL is too large"
	case sqlite3.ErrCantOpen:
		return "the file, or a journal beside it, cannot be opened"
	}
	return fmt.Sprintf("SQLite says: %.300s", err.Error())
}
