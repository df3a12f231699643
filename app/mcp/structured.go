package mcp

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The SDK decodes structured content into Go's any, where a number is a float64:
// the order 9007199254740993 would come to a program as 9007199254740992. So on its
// way to the SDK its text is moved to where text stays as it is.
const textOfStructured = "countersign/structuredContent" // in the result's _meta

// moved gives a message of a server, or a batch of them, with the text of its
// structured content moved; whatever is no such message it gives as it is.
func moved(message []byte) []byte {
	// A key may be written with escapes.
	if !bytes.Contains(message, []byte("structuredContent")) && !bytes.Contains(message, []byte(`\u00`)) {
		return message
	}
	var batch []json.RawMessage
	if json.Unmarshal(message, &batch) == nil && len(batch) > 0 {
		for i := range batch {
			batch[i] = moved(batch[i])
		}
		return orAsItWas(message, batch)
	}
	var whole, result, meta map[string]json.RawMessage
	if json.Unmarshal(message, &whole) != nil || json.Unmarshal(whole["result"], &result) != nil {
		return message
	}
	structured, there := result["structuredContent"]
	if !there || string(structured) == "null" {
		return message
	}
	if given, ok := result["_meta"]; ok && json.Unmarshal(given, &meta) != nil {
		return message
	}
	if meta == nil {
		meta = map[string]json.RawMessage{}
	}
	text, err := written(string(structured))
	if err != nil {
		return message
	}
	meta[textOfStructured] = text
	if result["_meta"], err = written(meta); err != nil {
		return message
	}
	result["structuredContent"] = json.RawMessage("true") // that there is some
	if whole["result"], err = written(result); err != nil {
		return message
	}
	return orAsItWas(message, whole)
}

func orAsItWas(message []byte, made any) []byte {
	text, err := written(made)
	if err != nil {
		return message
	}
	return text
}

// written is JSON in one line and without escapes for HTML, which would make a
// message six times as long.
func written(v any) ([]byte, error) {
	var to bytes.Buffer
	encoder := json.NewEncoder(&to)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(to.Bytes(), []byte("\n")), err
}

// structured is the structured content of a result with all digits of its numbers,
// nil where there is none.
func structured(result *mcp.CallToolResult) (any, error) {
	if result.StructuredContent == nil {
		return nil, nil
	}
	text, moved := result.Meta[textOfStructured].(string)
	if !moved {
		return nil, errors.New("its structure came in a message that is none of JSON-RPC, so the digits of its numbers are not certain")
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	var tree any
	err := decoder.Decode(&tree)
	return tree, err
}
