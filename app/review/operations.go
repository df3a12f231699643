package review

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// from names the log that is meant: "" or "own" the app's own, else the id that
// log.open gave.
type from struct {
	Source string `json:"source"`
}

type filtered struct {
	Source string `json:"source"`
	Filter Filter `json:"filter"`
}

type page struct {
	Source string `json:"source"`
	Filter Filter `json:"filter"`
	Before int64  `json:"before"` // calls with a lower number; 0: from the newest
	Limit  int    `json:"limit"`  // 1 to 500
}

// Page is a page of calls, the newest first.
type Page struct {
	Rows []Row `json:"rows"`
	Head int64 `json:"head"` // number of the log's last entry when it was read
}

// Survey counts the calls that a filter chooses.
type Survey struct {
	Count int64 `json:"count"`
	// Marks are the numbers of the last call of each page of Every calls, the newest
	// page first: log.calls with before = marks[n] gives page n + 1.
	Marks []int64 `json:"marks"`
	Every int     `json:"every"`
	Head  int64   `json:"head"`
}

const (
	maxPage   = 500
	pageCalls = 100
)

// Operations are what the page may ask for. Each takes source, the id of a log, but
// for those that say otherwise; times are UTC.
//
//	log.sources  {}                                    → [Source]
//	log.open     {}                                    → {source: Source | null}   the person chooses a file
//	log.close    {source}                              → {}
//	log.ready    {source, since}                       → {ready, done, total}   waits while calls are listed
//	log.watch    {source, since}                       → {head}   waits for entries behind since
//	log.calls    {source, filter, before, limit}       → Page
//	log.search   {source, filter, before, limit}       → Page with hits; filter.text is needed
//	log.count    {source, filter}                      → Survey
//	log.stats    {source, filter}                      → Stats
//	log.names    {source}                              → {functions, models, decisions, deciders, outcomes}
//	log.call     {source, id}                          → Detail
//	log.run      {source, runId}                       → Run
//	log.ends     {source}                              → Ends
//	log.note     {source, id, finding, reason}         → {}   the app's own log only
//	log.atStart  {}                                    → {trouble: Trouble | null}   of the app's own log; waits until it is verified
//	log.verify   {source, start, key, since}           → Verifying   waits for news
//	log.head     {source}                              → HeadNote
//	log.compare  {source, text}                        → Comparison
//	log.export   {source, filter, format}              → Exported   the person chooses a file
//	log.filters.list {} / save {name, filter} / delete {name} → [SavedFilter]
func (r *Review) Operations() []app.Operation {
	return []app.Operation{
		do("log.sources", func(ctx context.Context, _ operation.None) (any, error) { return r.list(ctx) }),
		do("log.open", func(ctx context.Context, _ operation.None) (any, error) { return r.openAsked(ctx) }),
		do("log.close", func(_ context.Context, a from) (any, error) { return operation.None{}, r.forget(a.Source) }),
		do("log.ready", r.ready),
		do("log.watch", r.watch),
		do("log.calls", func(ctx context.Context, a page) (any, error) { return r.page(ctx, a, false) }),
		do("log.search", func(ctx context.Context, a page) (any, error) { return r.page(ctx, a, true) }),
		do("log.count", r.survey),
		do("log.stats", r.stats),
		do("log.names", r.names),
		do("log.call", r.call),
		do("log.run", r.runOf),
		do("log.ends", r.endsOf),
		do("log.note", r.noteOn),
		do("log.atStart", r.atStart),
		do("log.verify", r.verify),
		do("log.head", r.head),
		do("log.compare", r.compare),
		do("log.export", r.exportAsked),
		do("log.filters.list", func(context.Context, operation.None) (any, error) { return r.saved.List() }),
		do("log.filters.save", func(_ context.Context, f SavedFilter) (any, error) { return r.saved.Save(f) }),
		do("log.filters.delete", func(_ context.Context, a struct {
			Name string `json:"name"`
		}) (any, error) {
			return r.saved.Delete(a.Name)
		}),
	}
}

func do[T any](name string, f func(ctx context.Context, a T) (any, error)) app.Operation {
	return app.Operation{Name: name, Do: func(ctx context.Context, raw json.RawMessage) (any, error) {
		a, err := operation.Args[T](name, raw)
		if err != nil {
			return nil, err
		}
		out, err := f(ctx, a)
		if err != nil && ctx.Err() != nil {
			return nil, &app.Error{Code: app.Cancelled, Cause: err, Message: name + ": cancelled"}
		}
		return out, err
	}}
}

func badFilter(err error) error {
	var wrong *FieldError
	if errors.As(err, &wrong) {
		return app.Errorf(app.BadRequest, "%s", wrong.Error())
	}
	return err
}

// asked reads a filter and gives the source with all its calls listed.
func (r *Review) asked(ctx context.Context, source string, f Filter) (*source, sqlite.Filter, sqlite.Head, error) {
	chosen, err := f.Read(time.Now())
	if err != nil {
		return nil, chosen, sqlite.Head{}, badFilter(err)
	}
	s, head, err := r.filled(ctx, source)
	return s, chosen, head, err
}

