package model

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// stream writes chat.completion.chunk objects as server-sent events, each in
// one Write that reaches the reader before the next.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	id      string
	created int64
	model   string
	usage   bool
	read    int // tokens of the request, estimated
	written int // tokens of the answer, estimated
}

type chunk struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage,omitempty"`
}

type choice struct {
	Index        int     `json:"index"`
	Delta        delta   `json:"delta"`
	FinishReason *string `json:"finish_reason"`
}

type delta struct {
	Role      string     `json:"role,omitempty"`
	Content   *string    `json:"content,omitempty"`
	ToolCalls []callPart `json:"tool_calls,omitempty"`
}

type callPart struct {
	Index    int          `json:"index"`
	ID       string       `json:"id,omitempty"`
	Type     string       `json:"type,omitempty"`
	Function functionPart `json:"function"`
}

type functionPart struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

func newStream(w http.ResponseWriter, request *chatRequest) *stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	s := &stream{
		w: w, control: http.NewResponseController(w),
		id: "chatcmpl-" + rand.Text(), created: time.Now().Unix(), model: request.Model,
		usage: request.StreamOptions.IncludeUsage,
	}
	for _, m := range request.Messages {
		s.read += tokens(string(m.Content))
	}
	return s
}

func (s *stream) role() error {
	empty := ""
	return s.delta(delta{Role: "assistant", Content: &empty}, nil)
}

func (s *stream) text(piece string) error {
	s.written += tokens(piece)
	return s.delta(delta{Content: &piece}, nil)
}

func (s *stream) callStart(name string) error {
	return s.delta(delta{ToolCalls: []callPart{{ID: "call_" + rand.Text(), Type: "function", Function: functionPart{Name: name}}}}, nil)
}

func (s *stream) callArguments(piece string) error {
	s.written += tokens(piece)
	return s.delta(delta{ToolCalls: []callPart{{Function: functionPart{Arguments: piece}}}}, nil)
}

func (s *stream) end(reason string) error {
	if err := s.delta(delta{}, &reason); err != nil {
		return err
	}
	if s.usage {
		if err := s.chunk([]choice{}, &usage{s.read, s.written, s.read + s.written}); err != nil {
			return err
		}
	}
	return s.event("[DONE]")
}

func (s *stream) delta(d delta, reason *string) error {
	return s.chunk([]choice{{Delta: d, FinishReason: reason}}, nil)
}

func (s *stream) chunk(choices []choice, used *usage) error {
	data, err := json.Marshal(chunk{s.id, "chat.completion.chunk", s.created, s.model, choices, used})
	if err != nil {
		return err
	}
	return s.event(string(data))
}

func (s *stream) event(data string) error {
	if _, err := s.w.Write([]byte("data: " + data + "\n\n")); err != nil {
		return err
	}
	// The webview's writer is a pipe: it has no Flush and needs none.
	if err := s.control.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// tokens estimates what a tokenizer would count: four characters each.
func tokens(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }

// words cuts a text after each space, as tokens of a real model fall.
func words(text string) []string {
	var pieces []string
	for _, piece := range strings.SplitAfter(text, " ") {
		if piece != "" {
			pieces = append(pieces, piece)
		}
	}
	return pieces
}

// runes cuts a text into pieces of n characters, never inside one.
func runes(text string, n int) []string {
	var pieces []string
	all := []rune(text)
	for len(all) > 0 {
		size := min(n, len(all))
		pieces = append(pieces, string(all[:size]))
		all = all[size:]
	}
	return pieces
}
