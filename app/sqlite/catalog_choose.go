package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// condition is one demand on a call, aliased c. column is set where an index leads
// to the calls that fulfil it, in the order of their numbers.
type condition struct {
	column string
	text   string // with the column as %s
	args   []any
}

func (x condition) sql(indexed bool) string {
	if x.column == "" {
		return x.text
	}
	column := "c." + x.column
	if !indexed {
		column = "+" + column // keeps SQLite from using an index on it
	}
	return fmt.Sprintf(x.text, column)
}

// conditions are those of a filter, but for Text.
func (f Filter) conditions() (list []condition) {
	for _, of := range []struct{ column, value string }{{"fn", f.Fn}, {"run_id", f.RunID}, {"outcome", string(f.Outcome)}, {"model", f.Model}} {
		if prefix, ok := strings.CutSuffix(of.value, "*"); ok && of.column != "outcome" {
			list = append(list, condition{text: "substr(c." + of.column + ", 1, length(?)) = ?", args: []any{prefix, prefix}})
		} else if of.value != "" {
			list = append(list, condition{of.column, "%s = ?", []any{of.value}})
		}
	}
	switch f.Decision {
	case "":
	case "approve", "reject":
		list = append(list, condition{"verdict", "%s = ?", []any{f.Decision}})
	case Undecided:
		list = append(list, condition{text: "c.verdict IS NULL"})
	default: // a decider
		list = append(list, condition{"decider", "%s = ?", []any{f.Decision}})
	}
	if f.Decider != "" {
		list = append(list, condition{"decider", "%s = ?", []any{f.Decider}})
	}
	if f.CallID != "" {
		list = append(list, condition{text: "c.call_id = ?", args: []any{f.CallID}})
	}
	if f.Number != 0 {
		list = append(list, condition{text: "c.number = ?", args: []any{f.Number}})
	}
	if !f.Since.IsZero() {
		since := formatTime(f.Since)
		list = append(list, condition{text: "c.at >= ? AND c.number >= (SELECT coalesce(min(block), 1 << 40) << 10 FROM blocks WHERE latest >= ?)", args: []any{since, since}})
	}
	if !f.Until.IsZero() {
		until := formatTime(f.Until)
		list = append(list, condition{text: "c.at < ? AND c.number < (SELECT (coalesce(max(block), -1) + 1) << 10 FROM blocks WHERE earliest < ?)", args: []any{until, until}})
	}
	return list
}

// fewest bounds how far candidates for an index are counted.
const fewest = 50_000

// chosen writes the conditions of a filter, but for Text, with the one index that
// leads to the fewest calls.
func (c *Catalog) chosen(ctx context.Context, f Filter) (string, []any, error) {
	list := f.conditions()
	best, least := -1, int64(fewest+1)
	for i, x := range list {
		if x.column == "" {
			continue
		}
		var n int64
		query := "SELECT count(*) FROM (SELECT 1 FROM calls c WHERE " + x.sql(true) + " LIMIT ?)"
		if x.column == "verdict" || x.column == "decider" {
			query = "SELECT count(*) FROM (SELECT 1 FROM calls c WHERE c.verdict IS NOT NULL AND " + x.sql(true) + " LIMIT ?)"
		}
		if err := c.db.QueryRowContext(ctx, query, append(slices.Clone(x.args), fewest)...).Scan(&n); err != nil {
			return "", nil, err
		}
		if n < least {
			best, least = i, n
		}
	}
	where, args := []string{"true"}, []any(nil)
	for i, x := range list {
		where, args = append(where, x.sql(i == best)), append(args, x.args...)
		if i == best && (x.column == "verdict" || x.column == "decider") {
			where = append(where, "c.verdict IS NOT NULL")
		}
	}
	return strings.Join(where, " AND "), args, nil
}

// callOf is the number of the call that an entry, aliased x, belongs to.
const callOf = "CASE WHEN x.call_id = '' THEN x.number ELSE (SELECT k.number FROM calls k WHERE k.run_id = x.run_id AND k.call_id = x.call_id AND k.call_id <> '') END"

