package review

import (
	"context"
	"sync"
	"time"

	"github.com/faustine-ai/countersign/app/sqlite"
)

// Verifying is how far verifying has come, or what it found.
type Verifying struct {
	Step    int64          `json:"step"` // rises with every change; ask again with it
	Running bool           `json:"running"`
	Done    int64          `json:"done"` // entries checked
	Total   int64          `json:"total"`
	At      string         `json:"at,omitempty"` // when it ended
	TookMs  int64          `json:"tookMs,omitempty"`
	Report  *sqlite.Report `json:"report,omitempty"`
	Meaning *Meaning       `json:"meaning,omitempty"`
	Failure string         `json:"failure,omitempty"` // why it could not verify
}

// verifier verifies one log, once at a time, for whoever asks.
type verifier struct {
	mu      sync.Mutex
	state   Verifying
	changed chan struct{} // closed with the next change
	cancel  context.CancelFunc
	ended   chan struct{}
}

func (v *verifier) change(f func(*Verifying)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	f(&v.state)
	v.state.Step++
	if v.changed != nil {
		close(v.changed)
	}
	v.changed = make(chan struct{})
}

// start begins to verify, unless that is being done.
func (v *verifier) start(log *sqlite.Reader, key string) {
	v.mu.Lock()
	if v.state.Running {
		v.mu.Unlock()
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	v.cancel, v.ended = cancel, make(chan struct{})
	v.state = Verifying{Step: v.state.Step, Running: true}
	ended := v.ended
	v.mu.Unlock()
	began := time.Now()
	go func() {
		defer close(ended)
		defer cancel()
		last := int64(-1)
		report, err := log.VerifyTelling(ctx, key, func(done, total int64) {
			if percent := done * 100 / max(total, 1); percent != last {
				last = percent
				v.change(func(s *Verifying) { s.Done, s.Total = done, total })
			}
		})
		v.change(func(s *Verifying) {
			s.Running, s.TookMs, s.At = false, time.Since(began).Milliseconds(), time.Now().UTC().Format(WireTime)
			if err != nil {
				s.Failure = message(err)
				return
			}
			meaning := MeaningOf(report)
			s.Report, s.Meaning = &report, &meaning
			s.Done, s.Total = report.Entries, max(report.Entries, s.Total)
		})
	}()
}

// know takes over what verifying beside the start has found, unless somebody has
// asked since.
func (v *verifier) know(found sqlite.AtStart) {
	v.mu.Lock()
	if v.state.Step > 0 || v.state.Running {
		v.mu.Unlock()
		return
	}
	v.mu.Unlock()
	v.change(func(s *Verifying) {
		s.TookMs, s.At = found.Took.Milliseconds(), found.Began.Add(found.Took).UTC().Format(WireTime)
		if found.Report.State == "" {
			s.Failure = message(found.Trouble)
			return
		}
		meaning := MeaningOf(found.Report)
		s.Report, s.Meaning = &found.Report, &meaning
		s.Done, s.Total = found.Report.Entries, found.Report.Entries
	})
}

// wait returns when there is something newer than since.
func (v *verifier) wait(ctx context.Context, since int64) (Verifying, error) {
	for {
		v.mu.Lock()
		state, changed := v.state, v.changed
		if changed == nil {
			v.changed = make(chan struct{})
			changed = v.changed
		}
		v.mu.Unlock()
		if state.Step > since || !state.Running {
			return state, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return state, ctx.Err()
		}
	}
}

// stop ends verifying and waits until it has ended.
func (v *verifier) stop() {
	v.mu.Lock()
	cancel, ended := v.cancel, v.ended
	v.mu.Unlock()
	if cancel != nil {
		cancel()
		<-ended
	}
}
