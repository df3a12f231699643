package sqlite

import (
	"context"
	"errors"
	"fmt"
)

// Functions are the names of the functions that the log has calls of, sorted.
func (r *Reader) Functions(ctx context.Context) ([]string, error) {
	// One step per name along the index, rather than one per entry.
	return r.names(ctx, `WITH RECURSIVE names(fn) AS (SELECT min(fn) FROM entries WHERE fn > ''
		UNION ALL SELECT (SELECT min(fn) FROM entries WHERE fn > names.fn) FROM names WHERE fn IS NOT NULL)
		SELECT fn FROM names WHERE fn IS NOT NULL`)
}

// NewestRuns are the ids of the newest runs, the newest first.
func (r *Reader) NewestRuns(ctx context.Context, n int) ([]string, error) {
	return r.names(ctx, "SELECT run_id FROM entries WHERE kind = 'run.began' ORDER BY number DESC LIMIT ?", n)
}

// Models are the names of the models whose programs ran, sorted.
func (r *Reader) Models(ctx context.Context) ([]string, error) {
	return r.names(ctx, "SELECT DISTINCT body ->> '$.model' AS model FROM entries WHERE kind = 'run.began' AND model <> '' ORDER BY 1")
}

func (r *Reader) names(ctx context.Context, query string, args ...any) ([]string, error) {
	return names(ctx, r.db, query, args...)
}

func names(ctx context.Context, db querier, query string, args ...any) (names []string, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("reading the log: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("reading the log: %w", err)
		}
		names = append(names, name)
	}
	return names, rows.Err()
}
