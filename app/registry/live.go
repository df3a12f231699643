package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
)

// Live is a registry whose list changes while the app runs: a person picks a
// folder, a server says that its tools have changed. Each list is a Registry,
// which never changes; Now gives the one of the moment.
type Live struct {
	mu   sync.Mutex
	now  *Registry
	news operation.News // of lists that differ for those who read them
}

var _ app.Changing = (*Live)(nil)

// NewLive makes one from the first list. It refuses what New refuses.
func NewLive(functions ...*app.Function) (*Live, error) {
	first, err := New(functions...)
	if err != nil {
		return nil, err
	}
	return &Live{now: first}, nil
}

// Replace takes the place of the whole list. A list that New refuses changes
// nothing. Who watches is told only where a definition has changed.
func (l *Live) Replace(functions ...*app.Function) error {
	next, err := New(functions...)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	same := slices.EqualFunc(l.now.all, next.all, sameDefinition)
	l.now = next
	if !same {
		l.news.Changed()
	}
	return nil
}

func sameDefinition(a, b *app.Function) bool {
	return a.Name == b.Name && a.Title == b.Title && a.Plural == b.Plural && a.Description == b.Description && a.Approval == b.Approval &&
		bytes.Equal(a.Input, b.Input) && bytes.Equal(a.Output, b.Output)
}

// Now returns the list of the moment.
func (l *Live) Now() app.Functions { return l.current() }

func (l *Live) current() *Registry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

// Find returns the function that has exactly this name at the moment.
func (l *Live) Find(name string) (*app.Function, bool) { return l.current().Find(name) }

// All returns every function of the moment, sorted by name.
func (l *Live) All() []*app.Function { return l.current().All() }

// Listed is a function as the page reads it.
type Listed struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Approval    app.Approval    `json:"approval"`
	Input       json.RawMessage `json:"input"`
	Output      json.RawMessage `json:"output"`
}

type watched struct {
	Revision  int64    `json:"revision"`
	Functions []Listed `json:"functions"`
}

// Operations are what the page may ask for:
//
//	functions.watch {since}   → {revision, functions}, as soon as the revision is
//	                            another than since; 0: at once
func (l *Live) Operations() []app.Operation {
	return []app.Operation{{Name: "functions.watch", Do: func(ctx context.Context, raw json.RawMessage) (any, error) {
		args, err := operation.Args[struct {
			Since int64 `json:"since"`
		}]("functions.watch", raw)
		if err != nil {
			return nil, err
		}
		return l.watch(ctx, args.Since)
	}}}
}

func (l *Live) watch(ctx context.Context, since int64) (watched, error) {
	revision, err := l.news.After(ctx, since)
	if err != nil {
		return watched{}, err
	}
	list := watched{Revision: revision, Functions: []Listed{}}
	for _, f := range l.current().all {
		list.Functions = append(list.Functions, Listed{f.Name, f.Title, f.Description, f.Approval, f.Input, f.Output})
	}
	return list, nil
}
