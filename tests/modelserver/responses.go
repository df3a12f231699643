package modelserver

import (
	"encoding/json"
	"fmt"
)

// responses is OpenAI's Responses API.
type responses struct{}

func (responses) read(body []byte) (Asked, error) {
	var request struct {
		Instructions string `json:"instructions"`
		Input        []struct {
			Type      string          `json:"type"`
			Role      string          `json:"role"`
			Content   json.RawMessage `json:"content"`
			Arguments string          `json:"arguments"`
			Output    json.RawMessage `json:"output"`
		} `json:"input"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return Asked{}, err
	}
	asked := Asked{System: request.Instructions}
	for _, item := range request.Input {
		switch {
		case item.Type == "function_call":
			asked.Messages = append(asked.Messages, Message{Role: "assistant", Code: codeIn(item.Arguments)})
		case item.Type == "function_call_output":
			asked.Messages = append(asked.Messages, Message{Role: "tool", Text: textOf(item.Output)})
		case item.Role == "system" || item.Role == "developer":
			asked.System += textOf(item.Content)
		default:
			asked.Messages = append(asked.Messages, Message{Role: item.Role, Text: textOf(item.Content)})
		}
	}
	return asked, nil
}

func (responses) write(said Said, n int) []string {
	var records []string
	sequence := 0
	put := func(kind string, data object) {
		data["type"], data["sequence_number"] = kind, sequence
		sequence++
		records = append(records, event(kind, data))
	}
	response := object{"id": "resp_1", "object": "response", "created_at": 1, "model": "scripted", "status": "in_progress", "output": []any{}}
	put("response.created", object{"response": response})
	at := 0
	if said.Text != "" {
		item := object{"id": "msg_1", "type": "message", "role": "assistant", "status": "in_progress", "content": []any{}}
		put("response.output_item.added", object{"output_index": at, "item": item})
		for _, piece := range pieces(said.Text) {
			put("response.output_text.delta", object{"item_id": "msg_1", "output_index": at, "content_index": 0, "delta": piece, "logprobs": []any{}})
		}
		put("response.output_item.done", object{"output_index": at, "item": object{"id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": said.Text, "annotations": []any{}}}}})
		at++
	}
	if said.Code != "" {
		call := func(status, arguments string) object {
			return object{"id": fmt.Sprintf("fc_%d", n), "type": "function_call", "status": status, "call_id": fmt.Sprintf("call_%d", n), "name": "runCode", "arguments": arguments}
		}
		put("response.output_item.added", object{"output_index": at, "item": call("in_progress", "")})
		for _, piece := range pieces(arguments(said.Code)) {
			put("response.function_call_arguments.delta", object{"item_id": fmt.Sprintf("fc_%d", n), "output_index": at, "delta": piece})
		}
		put("response.function_call_arguments.done", object{"item_id": fmt.Sprintf("fc_%d", n), "output_index": at, "arguments": arguments(said.Code)})
		put("response.output_item.done", object{"output_index": at, "item": call("completed", arguments(said.Code))})
	}
	put("response.completed", object{"response": object{"id": "resp_1", "object": "response", "created_at": 1, "model": "scripted", "status": "completed",
		"incomplete_details": nil, "output": []any{}, "usage": object{"input_tokens": 10, "output_tokens": 5, "total_tokens": 15,
			"input_tokens_details": object{"cached_tokens": 0}, "output_tokens_details": object{"reasoning_tokens": 0}}}})
	return records
}

func (responses) refuse(status int, reason string) string {
	return chat{}.refuse(status, reason)
}
