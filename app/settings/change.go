package settings

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// logTime bounds how long a change waits for the log.
const logTime = 10 * time.Second

// Reload reads the file again, as if it had just been saved.
func (s *Store) Reload() { s.load("file") }

// load puts the file into force if it is right and what it loosens can be logged.
func (s *Store) load(from string) {
	if s.fixed {
		return
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	text, exists, err := read(s.config.Path)
	if err != nil {
		s.keep(text, exists, []Problem{whole(Mistake, "the file cannot be read: %v", err)})
		return
	}
	after, problems := Defaults(), []Problem(nil)
	if exists {
		after, problems = Parse(text, s.config.Closed...)
	}
	if wrong(problems) {
		s.keep(text, exists, problems)
		return
	}
	if err := s.log(from, Loosened(s.Current(), after)); err != nil {
		s.keep(text, exists, append(problems, whole(Mistake, "what the file loosens is not in force, because the log cannot be written: %v", err)))
		return
	}
	s.accept(after, text, exists, problems)
}

// accept puts settings into force and keeps their text as the last good one.
func (s *Store) accept(after Settings, text []byte, exists bool, problems []Problem) {
	source, good := FromFile, text
	if !exists {
		source, good = FromDefaults, []byte("{}\n")
	}
	if err := write(s.config.LastGood, good); err != nil {
		problems = append(problems, whole(Warning, "a copy of these settings could not be kept, so a mistake in the file would bring back older ones: %v", err))
	}
	s.setText(text)
	s.set(func(status *Status) {
		status.Settings, status.Source, status.Exists, status.Problems = after, source, exists, problems
	})
}

// keep leaves in force what is, and says why.
func (s *Store) keep(text []byte, exists bool, problems []Problem) {
	s.setText(text)
	s.set(func(status *Status) {
		if status.Source != FromStrictest {
			status.Source = FromLastGood
		}
		status.Exists, status.Problems = exists, problems
	})
}

func (s *Store) setText(text []byte) {
	s.mu.Lock()
	s.text = text
	s.mu.Unlock()
}

// log writes that settings are about to become looser.
func (s *Store) log(from string, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	body := app.SettingsChangedBody{From: from}
	for _, c := range changes {
		before, err := json.Marshal(c.Before)
		if err != nil {
			return err
		}
		after, err := json.Marshal(c.After)
		if err != nil {
			return err
		}
		body.Changes = append(body.Changes, app.SettingsChange{Field: c.Field, Text: c.Text, Before: before, After: after})
	}
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	// A page that goes away must not leave open whether the change was made.
	ctx, cancel := context.WithTimeout(context.Background(), logTime)
	defer cancel()
	return s.config.Log.Append(ctx, app.Entry{Kind: app.SettingsChanged, Body: text})
}

// Changed is what came of a change on the screen.
type Changed struct {
	Applied  bool
	Loosened []Change
}

// Change makes s the settings, in the file and in force. What loosens must be
// confirmed: without it nothing is changed and the loosenings are returned.
// Errors are for people: a value that is refused, a file that has mistakes, a
// log that cannot be written. Then nothing has changed.
func (s *Store) Change(revision int64, wanted Settings, confirmed bool) (Changed, error) {
	if s.fixed {
		return Changed{}, app.Errorf(app.BadRequest, "a demo uses settings of its own; start Countersign itself to change yours")
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	status := s.Status()
	if revision != status.Revision {
		return Changed{}, app.Errorf(app.BadRequest, "the settings have changed in the meantime; look at them again and repeat what you did")
	}
	if wrong(status.Problems) {
		return Changed{}, app.Errorf(app.BadRequest, "the settings file has a mistake; correct it first, or put it aside")
	}
	after, err := s.checked(wanted)
	if err != nil {
		return Changed{}, err
	}
	loosened := Loosened(status.Settings, after)
	if len(loosened) > 0 && !confirmed {
		return Changed{Loosened: loosened}, nil
	}
	s.mu.Lock()
	text := s.text
	s.mu.Unlock()
	if now, _, err := read(s.config.Path); err != nil || string(now) != string(text) {
		return Changed{}, app.Errorf(app.BadRequest, "the settings file was changed just now; look at the settings again and repeat what you did")
	}
	edited, err := Edit(text, after)
	if err != nil {
		return Changed{}, app.Errorf(app.BadRequest, "%v", err)
	}
	d, err := prepare(s.config.Path, edited)
	if err != nil {
		return Changed{}, cannotWrite(err)
	}
	if err := s.log("screen", loosened); err != nil {
		return Changed{}, errors.Join(&app.Error{Code: app.LogUnavailable, Cause: err,
			Message: "the log cannot be written, so nothing was loosened: " + err.Error()}, d.drop())
	}
	if err := d.place(); err != nil {
		return Changed{}, errors.Join(cannotWrite(err), d.drop())
	}
	_, problems := Parse(edited, s.config.Closed...)
	s.accept(after, edited, true, problems)
	return Changed{Applied: true, Loosened: loosened}, nil
}

func cannotWrite(err error) error {
	return &app.Error{Code: app.BadRequest, Cause: err, Message: "the settings file cannot be written, and nothing has changed: " + err.Error()}
}

// checked reads settings as if they stood in a file, so that there is one check.
func (s *Store) checked(wanted Settings) (Settings, error) {
	text, err := json.Marshal(wanted)
	if err != nil {
		return Settings{}, err
	}
	after, problems := Parse(text, s.config.Closed...)
	for _, p := range problems {
		if p.Severity == Mistake {
			return Settings{}, app.Errorf(app.InvalidInput, "%s", p.Text)
		}
	}
	return after, nil
}

// PutAside renames a file with mistakes to one that ends in .broken and writes
// what is in force in its place.
func (s *Store) PutAside() error {
	if s.fixed {
		return app.Errorf(app.BadRequest, "a demo has no settings file")
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	text, exists, err := read(s.config.Path)
	if err != nil || !exists {
		return app.Errorf(app.BadRequest, "there is no settings file to put aside")
	}
	inForce := s.Current()
	good, _, err := read(s.config.LastGood)
	if last, problems := Parse(good, s.config.Closed...); err != nil || wrong(problems) || !last.Equal(inForce) {
		good = nil
	}
	edited, err := Edit(good, inForce)
	if err != nil {
		return err
	}
	if err := write(target(s.config.Path)+".broken", text); err != nil {
		return cannotWrite(err)
	}
	if err := write(s.config.Path, edited); err != nil {
		return cannotWrite(err)
	}
	_, problems := Parse(edited, s.config.Closed...)
	s.accept(inForce, edited, true, problems)
	return nil
}
