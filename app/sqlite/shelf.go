package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/faustine-ai/countersign/app"
)

// MaxWaiting bounds what is kept of one waiting run, in bytes: a continuation of
// the size of the largest value, and its rows.
const MaxWaiting = 40 << 20

// WaitingFor is where the waiting runs of a log are kept: in a folder beside it,
// one file for each. They are no entries, since they must be forgotten, and not
// in the database, whose free pages and copies would remember them.
func WaitingFor(path string) string { return path + ".waiting" }

// shelf keeps waiting runs as files: the SHA-256 of what follows, a line end,
// the run as JSON. It may only be written while the log's lock is held.
type shelf struct{ dir string }

var _ app.Waiting = shelf{}

// Waiting is where the waiting runs of this log are kept, until Close.
func (l *Log) Waiting() app.Waiting { return shelf{WaitingFor(l.path)} }

const shelfSuffix = ".run"

func (s shelf) file(runID string) string {
	name := sha256.Sum256([]byte(runID)) // an id is the page's, and no file name
	return filepath.Join(s.dir, hex.EncodeToString(name[:])+shelfSuffix)
}

func (s shelf) Keep(_ context.Context, run app.WaitingRun) (err error) {
	text, err := json.Marshal(run)
	if err != nil {
		return &app.Error{Code: app.CannotWait, Cause: err, Message: "the waiting run cannot be written: " + err.Error()}
	}
	if len(text) > MaxWaiting {
		return app.Errorf(app.CannotWait, "the waiting run has %d bytes; at most %d are kept", len(text), MaxWaiting)
	}
	defer func() {
		if err != nil {
			err = &app.Error{Code: app.CannotWait, Cause: err, Message: "the waiting run cannot be kept: " + err.Error()}
		}
	}()
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(s.dir, ".new-*") // 0600 from the start
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	_, err = draft.Write(slices.Concat([]byte(hex.EncodeToString(sum[:])), []byte("\n"), text))
	if err = errors.Join(err, draft.Sync(), draft.Close()); err == nil {
		err = os.Rename(draft.Name(), s.file(run.ID))
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	return syncDir(s.dir)
}

func (s shelf) Read(_ context.Context, runID string) (app.WaitingRun, error) {
	run, err := s.read(s.file(runID))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return run, app.Errorf(app.NotWaiting, "the run %.50q does not wait (any more)", runID)
	case err != nil:
		return run, &app.Error{Code: app.CannotResume, Cause: err, Message: "what was kept of the waiting run cannot be read: " + err.Error()}
	case run.ID != runID:
		return run, app.Errorf(app.CannotResume, "what was kept of the waiting run %.50q is another run's", runID)
	}
	return run, nil
}

func (s shelf) read(path string) (run app.WaitingRun, err error) {
	text, err := readRegular(path)
	if err != nil {
		return run, err
	}
	head, body, _ := bytes.Cut(text, []byte("\n"))
	if sum := sha256.Sum256(body); string(head) != hex.EncodeToString(sum[:]) {
		return run, fmt.Errorf("%s is damaged: its checksum is not that of its content", path)
	}
	return run, json.Unmarshal(body, &run)
}

func (s shelf) List(context.Context) ([]app.WaitingRun, error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	var runs []app.WaitingRun
	var problems []error
	for _, name := range names {
		run, err := s.read(filepath.Join(s.dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // decided meanwhile
		}
		if err != nil {
			problems = append(problems, err)
			continue
		}
		run.Continuation = nil
		runs = append(runs, run)
	}
	slices.SortFunc(runs, func(a, b app.WaitingRun) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID))
	})
	return runs, errors.Join(problems...)
}

func (s shelf) names() (names []string, err error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), shelfSuffix) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

func (s shelf) Drop(_ context.Context, runID string) error {
	err := os.Remove(s.file(runID))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, syncDir(s.dir))
}

// tidy removes all but these runs: what the log says is decided or over, and
// what a kill left half written.
func (s shelf) tidy(waiting map[string]bool) error {
	keep := map[string]bool{}
	for runID := range waiting {
		keep[filepath.Base(s.file(runID))] = true
	}
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		ours := strings.HasSuffix(e.Name(), shelfSuffix) || strings.HasPrefix(e.Name(), ".new-")
		if ours && !keep[e.Name()] {
			err = errors.Join(err, os.Remove(filepath.Join(s.dir, e.Name())))
		}
	}
	return err
}