// hitCalls are the calls in which the text occurs: in an entry of their own, or in
// the request of their run. It takes the phrase, then what wanted gives.
var hitCalls = found + `hit(number) AS MATERIALIZED (
	SELECT ` + callOf + ` FROM found CROSS JOIN entries x ON x.number = found.number WHERE x.kind LIKE 'call.%'
	UNION SELECT y.number FROM found CROSS JOIN runs r ON r.number = found.number CROSS JOIN calls y ON y.run_id = r.run_id) `

// search is how a text is looked for.
type search struct {
	with, from, where string
	args              []any
	often             bool // it occurs in so many entries that pages are found by newestCalls
	match             string
}

func (c *Catalog) search(ctx context.Context, f Filter) (search, error) {
	where, args, err := c.chosen(ctx, f)
	if err != nil {
		return search{}, err
	}
	s := search{from: "calls c", where: where, args: args}
	if f.Text == "" {
		return s, nil
	}
	s.match = phrase(f.Text)
	if s.match == "" || !canSearch(ctx, c.db) {
		s.match = ""
		condition, more := textCondition(f.Text)
		s.where = strings.ReplaceAll(condition, "e.", "c.") + " AND " + where
		s.args = append(more, args...)
		return s, nil
	}
	if s.often, err = common(ctx, c.db, s.match); err != nil {
		return s, searchFault(err)
	}
	s.with, s.from = hitCalls, "hit CROSS JOIN calls c ON c.number = hit.number"
	s.args = append(append([]any{s.match}, wanted(f.Text)...), args...)
	return s, nil
}

// Numbers gives the numbers of the calls that a filter chooses, the newest first:
// those below before (0: all), at most limit (0: all).
func (c *Catalog) Numbers(ctx context.Context, f Filter, before int64, limit int) ([]int64, error) {
	s, err := c.search(ctx, f)
	if err != nil {
		return nil, err
	}
	if s.often && limit > 0 {
		numbers, err := c.newestCalls(ctx, f, s.match, before, limit)
		return numbers, searchFault(err)
	}
	query, args := s.with+"SELECT c.number FROM "+s.from+" WHERE "+s.where, slices.Clone(s.args)
	if before > 0 {
		query, args = query+" AND c.number < ?", append(args, before)
	}
	query += " ORDER BY c.number DESC"
	if limit > 0 {
		query, args = query+" LIMIT ?", append(args, limit)
	}
	numbers, err := c.numbers(ctx, query, args)
	if s.match != "" {
		err = searchFault(err)
	}
	return numbers, err
}

func (c *Catalog) numbers(ctx context.Context, query string, args []any) (numbers []int64, err error) {
	err = pairs(ctx, c.db, "SELECT number, 0 FROM ("+query+")", args, func(number, _ int64) bool {
		numbers = append(numbers, number)
		return false
	})
	return numbers, err
}

