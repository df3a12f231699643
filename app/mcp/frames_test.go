package mcp

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const response = `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"n":9007199254740993,"s":"<\"é\u2028>"},"_meta":{"own":1}}}`

const movedResponse = `{"id":1,"jsonrpc":"2.0","result":{"_meta":{"countersign/structuredContent":"{\"n\":9007199254740993,\"s\":\"<\\\"é\\u2028>\"}","own":1},"content":[],"structuredContent":true}}`

func TestStructuredContentGoesByAsText(t *testing.T) {
	event := "event: message\nid: 7\ndata: " + response + "\n\n"
	for name, c := range map[string]struct {
		of         func(io.ReadCloser) io.ReadCloser
		from, want string
	}{
		"a line":            {linesOf, response + "\n", movedResponse + "\n"},
		"the last line":     {linesOf, response, movedResponse + "\n"},
		"a batch":           {linesOf, "[" + response + `,{"a":1}]` + "\n", "[" + movedResponse + `,{"a":1}]` + "\n"},
		"an escaped key":    {linesOf, strings.Replace(response, "structuredC", `structured\u0043`, 1) + "\n", movedResponse + "\n"},
		"no result":         {linesOf, `{"method":"structuredContent","params":{"structuredContent":1}}` + "\n", ""},
		"none":              {linesOf, `{"id":1,"result":{"structuredContent":null,"n":1}}` + "\n", ""},
		"no JSON":           {linesOf, "structuredContent: hello\n\n{\n", ""},
		"a whole body":      {wholeOf, strings.ReplaceAll(response, `,"id"`, ",\n \"id\""), movedResponse},
		"events":            {eventsOf, ": hello\n\n" + event + event, ": hello\n\n" + strings.Repeat("event: message\nid: 7\ndata: "+movedResponse+"\n\n", 2)},
		"an event in lines": {eventsOf, "data:" + strings.ReplaceAll(response, `,"id"`, ",\r\ndata: \"id\"") + "\r\n\r\n", "data: " + movedResponse + "\n\n"},
		"another event":     {eventsOf, "data: {\"method\":\"x\"}\r\n\r\ndata: cut", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.from
			}
			// However the bytes come.
			for _, from := range []io.Reader{strings.NewReader(c.from), iotest.OneByteReader(strings.NewReader(c.from)), iotest.DataErrReader(strings.NewReader(c.from))} {
				got, err := io.ReadAll(c.of(io.NopCloser(from)))
				if err != nil || string(got) != c.want {
					t.Errorf("got %s, %v, want %s", got, err, c.want)
				}
			}
		})
	}
}

// endless gives one line without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestAMessageWithoutEndIsNotReadToTheEnd(t *testing.T) {
	for _, of := range []func(io.ReadCloser) io.ReadCloser{linesOf, wholeOf, eventsOf} {
		if n, err := io.Copy(io.Discard, of(io.NopCloser(endless{}))); !errors.Is(err, errLarge) || n != 0 {
			t.Errorf("%d bytes passed, then %v", n, err)
		}
	}
}

func TestStructureWhoseDigitsAreNotCertainIsNotHandedOver(t *testing.T) {
	if v, err := given(&sdk.CallToolResult{StructuredContent: map[string]any{"n": 9007199254740992.0}}, "the result of a.b"); err == nil || !strings.Contains(err.Error(), "not certain") {
		t.Errorf("got %s, %v", v, err)
	}
}
