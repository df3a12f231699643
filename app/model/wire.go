package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// chatRequest is the part of an OpenAI chat-completions request that the
// player reads.
type chatRequest struct {
	Model         string    `json:"model"`
	Messages      []message `json:"messages"`
	Tools         []tool    `json:"tools"`
	Stream        bool      `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type message struct {
	Role       string   `json:"role"`
	Content    content  `json:"content"`
	ToolCalls  []called `json:"tool_calls"`
	ToolCallID string   `json:"tool_call_id"`
}

type called struct {
	ID string `json:"id"`
}

type tool struct {
	Type     string `json:"type"`
	Function struct {
		Name string `json:"name"`
	} `json:"function"`
}

// content is a message's text, which comes as a string, as a list of parts, or
// as null beside tool calls.
type content string

func (c *content) UnmarshalJSON(data []byte) error {
	var text *string
	if json.Unmarshal(data, &text) == nil {
		if text != nil {
			*c = content(*text)
		}
		return nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return fmt.Errorf("expected content to be a string, a list of parts or null: %w", err)
	}
	var joined strings.Builder
	for _, part := range parts {
		if part.Type == "text" {
			joined.WriteString(part.Text)
		}
	}
	*c = content(joined.String())
	return nil
}

// wireError is an error in the shape that OpenAI's servers use.
type wireError struct {
	status  int
	kind    string
	message string
	param   string
}

func invalid(param, format string, args ...any) *wireError {
	return &wireError{http.StatusBadRequest, "invalid_request_error", fmt.Sprintf(format, args...), param}
}

func (e *wireError) write(w http.ResponseWriter) {
	type body struct {
		Message string  `json:"message"`
		Type    string  `json:"type"`
		Param   *string `json:"param"`
		Code    *string `json:"code"`
	}
	b := body{Message: e.message, Type: e.kind}
	if e.param != "" {
		b.Param = &e.param
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(e.status)
	// A reader that went away needs no answer.
	_ = json.NewEncoder(w).Encode(map[string]body{"error": b})
}

// toolName is the tool that every transcript's programs run in.
const toolName = "runCode"

// check refuses what a real server would refuse, and what no transcript could
// answer.
func (r *chatRequest) check() *wireError {
	if r.Model == "" {
		return invalid("model", "you must provide a model parameter")
	}
	if len(r.Messages) == 0 {
		return invalid("messages", "expected at least one message, got none")
	}
	for i, m := range r.Messages {
		if !slices.Contains([]string{"system", "developer", "user", "assistant", "tool"}, m.Role) {
			return invalid(fmt.Sprintf("messages[%d].role", i), "expected system, developer, user, assistant or tool, got %q", m.Role)
		}
	}
	if !r.Stream {
		return invalid("stream", "the offline player only streams: send \"stream\": true")
	}
	if !slices.ContainsFunc(r.Tools, func(t tool) bool { return t.Type == "function" && t.Function.Name == toolName }) {
		return invalid("tools", "the offline transcript calls the function tool %q, which the request does not offer", toolName)
	}
	return r.checkToolAnswers()
}

// checkToolAnswers keeps the rule that each call is answered once, right after
// the message that made it.
func (r *chatRequest) checkToolAnswers() *wireError {
	var open []string
	for i, m := range r.Messages {
		if m.Role == "tool" {
			at := slices.Index(open, m.ToolCallID)
			if at < 0 {
				return invalid(fmt.Sprintf("messages[%d].tool_call_id", i), "no open tool call has the id %q", m.ToolCallID)
			}
			open = slices.Delete(open, at, at+1)
			continue
		}
		if len(open) > 0 {
			return invalid(fmt.Sprintf("messages[%d]", i), "expected the output of tool call %q first, got a message of role %q", open[0], m.Role)
		}
		for _, call := range m.ToolCalls {
			open = append(open, call.ID)
		}
	}
	if len(open) > 0 {
		return invalid("messages", "tool call %q has no output", open[0])
	}
	return nil
}
