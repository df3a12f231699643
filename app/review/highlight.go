package review

import (
	"unicode/utf8"

	"github.com/faustine-ai/countersign/app/sqlite"
)

const (
	before = 24 // characters that are shown before the first hit
	behind = 150
)

// surroundings gives the surroundings of the first hit with every hit in them marked; nil
// where there is none.
func surroundings(n sqlite.Needle, text string) []Piece {
	spans := n.Spans(text)
	if len(spans) == 0 {
		return nil
	}
	from, to := spans[0][0], spans[0][1]
	for i := 0; i < before && from > 0; i++ {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	for i := 0; i < behind && to < len(text); i++ {
		_, size := utf8.DecodeRuneInString(text[to:])
		to += size
	}
	var pieces []Piece
	put := func(s string, hit bool) {
		if s != "" {
			pieces = append(pieces, Piece{s, hit})
		}
	}
	if from > 0 {
		put("…", false)
	}
	at := from
	for _, span := range spans {
		if span[0] < at || span[1] > to {
			continue
		}
		put(text[at:span[0]], false)
		put(text[span[0]:span[1]], true)
		at = span[1]
	}
	put(text[at:to], false)
	if to < len(text) {
		put("…", false)
	}
	return pieces
}
