package gate

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/faustine-ai/countersign/app"
)

// title words the question of a card from the functions' own definitions:
//
//	one call of one function       Title:            “Cancel an order?”
//	several of one function        Plural:           “Cancel 3 orders?”
//	   without a Plural            Title and number: “Cancel an order, 3 calls?”
//	two or three functions         joined:           “Cancel 3 orders and refund an order?”
//	more                           counted:          “Run 9 calls of 5 functions?”
func title(rows []judged) string {
	var order []*app.Function
	counts := map[*app.Function]int{}
	for _, row := range rows {
		if counts[row.function] == 0 {
			order = append(order, row.function)
		}
		counts[row.function]++
	}
	if len(order) > 3 {
		return fmt.Sprintf("Run %d calls of %d functions?", len(rows), len(order))
	}
	phrases := make([]string, len(order))
	for i, f := range order {
		phrases[i] = phrase(f, counts[f])
		if i > 0 {
			phrases[i] = lowerFirst(phrases[i])
		}
	}
	last := len(phrases) - 1
	text := phrases[last]
	if last > 0 {
		text = strings.Join(phrases[:last], ", ") + " and " + text
	}
	return text + "?"
}

func phrase(f *app.Function, n int) string {
	name := f.Title
	if name == "" {
		name = f.Name
	}
	switch {
	case n == 1:
		return name
	case f.Plural != "":
		return strings.ReplaceAll(f.Plural, "{n}", strconv.Itoa(n))
	default:
		return fmt.Sprintf("%s, %d calls", name, n)
	}
}

// lowerFirst lowers the first letter, unless the word is all capitals (SQL).
func lowerFirst(s string) string {
	runes := []rune(s)
	if len(runes) > 1 && unicode.IsLower(runes[1]) || len(runes) > 1 && runes[1] == ' ' {
		runes[0] = unicode.ToLower(runes[0])
	}
	return string(runes)
}
