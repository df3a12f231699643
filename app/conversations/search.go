package conversations

import (
	"context"
	"strings"
	"unicode"
)

// mostFound is how many conversations a search gives.
const mostFound = 50

// Search finds conversations that have every word of text, or words that begin so,
// in one message or in their title; the one that was spoken in last comes first.
func (s *Store) Search(ctx context.Context, text string) ([]Summary, error) {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	if len(words) == 0 {
		return []Summary{}, nil
	}
	// Quoted, so that nothing in it is FTS5's own syntax.
	match := `"` + strings.Join(words, `"* "`) + `"*`
	like := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(strings.TrimSpace(text)) + "%"
	rows, err := s.db.QueryContext(ctx, `
		WITH part AS MATERIALIZED (
			SELECT rowid AS number, snippet(found, 0, char(2), char(3), '…', 14) AS excerpt FROM found WHERE found MATCH ?),
		hit AS (
			SELECT conversation AS id, excerpt, max(seq) FROM part JOIN message USING (number) GROUP BY conversation)
		SELECT c.id, title, created, updated, coalesce(excerpt, '')
		FROM conversation c LEFT JOIN hit ON hit.id = c.id
		WHERE deleted IS NULL AND (hit.id IS NOT NULL OR title LIKE ? ESCAPE '\')
		ORDER BY updated DESC, c.id LIMIT ?`, match, like, mostFound)
	if err != nil {
		return nil, err
	}
	return summaries(rows)
}
