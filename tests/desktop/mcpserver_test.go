//go:build desktoptest

package desktop

import (
	"context"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveMCP is a variable of the environment that makes this test program an MCP
// server instead.
const serveMCP = "COUNTERSIGN_TEST_MCP"

// asMCPServer serves one tool on standard input and output.
func asMCPServer() error {
	server := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	type note struct {
		Text string `json:"text" jsonschema:"what to note"`
	}
	mcp.AddTool(server, &mcp.Tool{Name: "add-note", Description: "Adds a note"},
		func(_ context.Context, _ *mcp.CallToolRequest, in note) (*mcp.CallToolResult, any, error) {
			file, err := os.OpenFile(os.Getenv("NOTES"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				return nil, nil, err
			}
			defer file.Close()
			if _, err := file.WriteString(in.Text + "\n"); err != nil {
				return nil, nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "noted"}}}, nil, nil
		})
	return server.Run(context.Background(), &mcp.StdioTransport{})
}
