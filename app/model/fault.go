package model

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"
	"unicode"
)

// fault is why there is no answer, in a sentence for a person.
type fault struct {
	status int    // that the page gets
	kind   string // in the words of the wire
	text   string
	// again says that asking once more may help, and after is how long the server
	// wants to be left alone before.
	again bool
	after time.Duration
}

func (f *fault) Error() string { return f.text }

func newFault(status int, text string) *fault {
	return &fault{status: status, kind: kindOf(status), text: text}
}

// kindOf is the type of an error on both wires, for those who look at it.
func kindOf(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "authentication_error"
	case http.StatusForbidden:
		return "permission_error"
	case http.StatusNotFound:
		return "not_found_error"
	case http.StatusTooManyRequests:
		return "rate_limit_error"
	case 529:
		return "overloaded_error"
	}
	if status >= 500 {
		return "api_error"
	}
	return "invalid_request_error"
}

// body is the fault in the shape that the provider itself answers with, so that
// the page's library shows the sentence.
func (f *fault) body(provider string) any {
	if provider == "anthropic" {
		return map[string]any{"type": "error", "error": map[string]string{"type": f.kind, "message": f.text}}
	}
	return map[string]any{"error": map[string]any{"message": f.text, "type": f.kind, "param": nil, "code": f.status}}
}

// event is the fault as a record of a stream that has begun.
func (f *fault) event(provider, rest string) string {
	var data any = f.body(provider)
	name := ""
	switch {
	case provider == "anthropic":
		name = "event: error\n"
	case rest == "responses":
		name = "event: error\n"
		data = map[string]any{"type": "error", "sequence_number": 0, "error": map[string]any{"type": f.kind, "code": nil, "message": f.text, "param": nil}}
	}
	text, err := json.Marshal(data)
	if err != nil {
		return "" // a map of texts always marshals
	}
	return name + "data: " + string(text) + "\n\n"
}

func (f *fault) write(w http.ResponseWriter, provider string) error {
	text, err := json.Marshal(f.body(provider))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(f.status)
	_, err = w.Write(text)
	return err
}

// maxSaid bounds what is repeated of a server's own words, in characters.
const maxSaid = 300

// said finds the server's own words in the body of an error, in the shapes that
// servers use, and takes a key out that it may repeat.
func said(body []byte, key string) string {
	var shape struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	text := ""
	if json.Unmarshal(body, &shape) == nil {
		var inner struct {
			Message string `json:"message"`
		}
		switch {
		case json.Unmarshal(shape.Error, &inner) == nil && inner.Message != "":
			text = inner.Message
		case json.Unmarshal(shape.Error, &text) == nil && text != "":
		case shape.Message != "":
			text = shape.Message
		default:
			if json.Unmarshal(shape.Detail, &text) != nil {
				text = ""
			}
		}
	} else if plain := strings.TrimSpace(string(body)); !strings.HasPrefix(plain, "<") {
		text = plain
	}
	text = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(text, ""))
	text = hideRepeated(text, key, secretInError)
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxSaid {
		text = string(runes[:maxSaid]) + "…"
	}
	return text
}

// asFault gives the fault within an error.
func asFault(err error) (*fault, bool) {
	var f *fault
	return f, errors.As(err, &f)
}
