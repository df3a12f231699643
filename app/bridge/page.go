package bridge

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/gate"
)

// page holds the requests of the page that is loaded.
type page struct {
	hands hands

	mu   sync.Mutex
	load *load
}

// load is one load of the page. Everything of an earlier one is dropped.
type load struct {
	ctx    context.Context
	cancel context.CancelCauseFunc

	// Guarded by page.mu.
	greeted bool // it has said hello
	ids     idSet
	open    map[int64]outstanding
	ready   []answer       // done and not delivered
	waiting map[*turn]bool // the Calls that are open
}

// turn is one Call of the page. While it is open the answers to its own requests
// go with it; whatever is done later goes with any other Call.
type turn struct {
	wake chan struct{} // holds one: there may be something to deliver

	// Guarded by page.mu.
	all  int // requests of its own; none: it is a poll
	own  int // of those, the outstanding ones
	over bool
}

// stir has a turn look again.
func (t *turn) stir() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

type outstanding struct {
	cancel context.CancelFunc
	turn   *turn
}

type answer struct {
	result
	turn *turn
}

func newPage() *page { return &page{load: newLoad()} }

func newLoad() *load {
	l := &load{open: map[int64]outstanding{}, waiting: map[*turn]bool{}}
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	return l
}

const loadedAnew = "the page was loaded anew"

// reset drops what the page left: its requests are cancelled, its polls return.
// The gate tells this from a cancellation that the page asked for.
func (p *page) reset(reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.load.cancel(&gate.Gone{Reason: reason})
	p.load = newLoad()
}

// submit starts the requests of an envelope, all or none. hello begins a new
// load; it must come first, and what travels with it starts when it is done.
func (p *page) submit(requests []request, start func(ctx context.Context, l *load, r request)) (*load, *turn, error) {
	greets := len(requests) > 0 && requests[0].Op == "hello"
	for i, r := range requests {
		if i > 0 && r.Op == "hello" {
			return nil, nil, app.Errorf(app.BadRequest, "submit[%d]: hello must be the first request of its envelope", i)
		}
	}
	if greets {
		p.reset(loadedAnew)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.load
	if !greets && !l.greeted {
		return nil, nil, app.Errorf(app.Cancelled, "this page is not open (any more); open it with hello")
	}
	fresh := map[int64]bool{}
	for _, r := range requests {
		if l.ids.has(r.ID) || fresh[r.ID] {
			return nil, nil, app.Errorf(app.BadRequest, "the id %d was used before; each request needs a new one", r.ID)
		}
		fresh[r.ID] = true
	}
	l.greeted = true
	t := &turn{wake: make(chan struct{}, 1), all: len(requests), own: len(requests)}
	l.waiting[t] = true
	begin := make(chan struct{})
	if !greets {
		close(begin)
	}
	for i, r := range requests {
		l.ids.add(r.ID)
		ctx, cancel := context.WithCancel(l.ctx)
		l.open[r.ID] = outstanding{cancel, t}
		p.hands.do(func() {
			if greets && i == 0 {
				defer close(begin)
			} else {
				<-begin
			}
			start(ctx, l, r)
		})
	}
	return l, t, nil
}

// finish notes that a request is done; again does nothing.
func (p *page) finish(l *load, r result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, ok := l.open[r.ID]
	if !ok {
		return
	}
	o.cancel()
	delete(l.open, r.ID)
	l.ready = append(l.ready, answer{r, o.turn})
	o.turn.own--
	if o.turn.over || len(l.open) == 0 {
		for t := range l.waiting {
			t.stir()
		}
	} else if first := o.turn.own == o.turn.all-1; first || o.turn.own == 0 { // in between it gathers
		o.turn.stir()
	}
}

// cancel cancels an outstanding request. One that is done already, or never
// was, is left: the page cannot know.
func (p *page) cancel(l *load, id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if o, ok := l.open[id]; ok {
		o.cancel()
	}
}

// gather is how long a Call waits for more once it has something to deliver and
// more of the same is under way. Calls that a program makes together take tens of
// microseconds each in Go, and another Call for those that come a little later takes
// hundreds.
const gather = 500 * time.Microsecond

// wait returns what is done and not delivered, but for what another open Call is
// about to deliver, as soon as there is something and no more is expected within
// gather; or nothing when nothing is outstanding or the page has been loaded anew.
// The turn is over then.
func (p *page) wait(l *load, t *turn) []result {
	var late <-chan time.Time
	gathered := false
	for {
		p.mu.Lock()
		if l.ctx.Err() != nil { // an earlier page must not read what came of its requests
			p.mu.Unlock()
			return nil
		}
		some := l.deliverable(t)
		if len(l.open) == 0 || some && (gathered || !l.expects(t)) {
			ready := l.take(t)
			t.over = true
			delete(l.waiting, t)
			p.mu.Unlock()
			return ready
		}
		p.mu.Unlock()
		if some && late == nil {
			timer := time.NewTimer(gather)
			defer timer.Stop()
			late = timer.C
		}
		select {
		case <-t.wake:
		case <-late:
			gathered = true
		case <-l.ctx.Done():
		}
	}
}

// deliverable tells whether something may go with a turn.
func (l *load) deliverable(t *turn) bool {
	return slices.ContainsFunc(l.ready, func(a answer) bool { return a.turn == t || a.turn.over })
}

// expects tells whether more may go with a turn than is done.
func (l *load) expects(t *turn) bool {
	if t.all > 0 {
		return t.own > 0
	}
	for _, o := range l.open {
		if o.turn.over {
			return true
		}
	}
	return false
}

// take removes what may go with a turn.
func (l *load) take(t *turn) []result {
	var ready []result
	var rest []answer
	for _, a := range l.ready {
		if a.turn == t || a.turn.over {
			ready = append(ready, a.result)
		} else {
			rest = append(rest, a)
		}
	}
	l.ready = rest
	return ready
}

// idSet holds ids that were used, as a mark below which all were, and the few
// above it that came early.
type idSet struct {
	below int64 // all ids up to this one
	above map[int64]bool
}

func (s *idSet) has(id int64) bool { return id <= s.below || s.above[id] }

func (s *idSet) add(id int64) {
	if s.above == nil {
		s.above = map[int64]bool{}
	}
	s.above[id] = true
	for s.above[s.below+1] {
		s.below++
		delete(s.above, s.below)
	}
}
