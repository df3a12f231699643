package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/mattn/go-sqlite3"
)

// ErrIndex says that the search index is damaged. The entries may be intact.
var ErrIndex = errors.New("the search index of the log is damaged")

// searchFault says of an index that SQLite finds damaged what to do about it.
func searchFault(err error) error {
	var s sqlite3.Error
	if !errors.As(err, &s) || s.Code != sqlite3.ErrCorrupt {
		return err
	}
	return fault(errors.Join(ErrIndex, err), "the search index of the log is damaged, so --text finds nothing; the entries are kept apart from it, and “countersign log verify” checks them: close the app and run “countersign log reindex”, which makes the index anew from the entries")
}

// Reindex makes the search index anew from the entries. They are not changed.
func (l *Log) Reindex(ctx context.Context) error {
	return <-l.send(request{task: func() error {
		if err := l.ready(ctx); err != nil {
			return unavailable(l.path, err)
		}
		if !l.searching {
			return errors.New("this build has no search index (it was built without sqlite_fts5)")
		}
		if err := l.dropSearch(ctx); err != nil {
			return unavailable(l.path, fmt.Errorf("removing the search index: %w", err))
		}
		if _, err := l.db.ExecContext(ctx, createSearch); err != nil {
			return unavailable(l.path, fmt.Errorf("making the search index: %w", err))
		}
		if _, err := l.db.ExecContext(ctx, indexEntries, 0); err != nil {
			return unavailable(l.path, fmt.Errorf("filling the search index: %w", err))
		}
		l.indexed = l.head.Number
		return nil
	}})
}

func (l *Log) dropSearch(ctx context.Context) error {
	_, err := l.db.ExecContext(ctx, "DROP TABLE IF EXISTS search")
	return err
}
