package files

import (
	"context"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/folder"
)

const (
	usualMatches = 200
	maxMatches   = 5_000
	maxSearched  = 8 << 20   // bytes of a file
	maxSearching = 512 << 20 // bytes of one search
	maxLine      = 400       // characters of a line that are given
)

type searchInput struct {
	Path      string `json:"path" jsonschema:"a folder, such as Downloads"`
	Text      string `json:"text,omitempty" jsonschema:"what a line holds"`
	Regexp    string `json:"regexp,omitempty" jsonschema:"in place of text: what a line matches, in RE2 syntax"`
	Name      string `json:"name,omitempty" jsonschema:"in place of both: what the name of a file or folder holds"`
	Glob      string `json:"glob,omitempty" jsonschema:"only in files that match, below path: **/*.md"`
	MatchCase bool   `json:"matchCase,omitempty"`
	Limit     *int   `json:"limit,omitempty" jsonschema:"1 to 5000 matches, 200 when left out"`
}

// Match is a place that a search found.
type Match struct {
	Path   string `json:"path"`
	Line   int    `json:"line,omitempty" jsonschema:"from 1; left out for a name"`
	Column int    `json:"column,omitempty" jsonschema:"from 1, in characters"`
	Text   string `json:"text,omitempty" jsonschema:"the line, or the part of a long one that holds the match"`
}

type searchOutput struct {
	Matches  []Match  `json:"matches"`
	More     bool     `json:"more" jsonschema:"there is more than was given or looked at; narrow the search"`
	Searched int      `json:"searched" jsonschema:"files that were looked into"`
	Skipped  int      `json:"skipped" jsonschema:"files that are no text, too large, or could not be read"`
	Unread   []string `json:"unread,omitempty" jsonschema:"what could not be looked into: folders that the system does not open, names that are no text"`
}

// search is one search in progress.
type search struct {
	searchInput
	ctx     context.Context
	pattern *regexp.Regexp
	literal string // what a file must hold, folded; "": look with pattern alone
	place   *folder.Place
	limit   int
	bytes   int64
	out     searchOutput
}

func (f *Files) search(ctx context.Context, in searchInput) (searchOutput, error) {
	s := &search{searchInput: in, ctx: ctx, out: searchOutput{Matches: []Match{}}}
	var err error
	if s.limit, err = limitOf(in.Limit, usualMatches, maxMatches); err != nil {
		return searchOutput{}, err
	}
	if s.pattern, err = in.compile(); err != nil {
		return searchOutput{}, err
	}
	if isASCII(in.Text) {
		s.literal = folded(in.Text)
	}
	if s.place, err = f.folders.At(in.Path); err != nil {
		return searchOutput{}, err
	}
	defer s.place.Close()
	dir, err := s.place.Dir()
	if err != nil {
		return searchOutput{}, err
	}
	defer dir.Close()
	w := &walker{ctx: ctx, recursive: true, visit: s.visit}
	if err := over(w.walk(dir, "", 0)); err != nil {
		return searchOutput{}, stopped(ctx, s.place, err)
	}
	s.out.More = s.out.More || w.cut
	s.out.Unread = unread(s.place, w)
	return s.out, nil
}

func (in searchInput) compile() (*regexp.Regexp, error) {
	given := 0
	for _, member := range []string{in.Text, in.Regexp, in.Name} {
		if member != "" {
			given++
		}
	}
	if given != 1 {
		return nil, app.Errorf(app.InvalidInput, "input: expected exactly one of text, regexp and name, got %d", given)
	}
	if in.Glob != "" && !doublestar.ValidatePattern(in.Glob) {
		return nil, app.Errorf(app.InvalidInput, "input.glob: %q is no pattern; expected one such as **/*.md", in.Glob)
	}
	source := in.Regexp
	if source == "" {
		source = regexp.QuoteMeta(in.Text + in.Name)
	}
	if !in.MatchCase {
		source = "(?i)" + source
	}
	pattern, err := regexp.Compile(source)
	if err != nil {
		return nil, &app.Error{Code: app.InvalidInput, Cause: err, Message: "input.regexp: " + err.Error()}
	}
	return pattern, nil
}

func (s *search) visit(found found) error {
	if s.Glob != "" && !doublestar.MatchUnvalidated(s.Glob, found.at) {
		return nil
	}
	path := s.place.Path + "/" + found.at
	if s.Name != "" {
		if s.pattern.MatchString(found.name) {
			return s.add(Match{Path: path})
		}
		return nil
	}
	if !found.info.Mode().IsRegular() {
		return nil
	}
	text, ok := s.content(found)
	if !ok {
		s.out.Skipped++
		return nil
	}
	s.out.Searched++
	if s.literal != "" && !strings.Contains(folded(text), s.literal) {
		return nil
	}
	line := 0
	for each := range strings.Lines(text) {
		line++
		each = strings.TrimRight(each, "\r\n")
		at := s.pattern.FindStringIndex(each)
		if at == nil {
			continue
		}
		if err := s.add(Match{Path: path, Line: line, Column: utf8.RuneCountInString(each[:at[0]]) + 1, Text: around(each, at[0])}); err != nil {
			return err
		}
	}
	return nil
}

// folded is text in one case, for ASCII to be found in: what a pattern that ignores
// case matches, this holds. It is looked at first, since patterns are slow.
func folded(text string) string {
	return strings.ReplaceAll(strings.ToLower(text), "ſ", "s")
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

func (s *search) add(m Match) error {
	if len(s.out.Matches) == s.limit {
		s.out.More = true
		return errStop
	}
	s.out.Matches = append(s.out.Matches, m)
	return nil
}

// content reads a text file that is not too large.
func (s *search) content(found found) (string, bool) {
	if found.info.Size() > maxSearched {
		return "", false
	}
	if s.bytes += found.info.Size(); s.bytes > maxSearching {
		s.out.More = true
		return "", false
	}
	file, err := found.dir.Open(found.name)
	if err != nil {
		return "", false
	}
	data, err := io.ReadAll(io.NewSectionReader(readerAt{s.ctx, file}, 0, maxSearched))
	_ = file.Close() // it was only read
	if err != nil {
		return "", false
	}
	text, _, _, ok := decode(data, data, true, true)
	return text, ok
}

// around cuts a long line so that a place in it stays.
func around(line string, at int) string {
	runes := []rune(line)
	if len(runes) <= maxLine {
		return line
	}
	before := utf8.RuneCountInString(line[:at])
	from := max(0, min(before-maxLine/4, len(runes)-maxLine))
	text := string(runes[from:min(from+maxLine, len(runes))])
	if from > 0 {
		text = "…" + text
	}
	if from+maxLine < len(runes) {
		text += "…"
	}
	return text
}
