package sqlite

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/faustine-ai/countersign/app"
)

// maxLine bounds a line of an export: the largest entry and what stands around it.
const maxLine = maxBody + 1<<20

// VerifyExport checks an export without the log. key is the public key that the
// owner of the log is known by ("countersign log verify" prints it); with "" the
// export's own is used, which proves that nothing was changed since whoever holds
// that key has signed it, and the finding is at best Consistent.
//
// The error says that the text is no export. What is wrong with one is in the
// report: entry changed, also for one that is missing; tail cut, when the end is
// missing; chain rewritten, when the entries form a chain that the signature is
// not of; anchor missing, when nothing signs it.
func VerifyExport(in io.Reader, key string) (Report, error) { return verifyExport(in, key, nil) }

func verifyExport(in io.Reader, key string, tell func(done int64)) (Report, error) {
	x := newExported(in)
	if err := x.begin(); err != nil {
		return Report{}, err
	}
	if tell != nil {
		x.keep = func(string, app.Entry) error {
			if x.walker.count%progressEvery == 0 {
				tell(x.walker.count)
			}
			return nil
		}
	}
	if err := x.all(); err != nil {
		return Report{}, err
	}
	return x.report(key), nil
}

func newExported(in io.Reader) *exported {
	return &exported{lines: bufio.NewReaderSize(in, 1<<16), sum: sha256.New()}
}

// all takes every line behind the first, up to the end or to the first one that is wrong.
func (x *exported) all() error {
	for !x.ended && x.walker.wrong == 0 {
		text, err := x.line()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := x.take(text); err != nil {
			return err
		}
	}
	if x.ended {
		switch _, err := x.line(); {
		case err == nil:
			x.walker.fail(x.walker.last.Number+1, "the export goes on behind its end: something was put there")
		case !errors.Is(err, io.EOF):
			return err
		}
	}
	return nil
}

type exported struct {
	lines  *bufio.Reader
	sum    interface{ Sum([]byte) []byte }
	head   ExportHead
	end    ExportEnd
	ended  bool
	walker walker
	buffer []byte
	keep   func(at string, e app.Entry) error // is given each entry that is in order; may be nil
}

// line gives the next line that is not empty. The form json of "log export" is
// the same lines as members of a list.
func (x *exported) line() ([]byte, error) {
	for {
		var text []byte
		for {
			part, err := x.lines.ReadSlice('\n')
			text = append(text, part...)
			if len(text) > maxLine {
				return nil, fmt.Errorf("a line of the export is longer than %d bytes, which no entry can be: the text behind it was not read", maxLine)
			}
			if err == nil || errors.Is(err, io.EOF) && len(text) > 0 {
				break
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				return nil, err
			}
		}
		text = bytes.TrimSuffix(bytes.TrimRight(text, "\r\n"), []byte(","))
		if len(text) > 0 && string(text) != "[" && string(text) != "]" {
			return text, nil
		}
	}
}

func (x *exported) begin() error {
	text, err := x.line()
	if errors.Is(err, io.EOF) {
		return errors.New("the export is empty")
	}
	if err != nil {
		return err
	}
	if bytes.HasPrefix(text, []byte("number,at,")) || bytes.HasPrefix(text, []byte("id,at,")) {
		return errors.New("this is an export as csv, which is for reading: what can be verified is one as jsonl or json")
	}
	if err := strict(text, &x.head); err != nil || x.head.Export != exportName {
		return fmt.Errorf(`this is no export of a log: it begins with %.60q instead of {"export":"countersign log"`, text)
	}
	if x.head.Format != exportFormat {
		return fmt.Errorf("the export has format %d; this version knows %d", x.head.Format, exportFormat)
	}
	x.hashed(text)
	x.walker = walker{last: Head{Log: x.head.Log, Hash: genesis(x.head.Log)}, anchor: x.head.Anchor, checkpoint: x.head.Checkpoint, sparse: !x.head.Complete}
	if c := x.head.Checkpoint; c != nil {
		x.walker.last.Number, x.walker.last.Hash = c.Number, c.Hash
	}
	return nil
}

func (x *exported) hashed(text []byte) {
	// A hash.Hash never fails to be written to.
	_, _ = x.sum.(io.Writer).Write(append(text, '\n'))
}

