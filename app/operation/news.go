package operation

import (
	"context"
	"sync"

	"github.com/faustine-ai/countersign/app"
)

// News counts changes of something, so that an operation can wait for the next: the
// page says which revision it knows, and is answered when there is another. The
// first revision is 1; a page that knows none says 0.
type News struct {
	mu      sync.Mutex
	changes int64
	changed chan struct{} // closed with the next change; nil: nobody waits
}

// Changed counts a change. What has changed must be there to be read before.
func (n *News) Changed() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.changes++
	if n.changed != nil {
		close(n.changed)
		n.changed = nil
	}
}

// After waits until the revision is another than since and gives it. What is read
// then may be newer still, and is told once more. An end of ctx is a Cancelled.
func (n *News) After(ctx context.Context, since int64) (revision int64, err error) {
	for {
		n.mu.Lock()
		revision = n.changes + 1
		if revision == since && n.changed == nil {
			n.changed = make(chan struct{})
		}
		changed := n.changed
		n.mu.Unlock()
		if revision != since {
			return revision, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 0, &app.Error{Code: app.Cancelled, Cause: ctx.Err(), Message: "nobody waits for news any more"}
		}
	}
}
