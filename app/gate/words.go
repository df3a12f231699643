package gate

import (
	"context"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// wordsWithin is how long the words of one row may take: a card must not wait
// for a function that is slow to say what it would do.
const wordsWithin = 250 * time.Millisecond

// maxWords bounds the words of a row, in bytes.
const maxWords = 400

// words asks a function how it words a call. A function that fails, panics or
// takes too long has none, and the row shows its input alone.
func words(ctx context.Context, f *app.Function, input app.Value) string {
	if f.Row == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, wordsWithin)
	defer cancel()
	said := make(chan string, 1)
	go func() {
		text := ""
		defer func() {
			if recover() != nil {
				text = ""
			}
			said <- text
		}()
		text = f.Row(ctx, input)
	}()
	select {
	case text := <-said:
		if len(text) > maxWords {
			return "" // words that say too much say nothing
		}
		return text
	case <-ctx.Done():
		return ""
	}
}