func (x *exported) take(text []byte) error {
	if bytes.HasPrefix(text, []byte(`{"end":`)) {
		if err := strict(text, &x.end); err != nil || !x.end.End {
			return fmt.Errorf("the last line of the export cannot be read: %.60q", text)
		}
		x.ended = true
		return nil
	}
	var e struct {
		app.Entry
		At string `json:"at"` // as it was hashed
	}
	if err := strict(text, &e); err != nil {
		number := x.walker.last.Number + 1
		x.walker.fail(number, "the line where entry %d should stand is no entry: %v", number, err)
		return nil
	}
	x.buffer = x.walker.step(e.At, e.Entry, e.Body, x.buffer)
	if x.walker.wrong == 0 && !isLineOf(text, e.At, e.Entry) {
		x.walker.fail(e.Number, "the line of entry %d is not written as it was hashed", e.Number)
	}
	x.hashed(text)
	if x.keep != nil && x.walker.wrong == 0 {
		return x.keep(e.At, e.Entry)
	}
	return nil
}

// isLineOf reports whether a line is the one that exportLine writes of an entry.
// Equal members in another spelling, or twice, would be read alike. The body is
// compared where it stands, however long it is.
func isLineOf(text []byte, at string, e app.Entry) bool {
	for _, part := range [][]byte{beforeBody(nil, at), e.Body, withHash(afterBody(nil, e), e.Hash)} {
		var same bool
		if text, same = bytes.CutPrefix(text, part); !same {
			return false
		}
	}
	return len(text) == 0
}

func (x *exported) report(key string) Report {
	// The anchor that an export carries is its own word: the signature counts.
	x.walker.anchor = &Head{Log: x.walker.last.Log, Number: x.walker.last.Number, Hash: x.walker.last.Hash}
	r := x.walker.report(nil)
	r.Anchor, r.Key, r.Chosen = x.head.Anchor, x.end.Key, !x.head.Complete
	own := "compare it with the key that “countersign log verify” prints where the log is"
	if key != "" {
		r.Key, own = key, "the key that was asked for"
	}
	switch {
	case r.State != Intact:
	case !x.ended:
		r.State, r.Number = TailCut, r.Head.Number+1
		r.Message = fmt.Sprintf("the export ends with entry %d, without the line that ends it", r.Head.Number)
	case x.end.Entries != r.Entries || x.head.Complete && x.end.Head.Number > r.Head.Number:
		r.State, r.Number = TailCut, r.Head.Number+1
		r.Message = fmt.Sprintf("the export holds %d entries, but its end says %d, the last of them entry %d", r.Entries, x.end.Entries, x.end.Head.Number)
	case x.head.Complete && x.end.Head != r.Head || x.end.SHA256 != hex.EncodeToString(x.sum.Sum(nil)):
		r.State, r.Number = Rewritten, r.Head.Number
		r.Message = "the entries form one chain, but not the one that the end of the export speaks of"
	case x.end.Signature == "":
		r.State = AnchorMissing
		r.Message = fmt.Sprintf("the %d entries are in order, but the export is not signed: whether they are those of the log cannot be known", r.Entries)
	case !signedBy(r.Key, x.end.Signature, exportPurpose, x.end.statement()):
		r.State, r.Number = Rewritten, r.Head.Number
		r.Message = fmt.Sprintf("the entries form one chain, but its signature is not one of the key %s", r.Key)
	default:
		r.Message = fmt.Sprintf("all %d entries are in order and signed by the key %s (%s)", r.Entries, r.Key, own)
		if !x.head.Complete {
			r.Message = fmt.Sprintf("the %d chosen entries are unchanged and signed by the key %s (%s); what lies between them is not in this export", r.Entries, r.Key, own)
		}
		r = x.underAnchor(r)
	}
	r = r.underCheckpoint()
	if r.State == Intact && key == "" {
		r.State = Consistent
		r.Message += "; whose key that is was not checked"
	}
	return r
}

// underAnchor judges the end of the log by the anchor as it was at the export: a log
// whose end was cut off is one chain too, and is signed like any other.
func (x *exported) underAnchor(r Report) Report {
	a, end := x.head.Anchor, x.end.Head
	switch {
	case a == nil:
		r.State = AnchorMissing
		r.Message += "; but the log had no anchor when it was exported: whether its end had been cut off cannot be known"
	case a.Log != end.Log, x.walker.differs, a.Number == end.Number && a.Hash != end.Hash, a.Number == 0 && a.Hash != genesis(a.Log):
		r.State, r.Number = Rewritten, a.Number
		r.Message = fmt.Sprintf("the log did not agree with its anchor when it was exported: its entry %d was not the one that the anchor knew", a.Number)
	case a.Number > end.Number:
		r.State, r.Number = TailCut, end.Number+1
		r.Message = fmt.Sprintf("the log did not agree with its anchor when it was exported: the anchor ended with entry %d, the log with entry %d", a.Number, end.Number)
	}
	return r
}

// strict reads one JSON object and refuses unknown members and what follows.
func strict(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("text follows the object")
	}
	return nil
}
