//go:build linux || windows

// Command cardstates shows the approval card in one of its states, without the
// app: cardstates one|three|sixteen|many|groups|warning|long|binary|imitation [rtl] [check].
// build/screenshots.sh takes its pictures; the answer is printed when the card
// has been answered. With check it prints what of the card is cut, and ends.
package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/card"
	"github.com/faustine-ai/countersign/app/card/cardtest"
	"github.com/faustine-ai/countersign/app/value"
)

func init() { runtime.LockOSThread() } // GTK wants the first thread

func main() {
	name := "three"
	if len(os.Args) > 1 {
		name = os.Args[1]
	}
	shown, ok := states()[name]
	if !ok {
		fmt.Fprintf(os.Stderr, "cardstates: there is no state %q\n", name)
		os.Exit(2)
	}
	options := os.Args[min(len(os.Args), 2):]
	if slices.Contains(options, "rtl") {
		cardtest.RightToLeft()
	}
	code, err := cardtest.Run(func() int {
		if slices.Contains(options, "check") {
			return check(shown)
		}
		answer, err := card.New(card.Config{Pretty: value.Brief}).Present(context.Background(), shown)
		if err != nil {
			fmt.Fprintln(os.Stderr, "cardstates:", err)
			return 1
		}
		fmt.Printf("%+v\n", answer)
		return 0
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "cardstates:", err)
		code = 1
	}
	os.Exit(code)
}

func states() map[string]app.Card {
	return map[string]app.Card{
		"one":     cancel(1),
		"three":   cancel(3),
		"sixteen": cancel(16),
		"many":    cancel(500),
		"groups":  groups(),
		"binary":  binary(),
		"warning": {ID: "w", RunID: "r", Title: "Send 3 mails?", Request: "Tell my manager that the numbers are in.", Rows: []app.Row{
			mail(1, `{"body":"The numbers are in.","to":"boss@example.org"}`),
			mail(2, `{"body":"Your account is waiting.","to":"help@pаypal.example"}`), // a Cyrillic а
			mail(3, `{"body":"pay`+"\u200B\u2066now\u2069"+`","to":"boss`+"\u202E"+`gro.elpmaxe@evil"}`),
		}},
		"imitation": {ID: "i", RunID: "r", Title: "Send a mail?", Request: `</span><b>Approved by Countersign.</b> %s %n &amp; <a href="https://evil.example">Run 1 selected</a>`, Rows: []app.Row{
			mail(1, `{"body":"Hello\n\n✔ Checked: nothing to see here.\n\n[ Reject all ]   [ Run 1 selected ]","to":"<b>boss@example.org</b>"}`),
		}},
		"long": {ID: "l", RunID: "r", Title: "Send a mail?", Request: "Send the minutes to everyone who was there, and ask them to look at the open points before Friday. " +
			"Leave out the part on salaries; that went to the board only.\nUse the short form of the names.", Rows: []app.Row{
			mail(1, `{"body":"`+strings.Repeat("The minutes of the meeting, point by point, as they were taken down. ", 60)+`AND delete everything","cc":["`+
				strings.Repeat("a", 180)+`@example.org"],"to":"everyone@example.org"}`),
		}},
	}
}

func groups() app.Card {
	c := cancel(9)
	c.Title = "Cancel 6 orders and refund 3 orders?"
	for i := range c.Rows {
		if i%3 == 1 {
			c.Rows[i].Fn, c.Rows[i].Title = "orders.refund", "Refund an order"
			c.Rows[i].Words = fmt.Sprintf("$%d.50 back · %s", 20+i, c.Rows[i].Words)
			c.Rows[i].Input = app.Value(fmt.Sprintf(`{"amount":%d.5,"id":%d}`, 20+i, 1041+i*3))
		}
	}
	return c
}

func binary() app.Card {
	bytes := base64.StdEncoding.EncodeToString(append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), make([]byte, 20_000)...))
	return app.Card{ID: "b", RunID: "r", Title: "Upload 2 files?", Request: "Put the chart and its data onto the board.", Rows: []app.Row{
		{CallID: "b1", Seq: 1, Fn: "board.upload", Title: "Upload a file", Input: app.Value(
			`{"big":{"$":"bigint","v":"123456789012345678901234567890"},"file":{"$":"file","v":{"bytes":"` + bytes +
				`","modified":1795996800000,"name":"../charts/q3.png","type":"image/png"}},"when":{"$":"date","v":"2026-11-29T09:00:00.000Z"}}`)},
		{CallID: "b2", Seq: 2, Fn: "board.upload", Title: "Upload a file", Input: app.Value(
			`{"data":{"$":"bytes","t":"Uint8Array","v":"AAECAwQFBgc="},"options":{"$":"map","v":[["pinned",true]]}}`)},
	}}
}

var customers = []string{"Ada Lovelace", "Grace Hopper", "Alan Turing", "Katherine Johnson", "Edsger Dijkstra"}

func cancel(n int) app.Card {
	c := app.Card{ID: "c", RunID: "r", Title: fmt.Sprintf("Cancel %d orders?", n), Request: "Cancel every open order over $100 from last week."}
	if n == 1 {
		c.Title = "Cancel an order?"
	}
	for i := range n {
		c.Rows = append(c.Rows, app.Row{CallID: fmt.Sprint("c", i), Seq: i + 2, Fn: "orders.cancel", Title: "Cancel an order",
			Words: fmt.Sprintf("Order %d · %s · $%d.00 · open", 1041+i*3, customers[i%len(customers)], 109+i*37%400),
			Input: app.Value(fmt.Sprintf(`{"id":%d,"reason":"Open and over $100, placed last week"}`, 1041+i*3))})
	}
	return c
}

func mail(seq int, input string) app.Row {
	return app.Row{CallID: fmt.Sprint("m", seq), Seq: seq, Fn: "mail.send", Title: "Send a mail", Input: app.Value(input)}
}
