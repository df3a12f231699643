package files_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestAListIsSortedNarrowedAndGoesOnWhereItWasCut(t *testing.T) {
	b := newBench(t)
	b.make(t, "Docs/b.txt=b", "Docs/a/x.pdf=x", "Docs/a/deep/y.PDF=y", "Docs/a.pdf=z", "Docs/c/", "Docs/link->b.txt")
	for _, c := range []struct{ input, want string }{
		{`{}`, "Docs Shelf"},
		{`{"path":"Docs"}`, "Docs/a Docs/a.pdf Docs/b.txt Docs/c Docs/link"},
		{`{"path":"Docs/"}`, "Docs/a Docs/a.pdf Docs/b.txt Docs/c Docs/link"},
		{`{"path":"Docs","recursive":true}`, "Docs/a Docs/a/deep Docs/a/deep/y.PDF Docs/a/x.pdf Docs/a.pdf Docs/b.txt Docs/c Docs/link"},
		{`{"path":"Docs","glob":"*.pdf"}`, "Docs/a.pdf"},
		{`{"path":"Docs","glob":"**/*.{pdf,PDF}"}`, "Docs/a/deep/y.PDF Docs/a/x.pdf Docs/a.pdf"},
		{`{"path":"Docs","glob":"a/*"}`, "Docs/a/deep Docs/a/x.pdf"},
		{`{"path":"Docs/a","glob":"**/*.PDF"}`, "Docs/a/deep/y.PDF"},
		{`{"path":"Docs","recursive":true,"after":"Docs/a/deep/y.PDF"}`, "Docs/a/x.pdf Docs/a.pdf Docs/b.txt Docs/c Docs/link"},
		{`{"path":"Docs","after":"Docs/b.txt"}`, "Docs/c Docs/link"},
		{`{"path":"Shelf"}`, ""},
	} {
		if got := get[listed](t, b, "list", c.input); got.paths() != c.want || got.More {
			t.Errorf("%s:\n got %s\nwant %s", c.input, got.paths(), c.want)
		}
	}
	var walked []string
	input := map[string]any{"path": "Docs", "recursive": true, "limit": 3}
	for more := true; more; {
		page := get[listed](t, b, "list", input)
		walked = append(walked, page.paths())
		if more = page.More; more {
			input["after"] = page.Entries[len(page.Entries)-1].Path
		}
	}
	if got := strings.Join(walked, " | "); got != "Docs/a Docs/a/deep Docs/a/deep/y.PDF | Docs/a/x.pdf Docs/a.pdf Docs/b.txt | Docs/c Docs/link" {
		t.Errorf("page by page: %s", got)
	}
	for input, want := range map[string]string{
		`{"path":"Docs/b.txt"}`:             "Docs/b.txt is a file; expected a folder",
		`{"path":"Docs/none"}`:              "Docs/none: there is no such file or folder",
		`{"path":"Docs","glob":"[a"}`:       "is no pattern",
		`{"path":"Docs","limit":0}`:         "expected 1 to 10000, got 0",
		`{"glob":"*"}`:                      "input.path: required with recursive, glob or after",
		`{"path":"Docs","after":"Shelf/x"}`: "expected a path below Docs",
		`{"path":"Docs","recursiv":true}`:   "unknown member",
		`{"path":"Docs/b.txt/x"}`:           "a part of the path is not a folder",
	} {
		b.refused(t, "list", input, want)
	}
}

