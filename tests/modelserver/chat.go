package modelserver

import (
	"encoding/json"
	"fmt"
)

// chat is OpenAI's chat completions, which Ollama, LM Studio, llama.cpp, vLLM and
// OpenRouter speak too.
type chat struct{}

func (chat) read(body []byte) (Asked, error) {
	var request struct {
		Messages []struct {
			Role      string          `json:"role"`
			Content   json.RawMessage `json:"content"`
			ToolCalls []struct {
				Function struct{ Arguments string } `json:"function"`
			} `json:"tool_calls"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return Asked{}, err
	}
	var asked Asked
	for _, m := range request.Messages {
		if m.Role == "system" || m.Role == "developer" {
			asked.System += textOf(m.Content)
			continue
		}
		message := Message{Role: m.Role, Text: textOf(m.Content)}
		for _, call := range m.ToolCalls {
			message.Code += codeIn(call.Function.Arguments)
		}
		asked.Messages = append(asked.Messages, message)
	}
	return asked, nil
}

type object = map[string]any

func (chat) write(said Said, n int) []string {
	chunk := func(delta object, finish any) string {
		return line(object{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
			"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}}})
	}
	records := []string{chunk(object{"role": "assistant", "content": ""}, nil)}
	for _, piece := range pieces(said.Text) {
		records = append(records, chunk(object{"content": piece}, nil))
	}
	finish := "stop"
	if said.Code != "" {
		finish = "tool_calls"
		call := func(part object) string { return chunk(object{"tool_calls": []object{part}}, nil) }
		records = append(records, call(object{"index": 0, "id": fmt.Sprintf("call_%d", n), "type": "function",
			"function": object{"name": "runCode", "arguments": ""}}))
		for _, piece := range pieces(arguments(said.Code)) {
			records = append(records, call(object{"index": 0, "function": object{"arguments": piece}}))
		}
	}
	return append(records, chunk(object{}, finish),
		line(object{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted", "choices": []object{},
			"usage": object{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}}),
		"data: [DONE]\n\n")
}

func (chat) refuse(status int, reason string) string {
	return line(object{"error": object{"message": reason, "type": "error", "param": nil, "code": status}})[len("data: "):]
}
