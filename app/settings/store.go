package settings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
)

// Source says what the settings in force are.
type Source string

const (
	FromFile      Source = "file"
	FromDefaults  Source = "defaults"  // there is no file
	FromLastGood  Source = "last good" // the file has mistakes
	FromStrictest Source = "strictest" // the file has mistakes, and nothing good was ever read
)

// Config is what a store needs.
type Config struct {
	Path     string    // of the file; see DefaultPath
	LastGood string    // where the last good text is kept; empty: LastGoodFor(Path)
	Log      app.Log   // takes what loosens
	Closed   []string  // folders of the app's own, which no function may be given
	Stderr   io.Writer // gets problems, a line each; nil: os.Stderr
}

// Status is what is in force, and what is wrong with the file.
type Status struct {
	Revision int64
	Settings Settings
	Source   Source
	Exists   bool // there is a file
	Problems []Problem
}

// Store holds the settings in force and follows the file.
type Store struct {
	config Config
	fixed  bool
	watch  *watch
	news   operation.News // its revisions are those of the status

	turn sync.Mutex // one change at a time, with its log entry, file and subscribers

	mu          sync.Mutex
	status      Status
	text        []byte // of the file as it was last read; nil: there is none
	subscribers map[int]func(Settings)
	next        int
	printed     string // the problems that stderr has
}

// Open reads the file and begins to follow it. Mistakes in it are problems in the
// status, not errors. Close the store to stop.
func Open(config Config) (*Store, error) {
	if config.Path == "" || config.Log == nil {
		return nil, errors.New("a settings store needs Path and Log")
	}
	if config.LastGood == "" {
		config.LastGood = LastGoodFor(config.Path)
	}
	if config.Stderr == nil {
		config.Stderr = os.Stderr
	}
	s := newStore(config, Strictest(), FromStrictest)
	if err := makePrivate(filepath.Dir(config.Path)); err != nil {
		return nil, err
	}
	if last, ok := s.lastGood(); ok {
		s.status.Settings, s.status.Source = last, FromLastGood
	} else if _, err := os.Stat(config.LastGood); errors.Is(err, os.ErrNotExist) {
		s.begin()
	}
	s.load("start")
	var err error
	if s.watch, err = follow(config.Path, func() { s.load("file") }); err != nil {
		s.note(whole(Warning, "changes of the file are not noticed by themselves: %v", err))
	}
	return s, nil
}

// Fixed is a store of settings that nobody can change: those of a demo. It reads
// and writes no file.
func Fixed(settings Settings) *Store {
	s := newStore(Config{Stderr: io.Discard}, settings, FromDefaults)
	s.fixed = true
	return s
}

func newStore(config Config, settings Settings, source Source) *Store {
	return &Store{
		config: config, subscribers: map[int]func(Settings){},
		status: Status{Revision: 1, Settings: settings.Clone(), Source: source},
	}
}

// begin is the very first start: whatever the file says is compared with the
// defaults, unless it cannot be read.
func (s *Store) begin() {
	text, exists, err := read(s.config.Path)
	if err != nil {
		return
	}
	if _, problems := Parse(text, s.config.Closed...); exists && wrong(problems) {
		return
	}
	s.status.Settings, s.status.Source = Defaults(), FromDefaults
}

func (s *Store) lastGood() (Settings, bool) {
	text, exists, err := read(s.config.LastGood)
	if err != nil || !exists {
		return Settings{}, false
	}
	last, problems := Parse(text, s.config.Closed...)
	return last, !wrong(problems)
}

// Current is what is in force.
func (s *Store) Current() Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status.Settings.Clone()
}

// Status is what is in force, where it comes from, and what is wrong.
func (s *Store) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := s.status
	status.Settings = status.Settings.Clone()
	status.Problems = slices.Clone(status.Problems)
	return status
}

// Subscribe has f called with what is in force after each change, one at a time.
// f must not change settings.
func (s *Store) Subscribe(f func(Settings)) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.next
	s.next++
	s.subscribers[id] = f
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.subscribers, id)
	}
}

// Watch waits until the status is another than the one with this revision. The
// end of ctx is a Cancelled.
func (s *Store) Watch(ctx context.Context, since int64) (Status, error) {
	if _, err := s.news.After(ctx, since); err != nil {
		return Status{}, err
	}
	return s.Status(), nil
}

// set puts a status into force, and tells of it: stderr first, then who watches,
// then who subscribed. s.turn is held, so nothing else changes it meanwhile.
func (s *Store) set(change func(*Status)) {
	before := s.Status()
	after := s.Status()
	change(&after)
	same := before.Settings.Equal(after.Settings)
	if same && before.Source == after.Source && before.Exists == after.Exists && slices.Equal(before.Problems, after.Problems) {
		return
	}
	after.Revision++
	s.print(after.Problems)
	s.mu.Lock()
	s.status = after
	var heard []func(Settings)
	for id := range s.next {
		if f := s.subscribers[id]; f != nil && !same {
			heard = append(heard, f)
		}
	}
	s.mu.Unlock()
	s.news.Changed()
	for _, f := range heard {
		f(after.Settings.Clone())
	}
}

func (s *Store) note(p Problem) {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.set(func(status *Status) { status.Problems = append(status.Problems, p) })
}

// print tells stderr of problems that it has not been told of last.
func (s *Store) print(problems []Problem) {
	var text string
	for _, p := range problems {
		text += "countersign: " + p.Print(s.config.Path) + "\n"
	}
	s.mu.Lock()
	told := text == s.printed
	s.printed = text
	s.mu.Unlock()
	if !told && text != "" {
		fmt.Fprint(s.config.Stderr, text)
	}
}

// Close stops following the file.
func (s *Store) Close() error {
	if s.watch == nil {
		return nil
	}
	return s.watch.close()
}

func makePrivate(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(folder)
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(folder, 0o700)
	}
	return err
}
