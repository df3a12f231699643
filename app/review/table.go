package review

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// CallsCSV writes calls as CSV: one row each, with a head.
type CallsCSV struct{ out *csv.Writer }

// NewCallsCSV writes the head.
func NewCallsCSV(w io.Writer) (*CallsCSV, error) {
	c := &CallsCSV{csv.NewWriter(w)}
	return c, c.out.Write([]string{"id", "at", "run", "call", "seq", "function", "input", "verdict", "by", "reason", "waited_ms", "outcome", "value", "error", "ms"})
}

// Add writes one call.
func (w *CallsCSV) Add(c Call) error {
	d := Decision{}
	waited, failure, ms, input := "", "", "", ""
	if c.Decision != nil {
		d, waited = *c.Decision, strconv.FormatInt(c.Decision.WaitedMs, 10)
	}
	if c.Error != nil {
		failure = c.Error.Name + ": " + c.Error.Message
	}
	if c.Ran() {
		ms = strconv.FormatFloat(c.Ms, 'f', -1, 64)
	}
	if c.Input != nil {
		input = c.Input.String()
	}
	return w.out.Write(NoFormulas([]string{strconv.FormatInt(c.ID, 10), c.At, c.RunID, c.CallID, strconv.Itoa(c.Seq), c.Fn, input,
		string(d.Verdict), string(d.By), d.Reason, waited, string(c.Outcome), c.Value.String(), failure, ms}))
}

// End writes what is left.
func (w *CallsCSV) End() error {
	w.out.Flush()
	return w.out.Error()
}

// NoFormulas keeps a spreadsheet from running cells: a leading apostrophe makes
// one text. The last four are full-width forms that some programs take as well. A
// cell with an apostrophe of its own gets another, so that taking one away always
// gives back what was there.
func NoFormulas(row []string) []string {
	for i, cell := range row {
		first, _ := utf8.DecodeRuneInString(strings.TrimLeft(cell, " "))
		if cell != "" && strings.ContainsRune("'=+-@\t\r\n＝＋－＠", first) {
			row[i] = "'" + cell
		}
	}
	return row
}

// EntryWriter takes the lines of an export.
type EntryWriter struct {
	Line func(text []byte) error
	End  func() error
}

// JSONLines writes an export line by line, as it is hashed and signed.
func JSONLines(w io.Writer) EntryWriter {
	return EntryWriter{
		Line: func(text []byte) error {
			_, err := w.Write(append(text, '\n'))
			return err
		},
		End: func() error { return nil },
	}
}

// JSONList writes the same lines as members of a list.
func JSONList(w io.Writer) EntryWriter {
	before := "[\n"
	return EntryWriter{
		Line: func(text []byte) error {
			_, err := io.WriteString(w, before+string(text))
			before = ",\n"
			return err
		},
		End: func() error {
			_, err := io.WriteString(w, "\n]\n")
			return err
		},
	}
}

// EntriesCSV writes entries as CSV: one row each, with the hashes of the chain.
func EntriesCSV(w io.Writer) EntryWriter {
	out := csv.NewWriter(w)
	first := true
	return EntryWriter{
		Line: func(text []byte) error {
			if first { // the head of the export becomes the head of the table
				first = false
				return out.Write([]string{"number", "at", "kind", "run", "call", "seq", "function", "body", "previous", "hash"})
			}
			var e struct {
				End                     bool
				Number                  int64
				At, Kind, RunID, CallID string
				Seq                     int
				Fn                      string
				Body                    json.RawMessage
				Previous, Hash          string
			}
			if err := json.Unmarshal(text, &e); err != nil || e.End {
				return err
			}
			return out.Write(NoFormulas([]string{strconv.FormatInt(e.Number, 10), e.At, e.Kind, e.RunID, e.CallID, strconv.Itoa(e.Seq), e.Fn, string(e.Body), e.Previous, e.Hash}))
		},
		End: func() error {
			out.Flush()
			return out.Error()
		},
	}
}
