package review

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/adrg/xdg"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// Dialogs asks the person for places in the file system. Both give "" when the
// person chose none.
type Dialogs interface {
	SaveFile(ctx context.Context, title, name string) (path string, err error)
	OpenFile(ctx context.Context, title string) (path string, err error)
}

// Log is the app's own log, as far as a reviewer writes to it and asks after it.
type Log interface {
	app.Log
	// Faults are what went wrong with it since it was opened.
	Faults() []sqlite.Fault
	// AtStart waits for what verifying it beside the start finds.
	AtStart(context.Context) (sqlite.AtStart, error)
}

// Config is what a Review needs.
type Config struct {
	Path    string  // of the app's own log
	Log     Log     // the same, opened for writing
	Filters string  // file that keeps saved filters
	Dialogs Dialogs // nil: nothing can be opened or exported
	// On says whether a run is on; nil: one is that has begun and not ended in the log.
	On func(runID string) bool
}

// Review answers the page's questions about logs. Close it before the log.
type Review struct {
	config Config
	saved  *saved

	mu      sync.Mutex
	sources map[string]*source
	left    []*source // whose place another has taken; closed at the end
	opened  int
	closed  bool
}

// New returns a Review that has read nothing yet.
func New(config Config) *Review {
	if config.On == nil {
		config.On = func(string) bool { return true }
	}
	return &Review{config: config, saved: &saved{path: config.Filters}, sources: map[string]*source{}}
}

// FiltersFor is where the filters for a log are saved: with the person's settings
// for the app's own log, beside any other.
func FiltersFor(path string) string {
	if absolute, err := filepath.Abs(path); err == nil && absolute == sqlite.DefaultPath() {
		return filepath.Join(xdg.ConfigHome, "countersign", "filters.json")
	}
	return path + ".filters"
}

// own is the id of the app's own log among the sources.
const own = "own"

// Kind says what a source is.
type Kind string

// What can be opened.
const (
	OwnLog   Kind = "own"    // the app's own log
	OtherLog Kind = "log"    // another log file, read-only
	Export   Kind = "export" // an export, read-only
)

// source is a log that is looked at.
type source struct {
	id      string
	kind    Kind
	catalog *sqlite.Catalog

	verifier verifier
}

// of gives the source with an id; the app's own is opened when it is first asked for.
func (r *Review) of(id string) (*source, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, app.Errorf(app.Cancelled, "the app is ending")
	}
	if id == "" {
		id = own
	}
	if s := r.sources[id]; s != nil {
		return s, nil
	}
	if id != own {
		return nil, app.Errorf(app.BadRequest, "no log is open under %.20q; open it again", id)
	}
	s, err := r.ownAt(sqlite.CatalogFor(r.config.Path))
	if errors.Is(err, sqlite.ErrNoCatalog) {
		s, err = r.ownAt("")
	}
	return s, err
}

// ownAt opens the app's own log with its catalog at path, "" for a temporary one.
// r.mu is held.
func (r *Review) ownAt(path string) (*source, error) {
	reader, err := sqlite.OpenReader(r.config.Path)
	if err != nil {
		return nil, err
	}
	catalog, err := sqlite.OpenCatalog(reader, path)
	if err != nil {
		return nil, &app.Error{Code: app.LogUnavailable, Cause: err, Message: err.Error()}
	}
	s := &source{id: own, kind: OwnLog, catalog: catalog}
	r.sources[own] = s
	return s, nil
}

// filled gives a source whose catalog has all that the log has.
func (r *Review) filled(ctx context.Context, id string) (*source, sqlite.Head, error) {
	s, err := r.of(id)
	if err != nil {
		return nil, sqlite.Head{}, err
	}
	return r.fill(ctx, s)
}

// fill brings the catalog of a source up to date. Where the one beside the app's own
// log cannot be written any more, as on a full disk, a source with a temporary one
// takes its place; the old one is left to whoever still reads from it.
func (r *Review) fill(ctx context.Context, s *source) (*source, sqlite.Head, error) {
	head, err := s.catalog.Fill(ctx)
	if !errors.Is(err, sqlite.ErrNoCatalog) {
		return s, head, err
	}
	r.mu.Lock()
	if r.sources[own] == s && !r.closed {
		if _, err := r.ownAt(""); err != nil {
			r.mu.Unlock()
			return s, head, err
		}
		r.left = append(r.left, s)
	}
	next := r.sources[own]
	r.mu.Unlock()
	if next == nil {
		return s, head, err
	}
	head, err = next.catalog.Fill(ctx)
	return next, head, err
}

