package operation_test

import (
	"context"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
)

func TestWhoKnowsTheRevisionWaitsForTheNext(t *testing.T) {
	var news operation.News
	if got, err := news.After(t.Context(), 0); got != 1 || err != nil {
		t.Fatalf("at first: %d, %v", got, err)
	}
	told := make(chan int64, 2)
	for range 2 {
		go func() {
			got, _ := news.After(t.Context(), 1)
			told <- got
		}()
	}
	news.Changed()
	if a, b := <-told, <-told; a != 2 || b != 2 {
		t.Errorf("told %d and %d", a, b)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := news.After(ctx, 2); app.CodeOf(err) != app.Cancelled {
		t.Errorf("after the end: %v", err)
	}
	if got, err := news.After(ctx, 7); got != 2 || err != nil {
		t.Errorf("a revision of another start: %d, %v", got, err)
	}
}
