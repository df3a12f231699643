//go:build sqlite_fts5

package sqlite_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app/sqlite"
)

func TestADamagedSearchIndexIsSaidAndMadeAnew(t *testing.T) {
	path := filled(t, 40)
	db := raw(t, path)
	run(t, db, `UPDATE search_data SET block = x'0102030405' WHERE id > 10`)
	search := func() (int, error) {
		t.Helper()
		reader, err := sqlite.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		found, err := reader.Entries(t.Context(), sqlite.Filter{})
		if err != nil || len(found) < 40 {
			t.Fatalf("the entries are not there: %d, %v", len(found), err)
		}
		calls, err := reader.Calls(t.Context(), sqlite.Filter{Text: "a.b"})
		return len(calls), err
	}
	if _, err := search(); !errors.Is(err, sqlite.ErrIndex) || !strings.Contains(err.Error(), "log reindex") {
		t.Fatalf("got %v", err)
	}
	log := open(t, path)
	if err := log.Reindex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if report, err := log.Verify(t.Context()); err != nil || report.State != sqlite.Intact {
		t.Errorf("%+v, %v", report, err)
	}
	if n, err := search(); err != nil || n == 0 {
		t.Errorf("found %d, %v", n, err)
	}
}

func TestAnIndexThatCannotBeReadKeepsNobodyOut(t *testing.T) {
	for _, damage := range []string{`DROP TABLE search_data`, `DELETE FROM search_data`, `UPDATE search_data SET block = x'00'`} {
		path := filled(t, 40)
		run(t, raw(t, path), damage)
		log, err := sqlite.Open(path, sqlite.Options{})
		if err != nil {
			t.Errorf("%s: %v", damage, err)
			continue
		}
		if err := log.Reindex(t.Context()); err != nil {
			t.Errorf("%s: %v", damage, err)
		}
		if calls, err := log.Calls(t.Context(), sqlite.Filter{Text: "a.b"}); err != nil || len(calls) == 0 {
			t.Errorf("%s: found %d, %v", damage, len(calls), err)
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	}
}
