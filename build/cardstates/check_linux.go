package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/card"
	"github.com/faustine-ai/countersign/app/card/cardtest"
	"github.com/faustine-ai/countersign/app/value"
)

// check shows the card, prints what of it is cut, and takes it away.
func check(shown app.Card) int {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	gone := make(chan error, 1)
	go func() {
		_, err := card.New(card.Config{Pretty: value.Brief}).Present(ctx, shown)
		gone <- err
	}()
	said, before := "", ""
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for still := 0; still < 4 && ctx.Err() == nil; { // until the layout has settled
		<-tick.C
		if said = cardtest.Cut(); said == before && !strings.HasPrefix(said, "there is no card") {
			still++
		} else {
			still, before = 0, said
		}
	}
	cancel()
	if err := <-gone; err != nil {
		fmt.Fprintln(os.Stderr, "cardstates:", err)
		return 1
	}
	fmt.Print(said)
	return 0
}
