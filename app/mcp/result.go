package mcp

import (
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/value"
)

// given turns the result of a tool into a value:
//
//	structured content            that value
//	texts only                    one text; several are joined by line breaks
//	nothing                       undefined
//	anything else                 a list of {type, text | bytes | uri, …}, in order
//
// Structured content counts alone, since the protocol has servers repeat it as
// text, unless something that is no text comes with it: then it is the last of
// the list, as {type: "structured", value}.
func given(result *mcp.CallToolResult, root string) (app.Value, error) {
	texts, other := []string{}, false
	for _, content := range result.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			texts = append(texts, strings.ToValidUTF8(text.Text, "\ufffd"))
		} else if content != nil {
			other = true
		}
	}
	whole, err := structured(result)
	if err != nil {
		return nil, &app.Error{Code: app.InvalidOutput, Cause: err, Message: root + " cannot be handed over: " + err.Error()}
	}
	switch {
	case whole != nil && !other:
		return value.From(whole, root)
	case other:
		var parts []any
		for _, content := range result.Content {
			if content != nil {
				parts = append(parts, part(content))
			}
		}
		if whole != nil {
			parts = append(parts, map[string]any{"type": "structured", "value": whole})
		}
		return value.From(parts, root)
	case len(texts) == 0:
		return value.Undefined, nil
	}
	return value.From(strings.Join(texts, "\n"), root)
}

// part is one piece of content.
func part(content mcp.Content) any {
	switch content := content.(type) {
	case *mcp.TextContent:
		return map[string]any{"type": "text", "text": strings.ToValidUTF8(content.Text, "\ufffd")}
	case *mcp.ImageContent:
		return map[string]any{"type": "image", "mimeType": content.MIMEType, "bytes": value.Tagged(value.Bytes(content.Data))}
	case *mcp.AudioContent:
		return map[string]any{"type": "audio", "mimeType": content.MIMEType, "bytes": value.Tagged(value.Bytes(content.Data))}
	case *mcp.ResourceLink:
		return map[string]any{"type": "link", "uri": content.URI, "name": content.Name, "title": content.Title, "description": content.Description, "mimeType": content.MIMEType}
	case *mcp.EmbeddedResource:
		if r := content.Resource; r != nil {
			made := map[string]any{"type": "resource", "uri": r.URI, "mimeType": r.MIMEType}
			if r.Blob != nil {
				made["bytes"] = value.Tagged(value.Bytes(r.Blob))
			} else {
				made["text"] = strings.ToValidUTF8(r.Text, "\ufffd")
			}
			return made
		}
	}
	raw, err := json.Marshal(content)
	if err != nil {
		return map[string]any{"type": "unknown"}
	}
	return map[string]any{"type": "unknown", "content": json.RawMessage(raw)}
}
