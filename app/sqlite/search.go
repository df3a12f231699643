package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"unicode"
)

// The search index is an FTS5 table beside the entries. It is no evidence: it can
// be made again from the entries at any time, and verifying does not read it. It
// lags behind by up to indexEvery entries, since indexing each commit would
// triple what a commit costs; those are searched by reading them. A program that
// was built without FTS5 (tag sqlite_fts5) reads all. So does a search for text
// without a letter or digit.
const createSearch = `CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5(request, text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2')`

// indexEntries indexes the searched text of the entries behind a number.
var indexEntries = "INSERT INTO search (rowid, request, text) SELECT number, " + parts("", "request") + ", " + parts("", own...) + " FROM entries WHERE number > ?"

// searched is what people look for in an entry: the request, function, input, the
// words of a rejection, and errors. Of each, the first 64 Ki characters. Results
// and programs are not in it. JSON's escapes would glue letters to words.
func searched(alias string) string {
	return "(" + parts(alias, "request") + " || ' ' || " + parts(alias, own...) + ")"
}

// own is what belongs to one call; the request belongs to all of its run.
var own = []string{"input", "reason", "error", "message"}

func parts(alias string, members ...string) string {
	text := alias + "fn"
	if members[0] == "request" {
		text = "''"
	}
	for _, member := range members {
		text += " || ' ' || substr(coalesce(json_extract(" + alias + "body, '$." + member + "'), ''), 1, 65536)"
	}
	for _, escape := range escapes {
		text = "replace(" + text + ", '" + escape + "', ' ')"
	}
	return text
}

var escapes = []string{`\\`, `\n`, `\r`, `\t`}

// contains asks whether searched text holds the two forms of what is looked for
// that wanted gives.
func contains(alias string) string {
	return "(has_words(" + searched(alias) + ", ?) OR has_words(" + searched(alias) + ", ?))"
}

func wanted(text string) []any {
	inner := jsonInner(text)
	for _, escape := range escapes {
		inner = strings.ReplaceAll(inner, escape, " ")
	}
	return []any{inner, text}
}

// indexEvery is how many entries are indexed at once.
const indexEvery = 512

// openSearch makes the index, or brings it up to the last entry.
func (l *Log) openSearch(ctx context.Context) error {
	var has bool
	if err := l.db.QueryRowContext(ctx, "SELECT sqlite_compileoption_used('ENABLE_FTS5')").Scan(&has); err != nil || !has {
		return err
	}
	if err := l.readIndexed(ctx); err != nil {
		// The index is no evidence: one that is damaged is made anew.
		slog.Warn("the search index of the log cannot be read and is made anew", "error", err)
		if err := l.dropSearch(ctx); err != nil {
			return fmt.Errorf("removing the damaged search index: %w", err)
		}
		if err := l.readIndexed(ctx); err != nil {
			return err
		}
	}
	l.searching = true
	l.index(ctx, indexEvery)
	return nil
}

// readIndexed makes the index where there is none, and reads how far it goes.
func (l *Log) readIndexed(ctx context.Context) error {
	if _, err := l.db.ExecContext(ctx, createSearch); err != nil {
		return fmt.Errorf("making the search index: %w", err)
	}
	l.indexed = 0
	if err := l.db.QueryRowContext(ctx, "SELECT rowid FROM search ORDER BY rowid DESC LIMIT 1").Scan(&l.indexed); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("reading the search index: %w", err)
	}
	return nil
}

// index indexes what is not indexed yet, once it is so many entries. If that
// fails, for want of space perhaps, nothing is lost: they are searched by reading.
func (l *Log) index(ctx context.Context, least int64) {
	if !l.searching || l.unsure || l.head.Number-l.indexed < least {
		return
	}
	if _, err := l.db.ExecContext(ctx, indexEntries, l.indexed); err != nil {
		slog.Warn("the search index of the log could not be written", "error", err)
		return
	}
	l.indexed = l.head.Number
}

// canSearch reports whether there is an index.
func canSearch(ctx context.Context, db *sql.DB) bool {
	var any int64
	err := db.QueryRowContext(ctx, "SELECT rowid FROM search LIMIT 1").Scan(&any)
	return err == nil || errors.Is(err, sql.ErrNoRows)
}

// phrase is the FTS5 query for text as a person types it: its words, one after
// the other; with a * behind it, the last may go on. "" when it holds no word.
func phrase(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return ""
	}
	text, open := strings.CutSuffix(strings.TrimSpace(text), "*")
	quoted := `"` + strings.ReplaceAll(strings.ReplaceAll(text, "\x00", " "), `"`, `""`) + `"`
	if open {
		quoted += " *"
	}
	return quoted
}

// textCondition chooses the entries, aliased e, of calls and runs in which the
// text occurs, for a log that cannot be searched by its index.
func textCondition(text string) (string, []any) {
	return `EXISTS (SELECT 1 FROM entries t WHERE t.run_id = e.run_id AND (t.call_id = e.call_id OR t.kind = 'run.began')
		AND (t.run_id <> '' OR t.number = e.number) AND ` + contains("t.") + ")", wanted(text)
}

