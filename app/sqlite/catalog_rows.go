package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/faustine-ai/countersign/app"
)

// Row is a call in short: what the catalog has of it, and the beginnings of what
// was said and passed.
type Row struct {
	Number        int64
	RunID, CallID string
	Seq           int
	Fn, Model, At string // At as the log has it
	Verdict       app.Verdict
	Decider       app.Decider
	WaitedMs      *int64 // nil: it was not decided
	Ms            *float64
	Failure       string // name of its error, or code of its refusal
	Outcome       Outcome
	Noted         bool // a person has noted what became of it
	RunEnded      bool
	// The beginnings, of at most as many characters as were asked for: the input as
	// canonical JSON, the request of its run, why it was rejected, its error.
	Input, Request, Reason, Message string
}

// Rows gives calls by their numbers, in that order, with so many characters of
// what belongs to them.
func (c *Catalog) Rows(ctx context.Context, numbers []int64, characters int) (out []Row, err error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	head := func(expression string) string {
		return fmt.Sprintf("coalesce(substr(%s, 1, %d), '')", expression, characters)
	}
	query := `SELECT c.number, c.run_id, c.call_id, c.seq, c.fn, c.model, c.at, coalesce(c.verdict, ''), coalesce(c.decider, ''), c.waited, c.ms,
		coalesce(c.failure, ''), c.outcome, c.noted IS NOT NULL, coalesce(r.ended IS NOT NULL, 1), ` +
		head("(SELECT coalesce(q.body -> '$.input', q.body ->> '$.text') FROM entries q WHERE q.number = coalesce(c.requested, c.started, c.refused))") + ", " +
		head("(SELECT q.body ->> '$.request' FROM entries q WHERE q.number = r.number)") + ", " +
		head("(SELECT q.body ->> '$.reason' FROM entries q WHERE q.number = c.decided)") + ", " +
		head("(SELECT coalesce(q.body ->> '$.error.message', q.body ->> '$.message') FROM entries q WHERE q.number = coalesce(c.settled, c.refused))") + `
		FROM json_each(?) n CROSS JOIN calls c ON c.number = n.value LEFT JOIN runs r ON r.run_id = c.run_id ORDER BY n.key`
	rows, err := c.db.QueryContext(ctx, query, list(numbers))
	if err != nil {
		return nil, fmt.Errorf("reading the log: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r Row
		if err := rows.Scan(&r.Number, &r.RunID, &r.CallID, &r.Seq, &r.Fn, &r.Model, &r.At, &r.Verdict, &r.Decider, &r.WaitedMs, &r.Ms,
			&r.Failure, &r.Outcome, &r.Noted, &r.RunEnded, &r.Input, &r.Request, &r.Reason, &r.Message); err != nil {
			return nil, fmt.Errorf("reading the log: %w", err)
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

func list(numbers []int64) string {
	if len(numbers) == 0 {
		return "[]"
	}
	var b strings.Builder
	for i, n := range numbers {
		b.WriteByte("[,"[min(i, 1)])
		b.WriteString(strconv.FormatInt(n, 10))
	}
	return b.String() + "]"
}

// Whole gives calls by their numbers, in that order, with all that the log has
// about them.
func (c *Catalog) Whole(ctx context.Context, numbers []int64) (out []Call, err error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	var call Call
	err = scanWith(ctx, c.db, "SELECT x.number, x.at, x.kind, x.run_id, x.call_id, x.seq, x.fn, x.body, x.previous, x.hash, c.number, c.over IS NOT NULL FROM json_each(?) n CROSS JOIN calls c ON c.number = n.value"+
		` CROSS JOIN entries x ON x.number IN (c.requested, c.decided, c.started, c.settled, c.refused, c.noted) ORDER BY n.key, x.number`, []any{list(numbers)}, func(e app.Entry, with []int64) error {
		if number := with[0]; call.Number != number {
			if call.Number != 0 {
				out = append(out, call)
			}
			call = Call{Number: number, RunID: e.RunID, CallID: e.CallID, Fn: e.Fn, Seq: e.Seq}
		}
		call.add(&e)
		call.RunEnded = with[1] != 0
		return nil
	})
	if call.Number != 0 {
		out = append(out, call)
	}
	return out, err
}

// wholePage is how many whole calls are read at once.
const wholePage = 200

// EachCall goes through the calls that a filter chooses, oldest first, with all
// that the log has about them; of the newest Limit, if that is set.
func (c *Catalog) EachCall(ctx context.Context, f Filter, yield func(Call) error) error {
	numbers, err := c.Numbers(ctx, f, 0, f.Limit)
	if err != nil {
		return err
	}
	for end := len(numbers); end > 0; end -= min(end, wholePage) {
		page := numbers[max(0, end-wholePage):end]
		oldestFirst := make([]int64, len(page))
		for i, n := range page {
			oldestFirst[len(page)-1-i] = n
		}
		calls, err := c.Whole(ctx, oldestFirst)
		if err != nil {
			return err
		}
		for _, call := range calls {
			if err := yield(call); err != nil {
				return err
			}
		}
	}
	return nil
}

// OpenEnds are what is left open in the log.
type OpenEnds struct {
	Runs    []OpenRun // that have not ended, the newest first
	Unknown []int64   // numbers of calls of ended runs of which nobody knows how they ended, and nobody has noted it
	Noted   []int64   // the same, noted
}

// OpenRun is a run that has not ended.
type OpenRun struct {
	RunID     string
	Number    int64
	At        string
	Model     string
	Suspended bool // its card was open when the page or the app went
	Waiting   int64
}

// maxOpen bounds each list of what is open.
const maxOpen = 500

// OpenEnds lists what is left open, at most 500 of each.
func (c *Catalog) OpenEnds(ctx context.Context) (open OpenEnds, err error) {
	rows, err := c.db.QueryContext(ctx, `SELECT run_id, number, at, model, suspended IS NOT NULL,
		(SELECT count(*) FROM calls WHERE calls.run_id = runs.run_id AND outcome = 'waiting') FROM runs WHERE ended IS NULL ORDER BY number DESC LIMIT ?`, maxOpen)
	if err != nil {
		return open, fmt.Errorf("reading the log: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r OpenRun
		if err := rows.Scan(&r.RunID, &r.Number, &r.At, &r.Model, &r.Suspended, &r.Waiting); err != nil {
			return open, err
		}
		open.Runs = append(open.Runs, r)
	}
	if err := rows.Err(); err != nil {
		return open, err
	}
	for _, each := range []struct {
		into *[]int64
		is   string
	}{{&open.Unknown, "IS NULL"}, {&open.Noted, "IS NOT NULL"}} {
		*each.into, err = c.numbers(ctx, "SELECT c.number FROM calls c JOIN runs r ON r.run_id = c.run_id WHERE c.outcome = 'unknown' AND r.ended IS NOT NULL AND c.noted "+each.is+" ORDER BY c.number DESC LIMIT ?", []any{maxOpen})
		if err != nil {
			return open, err
		}
	}
	return open, nil
}

// Models are the names of the models that the log has runs of, sorted.
func (c *Catalog) Models(ctx context.Context) ([]string, error) {
	return names(ctx, c.db, "SELECT DISTINCT model FROM runs WHERE model <> '' ORDER BY model")
}

// Find gives the number of the call that an entry belongs to; 0: none.
func (c *Catalog) Find(ctx context.Context, entry int64) (number int64, err error) {
	err = c.db.QueryRowContext(ctx, "SELECT coalesce("+callOf+", 0) FROM entries x WHERE x.number = ? AND x.kind LIKE 'call.%'", entry).Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return number, err
}

// Times are when the entries of a call were written, as the log has it, "" for
// those that it has not.
type Times struct {
	Requested, Decided, Started, Settled string
	Line                                 int    // of the program; 0: not known
	Card                                 string // id of the card that it was decided on
}

// Times gives the times of calls by their numbers, in that order.
func (c *Catalog) Times(ctx context.Context, numbers []int64) (out []Times, err error) {
	at := func(column string) string {
		return "coalesce((SELECT q.at FROM entries q WHERE q.number = c." + column + "), '')"
	}
	err = c.each(ctx, "SELECT "+at("requested")+", "+at("decided")+", "+at("started")+", "+at("settled")+`,
		coalesce((SELECT CAST(q.body ->> '$.line' AS INTEGER) FROM entries q WHERE q.number = c.requested), 0),
		coalesce((SELECT q.body ->> '$.card' FROM entries q WHERE q.number = c.decided), '')
		FROM json_each(?) n CROSS JOIN calls c ON c.number = n.value ORDER BY n.key`, []any{list(numbers)}, func(rows *sql.Rows) error {
		var t Times
		err := rows.Scan(&t.Requested, &t.Decided, &t.Started, &t.Settled, &t.Line, &t.Card)
		out = append(out, t)
		return err
	})
	return out, err
}
