package mcp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/faustine-ai/countersign/app"
)

// call uses a tool. When ctx ends the server is told so, and not waited for.
func (l *link) call(ctx context.Context, tool string, input json.RawMessage) (app.Value, error) {
	within, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	session, err := l.connected(within)
	if err != nil {
		return nil, err
	}
	result, err := session.CallTool(within, &mcp.CallToolParams{Name: tool, Arguments: input})
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case within.Err() != nil:
		return nil, app.Errorf(app.FunctionFailed, "the server %s did not answer within %v; whether %s took effect is not known", l.server.Name, callTime, tame(tool, 80))
	case l.lost(session, err):
		return nil, &app.Error{Code: app.FunctionFailed, Cause: err, Message: "the server " + l.server.Name + " went away while it was working; whether " + tame(tool, 80) + " took effect is not known"}
	default:
		return nil, &app.Error{Code: app.FunctionFailed, Cause: err, Message: "the server " + l.server.Name + " " + unanswered(err, tool)}
	}
	if result.NeedsInput() {
		return nil, app.Errorf(app.FunctionFailed, "the tool asks the person something in the middle of its work, which is not supported; nothing was answered")
	}
	if result.IsError {
		return nil, app.Errorf(app.FunctionFailed, "%s", failure(result))
	}
	return given(result, "the result of "+l.server.Name+"."+tool)
}

// lost says whether a call failed because the connection did.
func (l *link) lost(session *mcp.ClientSession, err error) bool {
	if errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, mcp.ErrSessionMissing) {
		return true
	}
	for _, sign := range []string{"connection closed", "client is closing", "EOF", "broken pipe", "connection reset", "file already closed"} {
		if strings.Contains(err.Error(), sign) {
			return true
		}
	}
	return false
}

// unanswered says why a call gave no result. Only an error that the server has
// answered means that it refused; an answer that is of no use came after the work.
func unanswered(err error, tool string) string {
	var said *jsonrpc.Error
	if errors.As(err, &said) && said.Code != rejectedByTransport {
		return "refused the call: " + tame(said.Message, 1_000)
	}
	why := "it is not what the protocol has for a result"
	var bytes base64.CorruptInputError
	switch {
	case strings.Contains(err.Error(), errLarge.Error()): // the SDK keeps its text only
		why = "it is larger than 16 MiB"
	case errors.As(err, &bytes):
		why = "its bytes are no base64"
	case said != nil || strings.Contains(err.Error(), `sending "tools/call"`): // over HTTP, with its status
		return "did not answer the call (" + tame(err.Error(), 1_000) + "); whether " + tame(tool, 80) + " took effect is not known"
	}
	return "answered what cannot be read (" + why + "); whether " + tame(tool, 80) + " took effect is not known"
}

// rejectedByTransport is the SDK's own code for a message that its transport has
// not passed on; no server has answered it.
const rejectedByTransport = -32005

// failure is what a tool says about an error of its own.
func failure(result *mcp.CallToolResult) string {
	var said []string
	for _, content := range result.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			said = append(said, text.Text)
		}
	}
	const most = 4_000
	text := strings.TrimSpace(strings.ToValidUTF8(strings.Join(said, "\n"), "\ufffd"))
	if text == "" {
		return "the tool failed without saying why"
	}
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
