package settings

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/logtest"
)

// desk is a folder with a settings file, and a log.
type desk struct {
	t      *testing.T
	config Config
	log    *logtest.Memory
	stderr *lines
}

type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "countersign")
	d := &desk{t: t, log: &logtest.Memory{}, stderr: &lines{}}
	d.config = Config{Path: filepath.Join(folder, "settings.jsonc"), Log: d.log, Stderr: d.stderr}
	return d
}

func (d *desk) open() *Store {
	d.t.Helper()
	s, err := Open(d.config)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { s.Close() })
	return s
}

// write is what an editor does from outside.
func (d *desk) write(text string) {
	d.t.Helper()
	if err := os.MkdirAll(filepath.Dir(d.config.Path), 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(d.config.Path, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) file() string {
	d.t.Helper()
	text, err := os.ReadFile(d.config.Path)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

// until waits for a status that holds.
func until(t *testing.T, s *Store, holds func(Status) bool) Status {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for since := int64(0); ; {
		status, err := s.Watch(ctx, since)
		if err != nil {
			t.Fatalf("waited in vain; it is %+v", s.Status())
		}
		if holds(status) {
			return status
		}
		since = status.Revision
	}
}

// logged are the bodies of what was logged.
func (d *desk) logged() (bodies []app.SettingsChangedBody) {
	d.t.Helper()
	for _, e := range d.log.Entries() {
		var body app.SettingsChangedBody
		if err := json.Unmarshal(e.Body, &body); err != nil || e.Kind != app.SettingsChanged {
			d.t.Fatalf("%s %s: %v", e.Kind, e.Body, err)
		}
		bodies = append(bodies, body)
	}
	return bodies
}

var errFull = errors.New("the disk is full")

func TestWithoutAFileTheDefaultsAreInForceAndNoFileIsMade(t *testing.T) {
	d := newDesk(t)
	status := d.open().Status()
	if !status.Settings.Equal(Defaults()) || status.Source != FromDefaults || status.Exists || len(status.Problems) > 0 {
		t.Errorf("%+v", status)
	}
	if _, err := os.Stat(d.config.Path); !os.IsNotExist(err) {
		t.Error("there is a file")
	}
	if len(d.logged()) > 0 {
		t.Error("something was logged")
	}
}

func TestWhatIsSavedIsInForceAndLogged(t *testing.T) {
	d := newDesk(t)
	s := d.open()
	d.write(`{"hosts": ["a.example.com"], "theme": "dark"}`)
	status := until(t, s, func(status Status) bool { return status.Settings.Theme == Dark })
	if status.Source != FromFile || !status.Exists || len(status.Settings.Hosts) != 1 {
		t.Errorf("%+v", status)
	}
	logged := d.logged()
	if len(logged) != 1 || logged[0].From != "file" || len(logged[0].Changes) != 1 || string(logged[0].Changes[0].After) != `"a.example.com"` {
		t.Errorf("%+v", logged)
	}
	if info, err := os.Stat(d.config.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read it: %v, %v", info.Mode(), err)
	}
	d.write(`{"theme": "light"}`)
	until(t, s, func(status Status) bool { return status.Settings.Theme == Light })
	if len(d.logged()) != 1 {
		t.Error("what only tightens was logged")
	}
	if err := os.Remove(d.config.Path); err != nil {
		t.Fatal(err)
	}
	until(t, s, func(status Status) bool { return status.Source == FromDefaults })
}

func TestAMistakeLeavesTheLastGoodInForceAlsoAfterARestart(t *testing.T) {
	d := newDesk(t)
	d.write(`{"hosts": ["a.example.com"], "approval": "each"}`)
	s := d.open()
	broken := "{\n  \"approval\": \"batch\",\n  \"hsots\": []\n}"
	d.write(broken)
	status := until(t, s, func(status Status) bool { return len(status.Problems) > 0 })
	if status.Settings.Approval != Each || len(status.Settings.Hosts) != 1 || status.Source != FromLastGood {
		t.Errorf("%+v", status)
	}
	if p := status.Problems[0]; p.Line != 3 || p.Column != 3 || !strings.Contains(p.Text, `did you mean "hosts"?`) {
		t.Errorf("%+v", p)
	}
	want := "countersign: " + d.config.Path + `:3:3: error: there is no setting "hsots"; did you mean "hosts"?` + "\n"
	if d.stderr.String() != want {
		t.Errorf("stderr has %q", d.stderr.String())
	}
	s.Close()
	again := d.open().Status()
	if !again.Settings.Equal(status.Settings) || again.Source != FromLastGood || len(again.Problems) != 1 {
		t.Errorf("after a restart %+v", again)
	}
	if len(d.logged()) != 1 {
		t.Errorf("logged %+v", d.logged())
	}
	if d.file() != broken {
		t.Error("the person's file was changed")
	}
}

func TestAMistakeWithNothingGoodBringsTheStrictest(t *testing.T) {
	d := newDesk(t)
	d.write(`{"approval": "batch",`)
	status := d.open().Status()
	if !status.Settings.Equal(Strictest()) || status.Source != FromStrictest {
		t.Errorf("%+v", status)
	}
}

func TestAnUnreadableLastGoodBringsTheStrictest(t *testing.T) {
	d := newDesk(t)
	d.write(`{"hosts": ["a.example.com"]}`)
	d.open().Close()
	if err := os.WriteFile(d.config.Path+".last-good", []byte("\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.write(`{`)
	if status := d.open().Status(); !status.Settings.Equal(Strictest()) {
		t.Errorf("%+v", status)
	}
}

func TestWhatWasLoosenedWhileTheAppWasClosedIsLoggedAtTheStart(t *testing.T) {
	d := newDesk(t)
	d.write(`{"tighten": ["*"]}`)
	d.open().Close()
	d.write(`{"hosts": ["a.example.com"]}`)
	d.open().Close()
	logged := d.logged()
	if len(logged) != 1 || logged[0].From != "start" || len(logged[0].Changes) != 2 {
		t.Errorf("%+v", logged)
	}
	d.open()
	if len(d.logged()) != 1 {
		t.Error("it was logged again")
	}
}

func TestWhatCannotBeLoggedDoesNotLoosen(t *testing.T) {
	fail := func(app.Entry) error { return errFull }
	loose := Defaults()
	loose.Hosts = []string{"a.example.com"}
	t.Run("from the screen", func(t *testing.T) {
		d := newDesk(t)
		s := d.open()
		d.log.SetFail(fail)
		if _, err := s.Change(s.Status().Revision, loose, true); app.CodeOf(err) != app.LogUnavailable {
			t.Errorf("got %v", err)
		}
		if _, err := os.Stat(d.config.Path); !os.IsNotExist(err) || len(s.Current().Hosts) > 0 {
			t.Error("it took effect")
		}
		left, err := filepath.Glob(filepath.Join(filepath.Dir(d.config.Path), ".settings-*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		strict := Defaults()
		strict.Approval = Never
		if _, err := s.Change(s.Status().Revision, strict, false); err != nil || s.Current().Approval != Never {
			t.Errorf("what tightens must work without a log: %v", err)
		}
	})
	t.Run("from the file", func(t *testing.T) {
		d := newDesk(t)
		s := d.open()
		d.log.SetFail(fail)
		d.write(`{"hosts": ["a.example.com"]}`)
		status := until(t, s, func(status Status) bool { return wrong(status.Problems) })
		if len(status.Settings.Hosts) > 0 || !strings.Contains(status.Problems[0].Text, "the log cannot be written") {
			t.Errorf("%+v", status)
		}
		d.log.SetFail(nil)
		s.Reload()
		if len(s.Current().Hosts) != 1 || len(s.Status().Problems) > 0 {
			t.Errorf("with the log back: %+v", s.Status())
		}
	})
	t.Run("at the start", func(t *testing.T) {
		d := newDesk(t)
		d.write(`{"hosts": ["a.example.com"]}`)
		d.log.SetFail(fail)
		if status := d.open().Status(); len(status.Settings.Hosts) > 0 || !wrong(status.Problems) {
			t.Errorf("%+v", status)
		}
	})
}

func TestALoosenedSettingIsLoggedBeforeItIsInForce(t *testing.T) {
	d := newDesk(t)
	s := d.open()
	loose := Defaults()
	loose.Hosts = []string{"a.example.com"}
	d.log.SetFail(func(app.Entry) error {
		if len(s.Current().Hosts) > 0 {
			t.Error("it is in force already")
		}
		if _, err := os.Stat(d.config.Path); !os.IsNotExist(err) {
			t.Error("the file has it already")
		}
		return nil
	})
	if _, err := s.Change(s.Status().Revision, loose, true); err != nil {
		t.Fatal(err)
	}
	if logged := d.logged(); len(logged) != 1 || logged[0].From != "screen" {
		t.Errorf("%+v", logged)
	}
}

func TestALoosenedSettingMustBeConfirmed(t *testing.T) {
	d := newDesk(t)
	s := d.open()
	loose := Defaults()
	loose.Hosts = []string{"a.example.com"}
	result, err := s.Change(s.Status().Revision, loose, false)
	if err != nil || result.Applied || len(result.Loosened) != 1 || len(s.Current().Hosts) > 0 || len(d.logged()) > 0 {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestAChangeOnTheScreenIsRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		before func(d *desk, s *Store)
		change func(*Settings)
		says   string
	}{
		{"when the value is wrong", nil, func(s *Settings) { s.Hosts = []string{"127.0.0.1"} }, "addresses are always asked about"},
		{"when the file has a mistake", func(d *desk, s *Store) { d.write("{"); s.Reload() }, nil, "has a mistake"},
		{"when the file was changed this very moment", func(d *desk, _ *Store) { d.write(`{"theme": "light"}`) }, nil, "again and repeat what you did"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			s := d.open()
			revision := s.Status().Revision
			if c.before != nil {
				c.before(d, s)
				revision = s.Status().Revision
			}
			wanted := Defaults()
			wanted.Theme = Dark
			if c.change != nil {
				c.change(&wanted)
			}
			before := s.Current()
			if _, err := s.Change(revision, wanted, true); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v", err)
			}
			if !s.Current().Equal(before) && c.name == "when the value is wrong" {
				t.Error("it took effect")
			}
		})
	}
	t.Run("when it is about older settings", func(t *testing.T) {
		s := newDesk(t).open()
		if _, err := s.Change(s.Status().Revision-1, Defaults(), true); err == nil || !strings.Contains(err.Error(), "in the meantime") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("in a demo", func(t *testing.T) {
		s := Fixed(Defaults())
		if _, err := s.Change(1, Defaults(), true); err == nil {
			t.Error("it took effect")
		}
	})
}

func TestALinkedFileIsChangedWhereItIs(t *testing.T) {
	d := newDesk(t)
	kept := filepath.Join(t.TempDir(), "mine.jsonc")
	if err := os.WriteFile(kept, []byte("// mine\n{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(d.config.Path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(kept, d.config.Path); err != nil {
		t.Fatal(err)
	}
	s := d.open()
	wanted := Defaults()
	wanted.Theme = Dark
	if _, err := s.Change(s.Status().Revision, wanted, false); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(d.config.Path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if text, err := os.ReadFile(kept); err != nil || !strings.Contains(string(text), "// mine") || !strings.Contains(string(text), "dark") {
		t.Errorf("%s, %v", text, err)
	}
	if err := os.WriteFile(kept, []byte(`{"theme": "light"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	until(t, s, func(status Status) bool { return status.Settings.Theme == Light })
}

func TestAFileWithMistakesCanBePutAside(t *testing.T) {
	d := newDesk(t)
	d.write("// mine\n{\"theme\": \"dark\"}\n")
	s := d.open()
	d.write("{oops")
	s.Reload()
	if err := s.PutAside(); err != nil {
		t.Fatal(err)
	}
	if status := s.Status(); status.Source != FromFile || len(status.Problems) > 0 || status.Settings.Theme != Dark {
		t.Errorf("%+v", status)
	}
	if d.file() != "// mine\n{\"theme\": \"dark\"}\n" {
		t.Errorf("the file is %s", d.file())
	}
	if text, err := os.ReadFile(d.config.Path + ".broken"); err != nil || string(text) != "{oops" {
		t.Errorf("%s, %v", text, err)
	}
}

func TestSubscribersHearOfEachChangeInOrder(t *testing.T) {
	d := newDesk(t)
	s := d.open()
	var heard []Theme
	stop := s.Subscribe(func(now Settings) { heard = append(heard, now.Theme) })
	for _, theme := range []Theme{Dark, Light, Light, System} {
		wanted := Defaults()
		wanted.Theme = theme
		if _, err := s.Change(s.Status().Revision, wanted, false); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	wanted := Defaults()
	wanted.Theme = Dark
	if _, err := s.Change(s.Status().Revision, wanted, false); err != nil {
		t.Fatal(err)
	}
	if got := len(heard); got != 3 || heard[0] != Dark || heard[2] != System {
		t.Errorf("heard %v", heard)
	}
}
