package sqlite_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/sqlite"
)

func exported(t testing.TB, path string, f sqlite.Filter) string {
	t.Helper()
	r, err := sqlite.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out bytes.Buffer
	err = r.Export(t.Context(), f, func(line []byte) error {
		_, err := out.Write(append(line, '\n'))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestVerifyingAnExportTellsWhatWasDone(t *testing.T) {
	path := filled(t, 5)
	text := exported(t, path, sqlite.Filter{})
	lines := strings.SplitAfter(text, "\n")
	lines = lines[:len(lines)-1]
	key, err := sqlite.LoadKey(path + ".key")
	if err != nil {
		t.Fatal(err)
	}
	without := func(n int) string { return strings.Join(append(lines[:n:n], lines[n+1:]...), "") }
	other := exported(t, filled(t, 5), sqlite.Filter{})
	for _, c := range []struct {
		name, text, key string
		state           sqlite.State
		number          int64
	}{
		{"nothing", text, key.Public(), sqlite.Intact, 0},
		{"line ends of another system", strings.ReplaceAll(text, "\n", "\r\n"), key.Public(), sqlite.Intact, 0},
		{"whose key was not named", text, "", sqlite.Consistent, 0},
		{"signed by somebody else, whose key was not named", other, "", sqlite.Consistent, 0},
		{"signed by somebody else", other, key.Public(), sqlite.Rewritten, 5},
		{"a body", strings.Replace(text, `{"value":1}`, `{"value":2}`, 1), "", sqlite.EntryChanged, 1},
		{"an entry removed", without(3), "", sqlite.EntryChanged, 3},
		{"the first entry removed", without(1), "", sqlite.EntryChanged, 1},
		{"the last entry removed", without(5), "", sqlite.TailCut, 5},
		{"the end removed", without(6), "", sqlite.TailCut, 6},
		{"cut in the middle", text[:len(text)/2], "", sqlite.EntryChanged, 0},
		{"two entries swapped", lines[0] + lines[2] + lines[1] + strings.Join(lines[3:], ""), "", sqlite.EntryChanged, 1},
		{"an entry twice", lines[0] + lines[1] + lines[1] + strings.Join(lines[2:], ""), "", sqlite.EntryChanged, 1},
		{"the time of the export", strings.Replace(text, `"at":"20`, `"at":"19`, 1), "", sqlite.Rewritten, 5},
		{"a member that says something else first", strings.Replace(text, `{"at":`, `{"at":"1999-01-01T00:00:00.000Z","at":`, 2), "", sqlite.EntryChanged, 1},
		{"the end of another export", strings.Join(lines[:6], "") + other[strings.LastIndex(other, `{"end"`):], "", sqlite.Rewritten, 5},
		{"a line behind the end", text + "{}\n", key.Public(), sqlite.EntryChanged, 6},
		{"an entry behind the end", text + lines[5], "", sqlite.EntryChanged, 6},
		{"no signature", text[:strings.LastIndex(text, `,"key"`)] + "}\n", "", sqlite.AnchorMissing, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "a member that says something else first" {
				i := strings.Index(c.text, `{"at":"1999`)
				if i < 0 {
					c.text = strings.Replace(text, `{"at":"2`, `{"at":"1999-01-01T00:00:00.000Z","at":"2`, 1)
				}
			}
			report, err := sqlite.VerifyExport(strings.NewReader(c.text), c.key)
			if err != nil || report.State != c.state || c.number != 0 && report.Number != c.number {
				t.Errorf("got %+v, %v; want %s at %d", report, err, c.state, c.number)
			}
		})
	}
	for _, no := range []string{"", "\n", "{}", "[]", `{"export":"countersign log","format":2}`} {
		if report, err := sqlite.VerifyExport(strings.NewReader(no), ""); err == nil {
			t.Errorf("%.30q was taken for an export: %+v", no, report)
		}
	}
}

// longLog has entries of these lengths, in bytes and between two short ones but
// for the first.
func longLog(t *testing.T, lengths ...int) string {
	t.Helper()
	path := t.TempDir() + "/log.db"
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var entries []app.Entry
	for i, length := range lengths {
		for _, text := range []string{strings.Repeat("x", length), "short"} {
			entries = append(entries, app.Entry{Kind: app.CallSettled, RunID: "r", CallID: fmt.Sprint("c", i), Seq: i + 1, Fn: "a.b", Body: json.RawMessage(`{"value":"` + text + `"}`)})
		}
	}
	if err := errors.Join(log.Append(t.Context(), entries...), log.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestALineOfAnExportMayBeAsLongAsAnEntry(t *testing.T) {
	const buffer = 64 << 10
	path := longLog(t, buffer, buffer-200, buffer-100, buffer-12, buffer-11, buffer-1, buffer+1, 11<<20)
	text := exported(t, path, sqlite.Filter{})
	last := exported(t, path, sqlite.Filter{CallID: "c7"}) // the longest in front, and at the end
	key, err := sqlite.LoadKey(path + ".key")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"as it is":                     text,
		"of one call":                  last,
		"line ends of another system":  strings.ReplaceAll(text, "\n", "\r\n"),
		"without its last line end":    strings.TrimSuffix(text, "\n"),
		"with empty lines":             "\n\r\n" + strings.ReplaceAll(text, "\n", "\n\n\r\n"),
		"a list":                       "[\n" + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", ",\n") + "\n]\n",
		"a list without its last line": "[\n" + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", ",\n") + "\n]",
	} {
		t.Run(name, func(t *testing.T) {
			if report, err := sqlite.VerifyExport(strings.NewReader(text), key.Public()); err != nil || report.State != sqlite.Intact {
				t.Errorf("got %+v, %v", report, err)
			}
			file := t.TempDir() + "/export.jsonl"
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := sqlite.OpenExport(t.Context(), file)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if report, err := r.VerifyTelling(t.Context(), key.Public(), nil); err != nil || report.State != sqlite.Intact {
				t.Errorf("opened: got %+v, %v", report, err)
			}
		})
	}
	for name, text := range map[string]string{
		"one character of the longest":  text[:strings.LastIndex(text, "xx")] + "y" + text[strings.LastIndex(text, "xx")+1:],
		"one character of the first":    strings.Replace(text, "xx", "xy", 1),
		"a member twice":                strings.Replace(text, `"kind":`, `"kind":"call.settled","kind":`, 1),
		"a space behind a long entry":   strings.Replace(text, `xx"},"callId"`, `xx"}, "callId"`, 1),
		"a character in other spelling": strings.Replace(text, "xx", `\u0078x`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			if report, err := sqlite.VerifyExport(strings.NewReader(text), key.Public()); err != nil || report.State != sqlite.EntryChanged {
				t.Errorf("got %+v, %v", report, err)
			}
		})
	}
}

