package review

import (
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// startOn opens a log of three entries once more, after somebody has been at its files.
func startOn(t *testing.T, tamper func(path string)) *desk {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.db")
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		err = errors.Join(err, log.Append(t.Context(), app.Entry{Kind: app.SettingsChanged, Body: json.RawMessage(`{}`)}))
	}
	if err := errors.Join(err, log.Close()); err != nil {
		t.Fatal(err)
	}
	tamper(path)
	if log, err = sqlite.Open(path, sqlite.Options{}); err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, path: path, log: log, asked: map[string]app.Operation{}}
	d.review = New(Config{Path: path, Log: log})
	t.Cleanup(func() {
		if err := errors.Join(d.review.Close(), log.Close()); err != nil {
			t.Error(err)
		}
	})
	for _, o := range d.review.Operations() {
		d.asked[o.Name] = o
	}
	return d
}

func (d *desk) trouble() (trouble Trouble) {
	d.t.Helper()
	var answer struct{ Trouble *Trouble }
	d.must("log.atStart", `{}`, &answer)
	if answer.Trouble != nil {
		trouble = *answer.Trouble
	}
	return trouble
}

func TestThePageHearsWhatTheStartFoundAndTrustShowsItUnasked(t *testing.T) {
	d := startOn(t, func(path string) {
		db, err := sql.Open("sqlite3", path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = db.Exec(`DROP TRIGGER entries_never_change; UPDATE entries SET body = '{"x":1}' WHERE number = 2`)
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
	})
	if got := d.trouble(); got.Title != "The log is not intact" || !strings.Contains(got.Text, "ntry 2") || !strings.Contains(got.Do, "countersign log verify") || !strings.Contains(got.Do, d.path+".head") {
		t.Errorf("got %+v", got)
	}
	var v Verifying
	d.must("log.verify", `{"source":"own","start":false}`, &v)
	if v.Running || v.Report == nil || v.Report.State != sqlite.EntryChanged || v.Meaning == nil || v.Meaning.Weight != "bad" || v.At == "" {
		t.Errorf("got %+v", v)
	}
	d.must("log.verify", `{"source":"own","start":true}`, &v) // it can be asked again
	for v.Running {
		d.must("log.verify", `{"source":"own","since":`+string(marshal(t, v.Step))+`}`, &v)
	}
	if v.Report == nil || v.Report.State != sqlite.EntryChanged {
		t.Errorf("got %+v", v)
	}
}

func TestThePageHearsThatTheAnchorWasMissing(t *testing.T) {
	d := startOn(t, func(path string) {
		if err := os.Remove(sqlite.HeadFor(path)); err != nil {
			t.Fatal(err)
		}
	})
	if got := d.trouble(); got.Title != "The anchor of the log was missing" || !strings.HasPrefix(got.Text, "The anchor is missing; whether entries after number 3 were cut off") {
		t.Errorf("got %+v", got)
	}
	var ends Ends
	d.must("log.ends", `{"source":"own"}`, &ends)
	if len(ends.Faults) != 1 || !strings.Contains(ends.Faults[0].Text, "the anchor is missing") {
		t.Errorf("open ends: %+v", ends.Faults)
	}
}

func TestThePageHearsThatTheKeyWasMissing(t *testing.T) {
	d := startOn(t, func(path string) {
		if err := os.Remove(sqlite.KeyFor(path)); err != nil {
			t.Fatal(err)
		}
	})
	if got := d.trouble(); got.Title != "The key of the log was missing" || !strings.HasPrefix(got.Text, "The key of the log is missing (") || !strings.Contains(got.Do, "A new one was made") {
		t.Errorf("got %+v", got)
	}
}

func TestOfALogThatIsIntactNothingIsSaidAndNothingIsKnownBeforeSomebodyAsks(t *testing.T) {
	d := startOn(t, func(string) {})
	if got := d.trouble(); got != (Trouble{}) {
		t.Errorf("got %+v", got)
	}
	var v Verifying
	d.must("log.verify", `{"source":"own","start":false}`, &v)
	if v.Report != nil || v.Failure != "" {
		t.Errorf("got %+v", v)
	}
}
