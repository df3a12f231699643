package conversations

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/mattn/go-sqlite3"

	"github.com/faustine-ai/countersign/app"
)

// NotKept is the code of an answer while the file cannot be written or read for
// now, as on a full disk. The message says why and what to do.
const NotKept app.Code = "ConversationsNotKept"

// trouble is what the file was last in, so that our own log has it once and not
// with every word that is said.
type trouble struct {
	mu   sync.Mutex
	last string
}

func (t *trouble) changed(to string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	changed := t.last != to
	t.last = to
	return changed
}

// told is an error of an operation as the person may read it.
func (s *Store) told(name string, err error) error {
	var known *app.Error
	var said sqlite3.Error
	switch {
	case err == nil || errors.As(err, &known) && known.Code != app.Internal:
		s.trouble.changed("")
		return err
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return &app.Error{Code: app.Cancelled, Cause: err, Message: "cancelled before it was done"}
	case !errors.As(err, &said):
		return err
	}
	why := ""
	switch said.Code {
	case sqlite3.ErrFull:
		why = "the disk is full; free some space"
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		why = "another program has kept the file locked for more than 5 seconds; close it"
	case sqlite3.ErrReadonly, sqlite3.ErrPerm, sqlite3.ErrCantOpen:
		why = "the file or its folder cannot be written (" + said.Error() + "); check their permissions"
	case sqlite3.ErrIoErr:
		why = "reading or writing failed (" + said.Error() + "); check the disk and its free space"
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB:
		why = "the file is damaged (" + said.Error() + "); move it away and start the app again"
	default:
		return err
	}
	if s.trouble.changed(why) {
		slog.Error("conversations are not kept", "operation", name, "file", s.path, "error", err)
	}
	return &app.Error{Code: NotKept, Cause: err, Message: fmt.Sprintf("conversations are not kept for now, in %s: %s. It is tried again with the next change", s.path, why)}
}
