package sqlite_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

type stored struct {
	number int64
	sync   bool
}

// watchedAnchor tells what is stored in it.
type watchedAnchor struct {
	sqlite.Anchor
	stores chan stored
}

func (a watchedAnchor) Store(head sqlite.Head, sync bool) error {
	err := a.Anchor.Store(head, sync)
	a.stores <- stored{head.Number, sync}
	return err
}

func watchedLog(t *testing.T) (*sqlite.Log, chan stored) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.db")
	stores := make(chan stored, 100)
	log, err := sqlite.Open(path, sqlite.Options{Anchor: watchedAnchor{sqlite.FileAnchor(path + ".head"), stores}})
	if err != nil {
		t.Fatal(err)
	}
	for len(stores) > 0 {
		<-stores // of a new log
	}
	return log, stores
}

func TestTheAnchorIsWrittenBeforeAnybodyHearsAndFlushedSoonAfter(t *testing.T) {
	log, stores := watchedLog(t)
	flushed := false
	for n := int64(1); n <= 3; n++ {
		if err := log.Append(t.Context(), app.Entry{Kind: app.CallStarted, RunID: "r"}); err != nil {
			t.Fatal(err)
		}
		written := false
		for len(stores) > 0 {
			s := <-stores
			written = written || s.number == n
			flushed = s == stored{3, true}
		}
		if !written {
			t.Errorf("entry %d was told as written before its anchor was", n)
		}
	}
	for !flushed { // without a further entry
		flushed = <-stores == stored{3, true}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestTheEndOfTheLogFlushesItsAnchor(t *testing.T) {
	log, stores := watchedLog(t)
	answer := log.AppendSoon(app.Entry{Kind: app.CallStarted, RunID: "r"})
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-answer; err != nil {
		t.Errorf("what waited when the log closed was not written: %v", err)
	}
	close(stores)
	var last stored
	for s := range stores {
		last = s
	}
	if want := (stored{1, true}); last != want {
		t.Errorf("the last store was %+v, want %+v", last, want)
	}
}

// Nobody waits for these, so nothing but the gathering writes them.
func TestEntriesThatNobodyWaitsForAreWrittenTogether(t *testing.T) {
	log, stores := watchedLog(t)
	defer log.Close()
	var answers []<-chan error
	for range 20 {
		answers = append(answers, log.AppendSoon(app.Entry{Kind: app.CallStarted, RunID: "r"}))
	}
	for _, a := range answers {
		if err := <-a; err != nil {
			t.Fatal(err)
		}
	}
	if commits := len(stores); commits > 10 {
		t.Errorf("20 entries that were given at once took %d commits", commits)
	}
}

func TestALongEntryKeepsItsPlaceAndHoldsNobodyUp(t *testing.T) {
	log, stores := watchedLog(t)
	long := app.Entry{Kind: app.CallSettled, RunID: "r", Body: json.RawMessage(`"` + strings.Repeat("A", 2<<20) + `"`)}
	short := app.Entry{Kind: app.CallStarted, RunID: "r"}
	if err := <-log.AppendSoon(long); err != nil { // nothing else wakes the writer
		t.Fatal(err)
	}
	answers := []<-chan error{log.AppendSoon(short), log.AppendSoon(long), log.AppendSoon(short)}
	if err := log.Append(t.Context(), short); err != nil {
		t.Fatal(err)
	}
	for i, answer := range answers {
		select {
		case err := <-answer:
			if err != nil {
				t.Error(err)
			}
		default:
			t.Errorf("entry %d of three was not written when one behind it was", i+1)
		}
	}
	entries, err := log.Entries(t.Context(), sqlite.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	var lengths []int
	for _, e := range entries {
		lengths = append(lengths, len(e.Body))
	}
	if a, b := len(long.Body), len("{}"); !slices.Equal(lengths, []int{a, b, a, b, b}) {
		t.Errorf("the bodies have %v bytes, want %d, %d, %d, %d, %d", lengths, a, b, a, b, b)
	}
	answers = []<-chan error{log.AppendSoon(long), log.AppendSoon(short)}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	for _, answer := range answers {
		if err := <-answer; err != nil {
			t.Errorf("what waited when the log closed was not written: %v", err)
		}
	}
	close(stores)
}