func TestALineThatNoEntryCanHaveIsRefused(t *testing.T) {
	text, _, _ := strings.Cut(exported(t, filled(t, 1), sqlite.Filter{}), "\n")
	endless := io.MultiReader(strings.NewReader(text+"\n"), io.LimitReader(zeros{}, 1<<30))
	if report, err := sqlite.VerifyExport(endless, ""); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("got %+v, %v", report, err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

func TestAnExportSaysHowTheLogStoodToItsAnchor(t *testing.T) {
	one := sqlite.Filter{Number: 1}
	cut := func(keep int) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			db := raw(t, path)
			run(t, db, `DROP TRIGGER entries_never_go`)
			run(t, db, `DELETE FROM entries WHERE number > ?`, keep)
		}
	}
	gone := func(t *testing.T, path string) {
		if err := os.Remove(path + ".head"); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		do    func(*testing.T, string)
		state sqlite.State
	}{
		{"nothing", func(*testing.T, string) {}, sqlite.Intact},
		{"the end cut off", cut(3), sqlite.TailCut},
		{"all cut off", cut(0), sqlite.TailCut},
		{"the anchor removed", gone, sqlite.AnchorMissing},
		{"the end cut off and the anchor removed", func(t *testing.T, path string) { cut(3)(t, path); gone(t, path) }, sqlite.AnchorMissing},
		{"the anchor of another log", func(t *testing.T, path string) { copyFile(t, filled(t, 5)+".head", path+".head") }, sqlite.Rewritten},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filled(t, 5)
			key, err := sqlite.LoadKey(path + ".key")
			if err != nil {
				t.Fatal(err)
			}
			c.do(t, path)
			for _, filter := range []sqlite.Filter{{}, one} {
				report, err := sqlite.VerifyExport(strings.NewReader(exported(t, path, filter)), key.Public())
				if err != nil || report.State != c.state {
					t.Errorf("%+v: got %+v, %v; want %s", filter, report, err, c.state)
				}
			}
			r, err := sqlite.OpenReader(path)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if report, err := r.VerifyEnd(t.Context()); err != nil || report.State != c.state {
				t.Errorf("its end: got %+v, %v; want %s", report, err, c.state)
			}
		})
	}
}

// The reader of exports takes text from anywhere: it must neither panic nor call
// anything intact but what the log itself wrote.
func FuzzAnExportIsIntactOnlyAsItWasWritten(f *testing.F) {
	dir, err := os.MkdirTemp("", "countersign-fuzz-")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { os.RemoveAll(dir) })
	path := dir + "/log.db"
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		f.Fatal(err)
	}
	for i := range 3 {
		if err := log.Append(f.Context(), benchEntry(i)); err != nil {
			f.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		f.Fatal(err)
	}
	key, err := sqlite.LoadKey(path + ".key")
	if err != nil {
		f.Fatal(err)
	}
	good := exported(f, path, sqlite.Filter{})
	f.Add(good)
	f.Add("[\n" + strings.ReplaceAll(strings.TrimSpace(good), "\n", ",\n") + "\n]\n")
	f.Add(`{"export":"countersign log","format":1,"log":"x","complete":true}` + "\n" + `{"end":true}`)
	f.Add(fmt.Sprintf("%s\x00%s", good[:40], good[40:]))
	plain := strings.NewReplacer("\n", "", "\r", "", "[", "", "]", "", ",", "").Replace
	f.Fuzz(func(t *testing.T, text string) {
		report, err := sqlite.VerifyExport(strings.NewReader(text), key.Public())
		if err == nil && report.State == sqlite.Intact && plain(text) != plain(good) {
			t.Errorf("called intact: %q", text)
		}
		if err == nil && report.State != sqlite.Intact && text == good {
			t.Errorf("got %+v", report)
		}
	})
}

func TestAnEntryOfAnExportIsWhatWasHashed(t *testing.T) {
	line := strings.Split(exported(t, filled(t, 1), sqlite.Filter{}), "\n")[1]
	var e map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &e); err != nil || !strings.HasSuffix(line, `,"hash":`+string(e["hash"])+"}") {
		t.Errorf("%v: %s", err, line)
	}
}