// found are the entries in which the text occurs: in the index, or in the bodies
// that are not indexed yet. It takes the phrase, then what wanted gives.
var found = `WITH found(number) AS MATERIALIZED (SELECT rowid FROM search WHERE search MATCH ?
		UNION ALL SELECT number FROM entries WHERE number > ` + indexedTo + ` AND ` + contains("") + "), "

// hits are the calls in which the text occurs: in an entry of their own, or in
// the request of their run. An attempt without a call id stands for itself.
var hits = found + `hit(run_id, call_id, only_number) AS (
		SELECT x.run_id, x.call_id, CASE WHEN x.call_id = '' THEN x.number ELSE 0 END FROM found CROSS JOIN entries x ON x.number = found.number WHERE x.kind LIKE 'call.%'
		UNION SELECT y.run_id, y.call_id, CASE WHEN y.call_id = '' THEN y.number ELSE 0 END FROM found CROSS JOIN entries b ON b.number = found.number AND b.kind = 'run.began'
			CROSS JOIN entries y ON y.run_id = b.run_id AND y.kind LIKE 'call.%') `

// manyHits is from where on the newest calls are looked for by newest instead.
const manyHits = 2000

// common reports whether the text occurs in more than manyHits entries.
func common(ctx context.Context, db *sql.DB, match string) (bool, error) {
	var n int
	err := db.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT rowid FROM search WHERE search MATCH ? LIMIT ?)", match, manyHits+1).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("searching the log: %w", err)
	}
	return n > manyHits, nil
}

// newest finds the first entries of the newest calls in which a common text
// occurs, without going through all of them:
//
//  1. It reads the entries in which the text occurs backwards. A call that it has
//     not met yet begins before where it stands, so it can stop as soon as enough
//     of the calls it has met begin behind that.
//  2. The newest calls of the runs in whose request the text occurs.
func newest(ctx context.Context, db *sql.DB, f Filter, match string) ([]int64, error) {
	where, args := f.where(true)
	var top []int64 // falling, at most f.Limit
	add := func(first int64) {
		if at, found := slices.BinarySearchFunc(top, first, func(a, b int64) int { return cmp.Compare(b, a) }); !found {
			top = slices.Insert(top, at, first)
			top = top[:min(len(top), f.Limit)]
		}
	}
	const firstOf = `CROSS JOIN entries x ON x.number = m.number AND x.kind LIKE 'call.%' CROSS JOIN entries e
		ON e.number = CASE WHEN x.call_id = '' THEN x.number ELSE (SELECT min(p.number) FROM entries p WHERE p.run_id = x.run_id AND p.call_id = x.call_id) END WHERE `
	for _, each := range []struct {
		query string
		args  []any
	}{
		{"SELECT m.number, e.number FROM entries m " + firstOf + "m.number > " + indexedTo + " AND " + contains("m.") + " AND " + where + " ORDER BY m.number DESC", wanted(f.Text)},
		{"SELECT s.rowid, e.number FROM search s " + strings.ReplaceAll(firstOf, "m.number", "s.rowid") + "s.search MATCH ? AND " + where + " ORDER BY s.rowid DESC", []any{"{text} : " + match}},
	} {
		err := pairs(ctx, db, each.query, append(each.args, args...), func(at, first int64) bool {
			add(first)
			return len(top) == f.Limit && top[f.Limit-1] >= at
		})
		if err != nil {
			return nil, err
		}
	}
	inRuns := `SELECT b.run_id FROM search CROSS JOIN entries b ON b.number = search.rowid WHERE search MATCH ?
		UNION SELECT run_id FROM entries WHERE number > ` + indexedTo + ` AND kind = 'run.began' AND ` + contains("")
	runArgs := append([]any{"{request} : " + match}, wanted(f.Text)...)
	var runs int
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM ("+inRuns+")", runArgs...).Scan(&runs); err != nil {
		return nil, fmt.Errorf("searching the log: %w", err)
	}
	byRun := "e.run_id"
	if runs > 50 {
		byRun = "+e.run_id" // read backwards, and stop
	}
	err := pairs(ctx, db, "SELECT 0, e.number FROM entries e WHERE "+byRun+" IN ("+inRuns+") AND "+isFirst+" AND "+where+" ORDER BY e.number DESC LIMIT ?",
		append(append(runArgs, args...), f.Limit), func(_, first int64) bool { add(first); return false })
	return top, err
}

// indexedTo is the number of the last entry in the index.
const indexedTo = "coalesce((SELECT rowid FROM search ORDER BY rowid DESC LIMIT 1), 0)"

func pairs(ctx context.Context, db *sql.DB, query string, args []any, enough func(a, b int64) bool) (err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("searching the log: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var a, b int64
		if err := rows.Scan(&a, &b); err != nil {
			return fmt.Errorf("searching the log: %w", err)
		}
		if enough(a, b) {
			return nil
		}
	}
	return rows.Err()
}
