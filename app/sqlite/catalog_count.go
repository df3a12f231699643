package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/faustine-ai/countersign/app"
)

// Group counts calls that are alike.
type Group struct {
	Fn      string
	Outcome Outcome
	Verdict app.Verdict
	Decider app.Decider
	Calls   int64
}

// Moment counts the calls that began within one span of time.
type Moment struct {
	At      string // the beginning of the span, as the log writes times, cut
	Outcome Outcome
	Verdict app.Verdict
	Calls   int64
}

// Wait is how long a decision took.
type Wait struct {
	Number  int64
	Fn      string
	Verdict app.Verdict
	Decider app.Decider
	Ms      int64
}

// Took is the middle of the times that the calls of a function ran: of those that
// settled, the one with as many before it as behind it, or the later of two.
type Took struct {
	Fn string
	Ms float64
}

// Groups counts what a filter chooses by function, outcome and decision.
func (c *Catalog) Groups(ctx context.Context, f Filter) (groups []Group, err error) {
	err = c.rows(ctx, f, "c.fn, c.outcome, coalesce(c.verdict, ''), coalesce(c.decider, ''), count(*)", "GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4", func(rows *sql.Rows) error {
		var g Group
		err := rows.Scan(&g.Fn, &g.Outcome, &g.Verdict, &g.Decider, &g.Calls)
		groups = append(groups, g)
		return err
	})
	return groups, err
}

// Moments counts what a filter chooses by the time at which it began, cut to so
// many characters: 10 is a day, 13 an hour, 16 a minute.
func (c *Catalog) Moments(ctx context.Context, f Filter, characters int) (moments []Moment, err error) {
	err = c.rows(ctx, f, fmt.Sprintf("substr(c.at, 1, %d), c.outcome, coalesce(c.verdict, ''), count(*)", characters), "GROUP BY 1, 2, 3 ORDER BY 1, 2, 3", func(rows *sql.Rows) error {
		var m Moment
		err := rows.Scan(&m.At, &m.Outcome, &m.Verdict, &m.Calls)
		moments = append(moments, m)
		return err
	})
	return moments, err
}

// Waits gives how long the decisions on what a filter chooses took.
func (c *Catalog) Waits(ctx context.Context, f Filter) (waits []Wait, err error) {
	err = c.rows(ctx, f, "c.number, c.fn, c.verdict, c.decider, c.waited", "AND c.verdict IS NOT NULL ORDER BY c.fn, c.waited", func(rows *sql.Rows) error {
		var w Wait
		err := rows.Scan(&w.Number, &w.Fn, &w.Verdict, &w.Decider, &w.Ms)
		waits = append(waits, w)
		return err
	})
	return waits, err
}

// Middles gives how long the calls that a filter chooses ran, by function.
func (c *Catalog) Middles(ctx context.Context, f Filter) (middles []Took, err error) {
	if f == (Filter{}) {
		return c.middles(ctx)
	}
	s, err := c.limited(ctx, f)
	if err != nil {
		return nil, err
	}
	query := s.with + `SELECT fn, ms FROM (SELECT c.fn AS fn, c.ms AS ms, row_number() OVER (PARTITION BY c.fn ORDER BY c.ms) AS place, count(*) OVER (PARTITION BY c.fn) AS n
		FROM ` + s.from + " WHERE " + s.where + " AND c.ms IS NOT NULL) WHERE place = n / 2 + 1 ORDER BY fn"
	err = c.each(ctx, query, s.args, func(rows *sql.Rows) error {
		var t Took
		err := rows.Scan(&t.Fn, &t.Ms)
		middles = append(middles, t)
		return err
	})
	return middles, err
}

// middles is Middles of all calls, by the index that has them in order.
func (c *Catalog) middles(ctx context.Context) (middles []Took, err error) {
	functions, err := names(ctx, c.db, "SELECT DISTINCT fn FROM calls WHERE ms IS NOT NULL ORDER BY fn")
	if err != nil {
		return nil, err
	}
	const settled = "FROM calls WHERE fn = ? AND ms IS NOT NULL"
	for _, fn := range functions {
		t := Took{Fn: fn}
		if err := c.db.QueryRowContext(ctx, "SELECT ms "+settled+" ORDER BY ms LIMIT 1 OFFSET (SELECT count(*) / 2 "+settled+")", fn, fn).Scan(&t.Ms); err != nil {
			return nil, fmt.Errorf("counting in the log: %w", err)
		}
		middles = append(middles, t)
	}
	return middles, nil
}

// Extent gives the times of the first and the last call that a filter chooses;
// both are empty where there is none.
func (c *Catalog) Extent(ctx context.Context, f Filter) (first, last string, runs int64, err error) {
	err = c.rows(ctx, f, "coalesce(min(c.at), ''), coalesce(max(c.at), ''), count(DISTINCT c.run_id)", "", func(rows *sql.Rows) error {
		return rows.Scan(&first, &last, &runs)
	})
	return first, last, runs, err
}

// limited is search, of the newest Limit calls where that is set.
func (c *Catalog) limited(ctx context.Context, f Filter) (search, error) {
	if f.Limit == 0 {
		return c.search(ctx, f)
	}
	numbers, err := c.Numbers(ctx, f, 0, f.Limit)
	return search{from: "json_each(?) n CROSS JOIN calls c ON c.number = n.value", where: "true", args: []any{list(numbers)}}, err
}

func (c *Catalog) rows(ctx context.Context, f Filter, columns, behind string, take func(*sql.Rows) error) error {
	s, err := c.limited(ctx, f)
	if err != nil {
		return err
	}
	return c.each(ctx, s.with+"SELECT "+columns+" FROM "+s.from+" WHERE "+s.where+" "+behind, s.args, take)
}

func (c *Catalog) each(ctx context.Context, query string, args []any, take func(*sql.Rows) error) (err error) {
	rows, err := c.db.QueryContext(ctx, query, slices.Clone(args)...)
	if err != nil {
		return fmt.Errorf("counting in the log: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := take(rows); err != nil {
			return fmt.Errorf("counting in the log: %w", err)
		}
	}
	return rows.Err()
}

// entriesOf gives the numbers of all entries of the calls that a filter chooses,
// and of those that tell of the runs of these calls, in order.
func (c *Catalog) entriesOf(ctx context.Context, f Filter) ([]int64, error) {
	chosen, err := c.Numbers(ctx, f, 0, f.Limit)
	if err != nil {
		return nil, err
	}
	return c.numbers(ctx, `WITH chosen(number, run_id, call_id) AS MATERIALIZED (SELECT c.number, c.run_id, c.call_id FROM json_each(?) n CROSS JOIN calls c ON c.number = n.value)
		SELECT x.number FROM chosen h CROSS JOIN entries x ON h.call_id <> '' AND x.run_id = h.run_id AND x.call_id = h.call_id
		UNION SELECT h.number FROM chosen h WHERE h.call_id = ''
		UNION SELECT x.number FROM (SELECT DISTINCT run_id FROM chosen WHERE run_id <> '') r CROSS JOIN entries x ON x.run_id = r.run_id AND x.call_id = '' AND x.kind LIKE 'run.%'
		ORDER BY 1`, []any{list(chosen)})
}