// newestCalls finds the newest calls below before in which a common text occurs,
// without going through all of them:
//
//  1. Entries in which the text occurs are read backwards. A call that was not met
//     yet begins before where reading stands, so it can stop as soon as enough of
//     the calls that were met begin behind that.
//  2. Entries behind before matter only if their call began below it; those calls
//     are looked at one by one, and blocks tells which may reach so far.
//  3. The newest calls of the runs in whose request the text occurs.
func (c *Catalog) newestCalls(ctx context.Context, f Filter, match string, before int64, limit int) ([]int64, error) {
	if before == 0 {
		before = 1 << 62
	}
	where, args, err := c.chosen(ctx, f)
	if err != nil {
		return nil, err
	}
	where, args = where+" AND c.number < ?", append(slices.Clone(args), before)
	var top []int64 // falling, at most limit
	add := func(number int64) {
		if at, there := slices.BinarySearchFunc(top, number, func(a, b int64) int { return cmp.Compare(b, a) }); !there {
			top = slices.Insert(top, at, number)
			top = top[:min(len(top), limit)]
		}
	}
	own := "{text} : " + match
	for _, each := range []struct {
		query string
		args  []any
	}{
		{"SELECT x.number, c.number FROM entries x CROSS JOIN calls c ON c.number = " + callOf + " WHERE x.kind LIKE 'call.%' AND x.number > " + indexedTo + " AND " + contains("x.") + " AND " + where + " ORDER BY x.number DESC",
			wanted(f.Text)},
		{`SELECT c.last, c.number FROM blocks b CROSS JOIN calls c ON c.number BETWEEN b.block << 10 AND (b.block << 10) + 1023 AND c.last >= ?
			WHERE b.reach >= ? AND b.block << 10 < ? AND EXISTS (SELECT 1 FROM entries x CROSS JOIN search s ON s.rowid = x.number
				WHERE x.run_id = c.run_id AND x.call_id = c.call_id AND c.call_id <> '' AND x.number >= ? AND s.search MATCH ?) AND ` + where,
			[]any{before, before, before, before, own}},
	} {
		err := pairs(ctx, c.db, each.query, append(each.args, args...), func(_, number int64) bool { add(number); return false })
		if err != nil {
			return nil, err
		}
	}
	err = pairs(ctx, c.db, "SELECT s.rowid, c.number FROM search s CROSS JOIN entries x ON x.number = s.rowid AND x.kind LIKE 'call.%' CROSS JOIN calls c ON c.number = "+callOf+
		" WHERE s.search MATCH ? AND s.rowid < ? AND "+where+" ORDER BY s.rowid DESC",
		append([]any{own, before}, args...), func(at, number int64) bool {
			add(number)
			return len(top) == limit && top[limit-1] >= at
		})
	if err != nil {
		return nil, err
	}
	inRuns := `SELECT r.run_id FROM search CROSS JOIN runs r ON r.number = search.rowid WHERE search MATCH ?
		UNION SELECT run_id FROM entries WHERE number > ` + indexedTo + ` AND kind = 'run.began' AND ` + contains("")
	runArgs := append([]any{"{request} : " + match}, wanted(f.Text)...)
	var runs int
	if err := c.db.QueryRowContext(ctx, "SELECT count(*) FROM ("+inRuns+")", runArgs...).Scan(&runs); err != nil {
		return nil, fmt.Errorf("searching the log: %w", err)
	}
	byRun := "c.run_id"
	if runs > 50 {
		byRun = "+c.run_id" // read backwards, and stop
	}
	err = pairs(ctx, c.db, "SELECT 0, c.number FROM calls c WHERE "+byRun+" IN ("+inRuns+") AND "+where+" ORDER BY c.number DESC LIMIT ?",
		append(append(runArgs, args...), limit), func(_, number int64) bool { add(number); return false })
	return top, err
}

// Survey counts the calls that a filter chooses, and gives the number of each
// every-th of them, the newest first, so that any page can be asked for at once.
func (c *Catalog) Survey(ctx context.Context, f Filter, every int) (count int64, marks []int64, err error) {
	s, err := c.search(ctx, f)
	if err != nil {
		return 0, nil, err
	}
	if s.match != "" {
		numbers, err := c.numbers(ctx, s.with+"SELECT c.number FROM "+s.from+" WHERE "+s.where+" ORDER BY c.number DESC", s.args)
		for i := every - 1; i < len(numbers); i += every {
			marks = append(marks, numbers[i])
		}
		return int64(len(numbers)), marks, searchFault(err)
	}
	// Each step skips within SQLite, which is ten times as fast as handing out each number.
	one := "SELECT c.number FROM " + s.from + " WHERE " + s.where + " AND c.number < %s ORDER BY c.number DESC LIMIT 1 OFFSET ?"
	query := "WITH RECURSIVE mark(number) AS (SELECT (" + fmt.Sprintf(one, "1 << 62") + ") UNION ALL SELECT (" + fmt.Sprintf(one, "mark.number") + ") FROM mark WHERE mark.number IS NOT NULL) SELECT number FROM mark WHERE number IS NOT NULL"
	args := append(slices.Clone(s.args), every-1)
	if marks, err = c.numbers(ctx, query, append(args, args...)); err != nil {
		return 0, nil, err
	}
	last := int64(1) << 62
	if len(marks) > 0 {
		last = marks[len(marks)-1]
	}
	err = c.db.QueryRowContext(ctx, "SELECT count(*) FROM "+s.from+" WHERE "+s.where+" AND c.number < ?", append(slices.Clone(s.args), last)...).Scan(&count)
	return count + int64(len(marks)*every), marks, err
}