// open opens a file as a further source.
func (r *Review) open(ctx context.Context, path string) (*source, error) {
	if same(path, r.config.Path) {
		return r.of(own)
	}
	kind, reader, err := openFile(ctx, path)
	if err != nil {
		return nil, err
	}
	catalog, err := sqlite.OpenCatalog(reader, "") // nothing is written beside it
	if err != nil {
		return nil, err
	}
	r.closeOther(path) // the file may have changed since
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opened++
	s := &source{id: strconv.Itoa(r.opened), kind: kind, catalog: catalog}
	r.sources[s.id] = s
	return s, nil
}

// closeOther closes the source that is open on a file, if there is one.
func (r *Review) closeOther(path string) {
	r.mu.Lock()
	var id string
	for _, s := range r.sources {
		if s.kind != OwnLog && same(s.catalog.Log().Path(), path) {
			id = s.id
		}
	}
	r.mu.Unlock()
	if id != "" {
		if err := r.forget(id); err != nil {
			slog.Warn("a log that was opened before could not be closed", "error", err)
		}
	}
}

func openFile(ctx context.Context, path string) (Kind, *sqlite.Reader, error) {
	database, err := sqlite.IsDatabase(path)
	if err != nil {
		return "", nil, app.Errorf(app.BadRequest, "%s cannot be opened: %v", path, err)
	}
	if database {
		reader, err := sqlite.OpenReader(path)
		return OtherLog, reader, err
	}
	reader, err := sqlite.OpenExport(ctx, path)
	if err != nil {
		return "", nil, app.Errorf(app.BadRequest, "%s is neither a log of Countersign (log.db) nor an export of one (JSON Lines): %v", filepath.Base(path), err)
	}
	return Export, reader, nil
}

func same(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// forget closes a source that is not the app's own.
func (r *Review) forget(id string) error {
	r.mu.Lock()
	s := r.sources[id]
	if s == nil || s.kind == OwnLog {
		r.mu.Unlock()
		return app.Errorf(app.BadRequest, "no other log is open under %.20q", id)
	}
	delete(r.sources, id)
	r.mu.Unlock()
	return s.close()
}

func (s *source) close() error {
	s.verifier.stop()
	return s.catalog.Close()
}

// Close ends looking, and forgets what was made for it.
func (r *Review) Close() error {
	r.mu.Lock()
	r.closed = true
	sources := append(slices.Collect(maps.Values(r.sources)), r.left...)
	r.sources, r.left = map[string]*source{}, nil
	r.mu.Unlock()
	var err error
	for _, s := range sources {
		err = errors.Join(err, s.close())
	}
	return err
}

// mine refuses to write to a log that is not the app's own.
func (s *source) mine(what string) error {
	if s.kind != OwnLog {
		return app.Errorf(app.BadRequest, "%s: %s is opened read-only; only the app's own log is written to", what, filepath.Base(s.catalog.Log().Path()))
	}
	return nil
}

// Source is a log that is looked at, as the page is told of it.
type Source struct {
	ID      string      `json:"id"`
	Kind    Kind        `json:"kind"`
	Path    string      `json:"path"`
	Name    string      `json:"name"`    // of the file
	Title   string      `json:"title"`   // what to call it
	Head    sqlite.Head `json:"head"`    // its id and last entry
	Signs   bool        `json:"signs"`   // exports of it are signed
	Partial bool        `json:"partial"` // an export of chosen calls, not of a whole log
}

func (s *source) describe(ctx context.Context) (Source, error) {
	log := s.catalog.Log()
	head, err := log.Head(ctx)
	if err != nil {
		return Source{}, err
	}
	out := Source{ID: s.id, Kind: s.kind, Path: log.Path(), Name: filepath.Base(log.Path()), Head: head, Signs: log.Signs(), Partial: log.Partial()}
	switch s.kind {
	case OwnLog:
		out.Title = "This app’s own log"
	case Export:
		out.Title = fmt.Sprintf("Export %s", out.Name)
	default:
		out.Title = fmt.Sprintf("Log file %s", out.Name)
	}
	return out, nil
}