func TestAnEntryTellsKindSizeAndTime(t *testing.T) {
	b := newBench(t)
	b.make(t, "Docs/a.txt=four", "Docs/sub/", "Docs/link->a.txt", "Docs/broken->none")
	for path, want := range map[string]string{
		"Docs/a.txt": "file 4", "Docs/sub": "folder 0", "Docs/link": "file 4", "Docs/broken": "link 0", "Docs": "folder 0",
	} {
		got := get[struct {
			Exists bool
			Entry  struct {
				Path, Kind, Modified string
				Size                 int
			}
		}](t, b, "stat", map[string]any{"path": path})
		if !got.Exists || fmt.Sprint(got.Entry.Kind, " ", got.Entry.Size) != want || got.Entry.Path != path || !strings.HasSuffix(got.Entry.Modified, "Z") {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if got := get[map[string]any](t, b, "stat", `{"path":"Docs/none/at/all"}`); got["exists"] != false || len(got) != 1 {
		t.Errorf("what is not there: %v", got)
	}
}

type readBack struct {
	Text     *string
	Encoding string
	Size     int64
	Next     *int64
	Bytes    struct{ V string }
}

func TestTextIsReadInItsEncoding(t *testing.T) {
	b := newBench(t)
	b.make(t, "Docs/utf8=naïve\n", "Docs/marked=\xEF\xBB\xBFnaïve", "Docs/le=\xFF\xFEn\x00\xE9\x00", "Docs/be=\xFE\xFF\x00n\x00\xE9",
		"Docs/latin=na\xEFve \x80", "Docs/binary=\x89PNG\x0D\x0A\x1A\x0A\x00\x00", "Docs/empty=", "Docs/odd=\xFF\x01\x02")
	for name, want := range map[string][2]string{
		"utf8": {"naïve\n", "utf-8"}, "marked": {"naïve", "utf-8"}, "le": {"né", "utf-16le"}, "be": {"né", "utf-16be"},
		"latin": {"naïve €", "windows-1252"}, "empty": {"", "utf-8"},
	} {
		got := get[readBack](t, b, "read", map[string]any{"path": "Docs/" + name})
		if got.Text == nil || *got.Text != want[0] || got.Encoding != want[1] || got.Next != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, name := range []string{"binary", "odd"} {
		b.refused(t, "read", map[string]any{"path": "Docs/" + name}, `is no text; read it with as: "bytes"`)
	}
	got := get[readBack](t, b, "read", `{"path":"Docs/binary","as":"bytes"}`)
	if got.Bytes.V != "iVBORw0KGgoAAA==" || got.Size != 10 || got.Text != nil {
		t.Errorf("as bytes: %+v", got)
	}
	b.refused(t, "read", `{"path":"Docs/utf8","as":"lines"}`, "expected text or bytes")
	b.refused(t, "read", `{"path":"Docs"}`, "it is a folder")
}

func TestALongFileIsReadPieceByPieceWithoutCuttingACharacter(t *testing.T) {
	b := newBench(t)
	long := strings.Repeat("aé文🗂", 200_000) // 10 bytes each
	b.make(t, "Docs/long="+long)
	for _, c := range []map[string]any{{"path": "Docs/long"}, {"path": "Docs/long", "length": 99_997}} {
		var whole strings.Builder
		pieces := 0
		for next := new(int64); next != nil; {
			c["from"] = *next
			got := get[readBack](t, b, "read", c)
			whole.WriteString(*got.Text)
			next = got.Next
			if pieces++; pieces > 50 {
				t.Fatal("it never ends")
			}
		}
		if whole.String() != long || pieces < 2 {
			t.Errorf("%v: %d characters in %d pieces", c, whole.Len(), pieces)
		}
	}
	b.refused(t, "read", `{"path":"Docs/long","from":7,"length":1}`, "is inside a character")
	b.refused(t, "read", `{"path":"Docs/long","from":7}`, "is inside a character")
	b.refused(t, "read", `{"path":"Docs/long","from":6,"length":1}`, "do not hold one character")
	got := get[readBack](t, b, "read", `{"path":"Docs/long","from":10000000}`)
	if *got.Text != "" || got.Next != nil {
		t.Errorf("beyond the end: %+v", got)
	}
	all := get[readBack](t, b, "read", `{"path":"Docs/long","as":"bytes"}`)
	if all.Next != nil || len(all.Bytes.V) < len(long) {
		t.Errorf("as bytes: %d characters of base64, next %v", len(all.Bytes.V), all.Next)
	}
}

func TestASearchFindsLinesAndNames(t *testing.T) {
	b := newBench(t)
	b.make(t, "Docs/a.md=one\nthe Invoice 12\r\nthree", "Docs/sub/b.txt=ünd invoice", "Docs/sub/invoice.bin=invoice\x00", "Docs/utf16=\xFF\xFEi\x00n\x00v\x00o\x00i\x00c\x00e\x00",
		"Docs/wide="+strings.Repeat("x", 5000)+"invoice"+strings.Repeat("y", 5000))
	find := func(input string) string {
		out := get[struct {
			Matches           []map[string]any
			More              bool
			Searched, Skipped int
		}](t, b, "search", input)
		var found []string
		for _, m := range out.Matches {
			found = append(found, fmt.Sprint(m["path"], ":", m["line"], ":", m["column"]))
		}
		return fmt.Sprint(strings.Join(found, " "), " ", out.More, " ", out.Skipped)
	}
	for _, c := range []struct{ input, want string }{
		{`{"path":"Docs","text":"invoice"}`, "Docs/a.md:2:5 Docs/sub/b.txt:1:5 Docs/utf16:1:1 Docs/wide:1:5001 false 1"},
		{`{"path":"Docs","text":"Invoice","matchCase":true}`, "Docs/a.md:2:5 false 1"},
		{`{"path":"Docs","text":"Invoice 12$"}`, " false 1"},
		{`{"path":"Docs","regexp":"Invoice \\d+$","glob":"*.md"}`, "Docs/a.md:2:5 false 0"},
		{`{"path":"Docs","name":"INVOICE"}`, "Docs/sub/invoice.bin:<nil>:<nil> false 0"},
		{`{"path":"Docs","text":"invoice","limit":1}`, "Docs/a.md:2:5 true 0"},
	} {
		if got := find(c.input); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.input, got, c.want)
		}
	}
	b.make(t, "Shelf/folds=ÖLMÜ\u017fk TAſ\u212a straße")
	for text, want := range map[string]int{"task": 1, "ölmüsk": 1, "TASK": 1, "STRASSE": 0, "müs": 1} {
		got := get[struct{ Matches []any }](t, b, "search", map[string]any{"path": "Shelf", "text": text})
		if len(got.Matches) != want {
			t.Errorf("%s is found %d times", text, len(got.Matches))
		}
	}
	out := get[struct{ Matches []struct{ Text string } }](t, b, "search", `{"path":"Docs","text":"invoice","glob":"wide"}`)
	if text := out.Matches[0].Text; len([]rune(text)) > 402 || !strings.Contains(text, "invoice") {
		t.Errorf("a long line gives %d characters", len(text))
	}
	for input, want := range map[string]string{
		`{"path":"Docs"}`: "exactly one of text, regexp and name", `{"path":"Docs","text":"a","name":"b"}`: "exactly one",
		`{"path":"Docs","regexp":"("}`: "input.regexp", `{"path":"Docs/a.md","text":"x"}`: "expected a folder",
	} {
		b.refused(t, "search", input, want)
	}
}

func TestTheResultOfEachFunctionFitsItsSchema(t *testing.T) {
	b := newBench(t)
	for _, f := range b.All() {
		for _, schema := range []json.RawMessage{f.Input, f.Output} {
			if !strings.Contains(string(schema), `"type":"object"`) {
				t.Errorf("%s: %s", f.Name, schema)
			}
		}
	}
}
