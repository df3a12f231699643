package desk

import (
	"github.com/faustine-ai/countersign/app/review"
	"github.com/faustine-ai/countersign/app/shell"
)

// openReview lets the page ask what the log of this window says. It ends before the
// log does, which then finds nobody reading and can put its file in order.
func (d *desk) openReview(s setup, dialogs *shell.Dialogs, on func(runID string) bool) *review.Review {
	r := review.New(review.Config{Path: s.log, Log: d.log, Filters: review.FiltersFor(s.log), Dialogs: dialogs, On: on})
	d.closers = append([]func() error{r.Close}, d.closers...)
	return r
}
