package model

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// placeholders are what people give to servers that want a key and look at none.
var placeholders = []string{"k", "none", "test", "ollama", "EMPTY", "dummy", "lm-studio", "not-needed", "no-key-required", "sk-no-key-required", "your-api-key-here", "sk-xxxxxxxxxxxxxxxxxxxx", "00000000000000000000"}

func TestAProgramRunsAsTheModelWroteItWhateverWordTheKeyIs(t *testing.T) {
	for _, key := range placeholders {
		program := "await sdk.files.read({path: 'docs/" + key + ".md'}) // display: " + key
		arguments, err := json.Marshal(map[string]string{"code": program})
		if err != nil {
			t.Fatal(err)
		}
		piece, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{
			"content": "I look into " + key + ".", "tool_calls": []any{map[string]any{"index": 0, "id": "call_1", "type": "function",
				"function": map[string]string{"name": "runCode", "arguments": string(arguments)}}},
		}}}})
		if err != nil {
			t.Fatal(err)
		}
		for kind, answer := range map[string]string{"text/event-stream": "data: " + string(piece) + "\n\ndata: [DONE]\n\n", "application/json": string(piece)} {
			l := connect(t, "compatible", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", kind)
				io.WriteString(w, answer)
			})
			l.key = key
			if got := strings.TrimPrefix(l.text(l.ask(t.Context(), "POST", paths["compatible"], nil)), opening); got != answer {
				t.Errorf("with the key %q:\n%s\nbecame\n%s", key, answer, got)
			}
		}
	}
}

func TestAnErrorKeepsItsWordsWhateverWordTheKeyIs(t *testing.T) {
	for _, key := range placeholders {
		body, err := json.Marshal(map[string]string{"message": "there is " + key + " here"})
		if err != nil {
			t.Fatal(err)
		}
		if got := said(body, key); got != "there is "+key+" here" {
			t.Errorf("with the key %q: %s", key, got)
		}
	}
}

func TestARealKeyIsTakenOutOfWhatAServerRepeats(t *testing.T) {
	for key, inAnswer := range map[string]bool{
		theKey:                                 true,
		"sk-ant-api03-Qm9nYmVydCBpcyBubyBrZXk": true, "9f86d081884c7d659a2feaa0c55ad015": true, "c0b2f1de-7a43-4be5-9d5e-0f0c2d1a6b77": true,
		"AIzaSyB-notReallyOneOfThose": true, "gsk_QWERTYuiopASDFghjkZXCV": true,
		"hunter2pass9": false, // short: of errors only
	} {
		text := `{"choices":[{"message":{"content":"you sent ` + key + ` and ` + key + `"}}]}`
		if got := string(hideInAnswer([]byte(text), key)); strings.Contains(got, key) == inAnswer {
			t.Errorf("an answer with %q: %s", key, got)
		}
		if got := said([]byte(`{"message":"bad key `+key+`"}`), key); got != "bad key [key]" {
			t.Errorf("an error with %q: %s", key, got)
		}
	}
}

func TestAListOfModelsDoesNotTellTheKey(t *testing.T) {
	l := connect(t, "compatible", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"data":[{"id":"m-1","name":"for `+theKey+`"}]}`)
	})
	models, err := l.f.List(t.Context())
	if err != nil || len(models) != 1 || models[0].Name != "for [key]" {
		t.Errorf("got %v, %v", models, err)
	}
}
