package model

import (
	"bytes"
	"encoding/json"
	"net/http"
)

// maxRecord bounds one record of a stream, in bytes: a program of the largest size
// that may run fits several times.
const maxRecord = 8 << 20

// records cuts a stream of server-sent events into whole ones. It holds back what
// is not whole, so that a stream that breaks can still end with a record of ours.
type records struct {
	provider, rest string
	held           []byte
	searched       int    // of held, without an end of a record in it
	ended          bool   // the record came that says so
	failed         []byte // the record that says that there is no answer
}

// add takes a piece and gives what is whole. The fault has no text where the
// sender must be named.
func (r *records) add(piece []byte) (whole []byte, bad *fault) {
	r.held = append(r.held, piece...)
	for {
		end := recordEnd(r.held, max(0, r.searched-3))
		if end < 0 {
			r.held, r.searched = bytes.Clone(r.held), len(r.held) // lets go of what was given
			if len(r.held) > maxRecord {
				return whole, newFault(http.StatusBadGateway, "")
			}
			return whole, nil
		}
		record := r.held[:end]
		if !r.look(record) {
			return whole, newFault(http.StatusBadGateway, "")
		}
		whole = append(whole, record...)
		r.held, r.searched = r.held[end:], 0
	}
}

// recordEnd is where the first record ends, after its empty line; -1: it does not.
func recordEnd(text []byte, from int) int {
	end := -1
	for _, mark := range []string{"\n\n", "\r\n\r\n", "\r\r"} {
		if at := bytes.Index(text[from:], []byte(mark)); at >= 0 && (end < 0 || from+at+len(mark) < end) {
			end = from + at + len(mark)
		}
	}
	return end
}

// look says whether a record can be read, and notes the one that ends the answer.
func (r *records) look(record []byte) bool {
	var data []byte
	for line := range bytes.FieldsFuncSeq(record, func(c rune) bool { return c == '\n' || c == '\r' }) {
		if text, is := bytes.CutPrefix(line, []byte("data:")); is {
			data = append(append(data, bytes.TrimPrefix(text, []byte(" "))...), '\n')
		}
	}
	data = bytes.TrimSpace(data)
	if len(data) == 0 {
		return true // a comment, or a name alone
	}
	if string(data) == "[DONE]" {
		r.ended = true
		return true
	}
	var shape struct {
		Type    string          `json:"type"`
		Error   json.RawMessage `json:"error"`
		Choices []struct {
			FinishReason *string `json:"finish_reason"`
		} `json:"choices"`
	}
	if !json.Valid(data) {
		return false
	}
	if json.Unmarshal(data, &shape) != nil {
		return true // of a shape that the page's library knows or refuses
	}
	switch {
	case shape.Type == "error":
		r.ended, r.failed = true, data
	case shape.Type == "message_stop", shape.Type == "response.completed", shape.Type == "response.incomplete", shape.Type == "response.failed":
		r.ended = true
	case len(shape.Error) > 0 && string(shape.Error) != "null":
		r.ended, r.failed = true, data
	case len(shape.Choices) > 0 && shape.Choices[0].FinishReason != nil:
		r.ended = true
	}
	return true
}

// complete says whether the stream may end here.
func (r *records) complete() bool { return r.ended }

// remainder is what came after the last whole record, as a whole one.
func (r *records) remainder() []byte {
	rest := bytes.TrimSpace(r.held)
	if len(rest) == 0 || !r.look(rest) {
		return nil
	}
	return append(rest, '\n', '\n')
}
