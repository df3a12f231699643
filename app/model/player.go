package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// chatPath is where the player answers.
const chatPath = "/model/v1/chat/completions"

// maxRequest bounds a request's body; a conversation of the demos has some
// thousand bytes.
const maxRequest = 16 << 20

// The pace of a quick model: quick enough not to bore, slow enough to be seen.
const (
	textPace    = 22 * time.Millisecond
	programPace = 9 * time.Millisecond
)

// Offline returns a handler that plays the transcript of the scene with this
// name: it answers POST /model/v1/chat/completions as a server with the OpenAI
// wire format would, streaming.
func Offline(name string) (http.Handler, error) {
	if _, err := Find(name); err != nil {
		return nil, err
	}
	script, err := load(name)
	if err != nil {
		return nil, err
	}
	return &player{script: script, pause: pause}, nil
}

type player struct {
	script *transcript
	pause  func(context.Context, time.Duration) error
}

func (p *player) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != chatPath {
		(&wireError{http.StatusNotFound, "invalid_request_error", fmt.Sprintf("unknown address %s: the offline model answers at %s", r.URL.Path, chatPath), ""}).write(w)
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		(&wireError{http.StatusMethodNotAllowed, "invalid_request_error", fmt.Sprintf("expected POST, got %s", r.Method), ""}).write(w)
		return
	}
	var request chatRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest)).Decode(&request); err != nil {
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			(&wireError{http.StatusRequestEntityTooLarge, "invalid_request_error", fmt.Sprintf("expected at most %d bytes", tooLarge.Limit), ""}).write(w)
			return
		}
		invalid("", "could not read the request as JSON: %s", err).write(w)
		return
	}
	if bad := request.check(); bad != nil {
		bad.write(w)
		return
	}
	said, code, bad := p.answer(request.Messages)
	if bad != nil {
		bad.write(w)
		return
	}
	s := newStream(w, &request)
	// Nobody is left to be told when the stream breaks: the page stopped it.
	_ = p.play(r.Context(), s, said, code)
}

// answer finds what the model says to the last message, and the program it
// wants run, if any.
func (p *player) answer(messages []message) (said, code string, bad *wireError) {
	last := messages[len(messages)-1]
	var output map[string]any
	var next *turn
	switch last.Role {
	case "user":
		if next = p.script.afterRequest(string(last.Content)); next == nil {
			return fmt.Sprintf("This is an offline demo: there is no model behind it, and it can answer one request only:\n\n> %s", p.script.Request), "", nil
		}
	case "tool":
		output = outputOf(string(last.Content))
		if next = p.script.afterOutput(output); next == nil {
			return "", "", invalid("messages", "the transcript has no turn for this output")
		}
	default:
		return "", "", invalid("messages", "expected the last message to have role user or tool, got %q", last.Role)
	}
	said, err := next.text(output)
	if err != nil {
		return "", "", invalid("messages", "the transcript does not fit this output: %s", err)
	}
	return said, next.code, nil
}

// play streams one answer: role, text, tool call, reason, usage, end.
func (p *player) play(ctx context.Context, s *stream, said, code string) error {
	if err := s.role(); err != nil {
		return err
	}
	for _, piece := range words(said) {
		if err := p.pause(ctx, textPace); err != nil {
			return err
		}
		if err := s.text(piece); err != nil {
			return err
		}
	}
	reason := "stop"
	if code != "" {
		reason = "tool_calls"
		arguments, err := json.Marshal(map[string]string{"code": code})
		if err != nil {
			return err
		}
		if err := s.callStart(toolName); err != nil {
			return err
		}
		for _, piece := range runes(string(arguments), 14) {
			if err := p.pause(ctx, programPace); err != nil {
				return err
			}
			if err := s.callArguments(piece); err != nil {
				return err
			}
		}
	}
	return s.end(reason)
}

// pause waits, or returns why ctx ended.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
