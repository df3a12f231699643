package modelserver

import (
	"encoding/json"
	"fmt"
)

// messages is Anthropic's Messages API.
type messages struct{}

func (messages) read(body []byte) (Asked, error) {
	var request struct {
		System   json.RawMessage `json:"system"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return Asked{}, err
	}
	asked := Asked{System: textOf(request.System)}
	for _, m := range request.Messages {
		var parts []struct {
			Type    string `json:"type"`
			Text    string `json:"text"`
			Input   struct{ Code string }
			Content json.RawMessage `json:"content"`
		}
		message := Message{Role: m.Role}
		if json.Unmarshal(m.Content, &parts) != nil {
			message.Text = textOf(m.Content)
		}
		for _, p := range parts {
			switch p.Type {
			case "text":
				message.Text += p.Text
			case "tool_use":
				message.Code += p.Input.Code
			case "tool_result":
				asked.Messages = append(asked.Messages, Message{Role: "tool", Text: textOf(p.Content)})
			}
		}
		if message.Text != "" || message.Code != "" {
			asked.Messages = append(asked.Messages, message)
		}
	}
	return asked, nil
}

func (messages) write(said Said, n int) []string {
	records := []string{event("message_start", object{"type": "message_start", "message": object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "content": []any{}, "stop_reason": nil,
		"stop_sequence": nil, "usage": object{"input_tokens": 10, "output_tokens": 1}}})}
	at := 0
	block := func(start object, deltas []object) {
		records = append(records, event("content_block_start", object{"type": "content_block_start", "index": at, "content_block": start}))
		for _, d := range deltas {
			records = append(records, event("content_block_delta", object{"type": "content_block_delta", "index": at, "delta": d}))
		}
		records = append(records, event("content_block_stop", object{"type": "content_block_stop", "index": at}))
		at++
	}
	if said.Text != "" {
		var deltas []object
		for _, piece := range pieces(said.Text) {
			deltas = append(deltas, object{"type": "text_delta", "text": piece})
		}
		block(object{"type": "text", "text": ""}, deltas)
	}
	stop := "end_turn"
	if said.Code != "" {
		stop = "tool_use"
		var deltas []object
		for _, piece := range pieces(arguments(said.Code)) {
			deltas = append(deltas, object{"type": "input_json_delta", "partial_json": piece})
		}
		block(object{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", n), "name": "runCode", "input": object{}}, deltas)
	}
	return append(records,
		event("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 5}}),
		event("message_stop", object{"type": "message_stop"}))
}

func (messages) refuse(status int, reason string) string {
	kind := map[int]string{401: "authentication_error", 429: "rate_limit_error", 529: "overloaded_error"}[status]
	if kind == "" {
		kind = "api_error"
	}
	return line(object{"type": "error", "error": object{"type": kind, "message": reason}})[len("data: "):]
}