func (r *Review) page(ctx context.Context, a page, search bool) (any, error) {
	if a.Limit < 1 || a.Limit > maxPage || a.Before < 0 {
		return nil, app.Errorf(app.BadRequest, "a page has 1 to %d calls, got %d", maxPage, a.Limit)
	}
	s, f, head, err := r.asked(ctx, a.Source, a.Filter)
	if err != nil {
		return nil, err
	}
	if search && f.Text == "" {
		return nil, app.Errorf(app.BadRequest, "log.search: filter.text is empty; log.calls lists without it")
	}
	numbers, err := s.catalog.Numbers(ctx, f, a.Before, a.Limit)
	if err != nil {
		return nil, err
	}
	text := ""
	if search {
		text = f.Text
	}
	list, err := rows(ctx, s.catalog, numbers, text)
	return Page{list, head.Number}, err
}

func (r *Review) survey(ctx context.Context, a filtered) (any, error) {
	s, f, head, err := r.asked(ctx, a.Source, a.Filter)
	if err != nil {
		return nil, err
	}
	count, marks, err := s.catalog.Survey(ctx, f, pageCalls)
	if marks == nil {
		marks = []int64{}
	}
	return Survey{count, marks, pageCalls, head.Number}, err
}

func (r *Review) stats(ctx context.Context, a filtered) (any, error) {
	s, f, _, err := r.asked(ctx, a.Source, a.Filter)
	if err != nil {
		return nil, err
	}
	return Count(ctx, s.catalog, f)
}

func (r *Review) names(ctx context.Context, a from) (any, error) {
	s, _, err := r.filled(ctx, a.Source)
	if err != nil {
		return nil, err
	}
	functions, err := s.catalog.Log().Functions(ctx)
	if err != nil {
		return nil, err
	}
	models, err := s.catalog.Models(ctx)
	if err != nil {
		return nil, err
	}
	return map[string][]string{"functions": append([]string{}, functions...), "models": append([]string{}, models...), "decisions": Decisions, "deciders": Deciders, "outcomes": Outcomes}, nil
}

func (r *Review) call(ctx context.Context, a struct {
	Source string `json:"source"`
	ID     int64  `json:"id"`
}) (any, error) {
	s, _, err := r.filled(ctx, a.Source)
	if err != nil {
		return nil, err
	}
	return s.detail(ctx, a.ID)
}

func (r *Review) runOf(ctx context.Context, a struct {
	Source string `json:"source"`
	RunID  string `json:"runId"`
}) (any, error) {
	s, _, err := r.filled(ctx, a.Source)
	if err != nil {
		return nil, err
	}
	return s.run(ctx, a.RunID)
}

func (r *Review) endsOf(ctx context.Context, a from) (any, error) {
	s, _, err := r.filled(ctx, a.Source)
	if err != nil {
		return nil, err
	}
	var faults []sqlite.Fault
	if s.kind == OwnLog && r.config.Log != nil {
		faults = r.config.Log.Faults()
	}
	return s.ends(ctx, faults, r.config.On)
}

func (r *Review) noteOn(ctx context.Context, a struct {
	Source string `json:"source"`
	Note
}) (any, error) {
	s, _, err := r.filled(ctx, a.Source)
	if err != nil {
		return nil, err
	}
	if err := s.mine("log.note"); err != nil {
		return nil, err
	}
	return operation.None{}, s.note(ctx, r.config.Log, a.Note)
}

func (r *Review) verify(ctx context.Context, a struct {
	Source string `json:"source"`
	Start  bool   `json:"start"` // begin anew, if it is not running
	Key    string `json:"key"`   // by which the signer of an export is known
	Since  int64  `json:"since"` // the step that is known already
}) (any, error) {
	s, err := r.of(a.Source)
	if err != nil {
		return nil, err
	}
	if a.Start {
		key, err := publicKey(a.Key)
		if err != nil {
			return nil, err
		}
		s.verifier.start(s.catalog.Log(), key)
	} else if s.kind == OwnLog && r.config.Log != nil {
		// Trouble that the start has found is not asked for again.
		if found, err := r.config.Log.AtStart(ctx); err == nil && found.Trouble != nil {
			s.verifier.know(found)
		}
	}
	return s.verifier.wait(ctx, a.Since)
}

func (r *Review) head(ctx context.Context, a from) (any, error) {
	s, err := r.of(a.Source)
	if err != nil {
		return nil, err
	}
	return NoteHead(ctx, s.catalog.Log())
}

func (r *Review) compare(ctx context.Context, a struct {
	Source string `json:"source"`
	Text   string `json:"text"`
}) (any, error) {
	s, err := r.of(a.Source)
	if err != nil {
		return nil, err
	}
	return Compare(ctx, s.catalog.Log(), a.Text)
}

func (r *Review) exportAsked(ctx context.Context, a struct {
	Source string `json:"source"`
	Filter Filter `json:"filter"`
	Format Format `json:"format"`
}) (any, error) {
	s, f, _, err := r.asked(ctx, a.Source, a.Filter)
	if err != nil {
		return nil, err
	}
	return r.export(ctx, s, f, a.Format)
}
