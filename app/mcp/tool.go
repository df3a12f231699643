package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gowebpki/jcs"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/registry"
)

// tool is a tool as a server has defined it.
type tool struct {
	own         string // the server's name for it
	name        string // the last part of the function's name
	title       string
	description string
	readOnly    bool // it says so itself
	input       json.RawMessage
	output      json.RawMessage // nil: not told
	definition  string          // digest of all that was said, and of who said it
	problem     string          // why it is left out
	made        *app.Function   // but for what differs by server name and mark
}

// list reads the tools of a server. What is wrong with one leaves out that one.
func (l *link) list(ctx context.Context, session *mcp.ClientSession) error {
	var tools []tool
	var problems []string
	taken, schemas := map[string]bool{}, 0
	seen := map[string]bool{}
	for listed, err := range session.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		if listed == nil {
			continue
		}
		if len(tools) == maxTools {
			problems = append(problems, fmt.Sprintf("it has more than %d tools; those that follow are left out", maxTools))
			break
		}
		t := l.read(listed)
		switch schemas += len(t.input) + len(t.output); {
		case t.problem != "":
		case schemas > maxSchemas:
			t.problem = "the schemas of all its tools are too large together"
		case seen[t.own]:
			t.problem = "another tool has the same name, and a call would not say which is meant"
		}
		seen[t.own] = true
		if t.problem == "" {
			want := identifier(t.own)
			if t.name = free(want, taken); t.name != want {
				problems = append(problems, fmt.Sprintf("the tool %s is called %s, since another one is called %s", tame(t.own, 80), t.name, want))
			}
		}
		tools = append(tools, t)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tools, l.problems = tools, problems[:min(len(problems), maxProblems)]
	return nil
}

// read takes what a server says of a tool, and says what is wrong with it.
func (l *link) read(listed *mcp.Tool) tool {
	t := tool{own: listed.Name, description: tame(listed.Description, maxText)}
	if t.title = listed.Title; t.title == "" && listed.Annotations != nil {
		t.title = listed.Annotations.Title
	}
	t.title = tame(t.title, 100)
	t.readOnly = listed.Annotations != nil && listed.Annotations.ReadOnlyHint
	fail := func(problem string) tool {
		t.problem = tame(problem, 300)
		return t
	}
	if listed.Name == "" || len(listed.Name) > 200 {
		return fail("its name is empty, or too long")
	}
	var err error
	if t.input, err = canonical(listed.InputSchema); err != nil {
		return fail("the schema of its input " + err.Error())
	}
	if listed.OutputSchema != nil {
		if t.output, err = canonical(listed.OutputSchema); err != nil {
			return fail("the schema of its result " + err.Error())
		}
	}
	if t.definition, err = l.definitionOf(listed); err != nil {
		return fail("its definition cannot be read: " + err.Error())
	}
	var shape struct {
		Type any `json:"type"`
	}
	if err := json.Unmarshal(t.input, &shape); err != nil || shape.Type != "object" {
		return fail("the schema of its input is not that of an object")
	}
	own := t.own
	t.made = registry.Foreign("server.tool", t.input, func(ctx context.Context, input json.RawMessage) (app.Value, error) {
		return l.call(ctx, own, input)
	})
	if t.made.Defect != nil {
		return fail(t.made.Defect.Error())
	}
	if t.output != nil {
		t.made.Output = t.output
	}
	return t
}

var errSize = fmt.Errorf("is larger than %d KiB", maxSchema>>10)

func canonical(schema any) (json.RawMessage, error) {
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, errors.New("is no JSON")
	}
	if len(text) > maxSchema {
		return nil, errSize
	}
	if text, err = jcs.Transform(text); err != nil {
		return nil, errors.New("is no plain JSON object")
	}
	return text, nil
}

// definitionOf is the SHA-256 of what a confirmation is about: everything that the
// server says of the tool, and which server it is. An address or a command that
// changes is another server.
func (l *link) definitionOf(listed *mcp.Tool) (string, error) {
	text, err := json.Marshal(map[string]any{
		"server": []any{l.server.Command, l.server.Args, l.server.URL},
		"tool":   listed,
	})
	if err != nil {
		return "", err
	}
	if text, err = jcs.Transform(text); err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// marked says whether calls of the tool need approval.
func (t tool) marked(confirmed map[string]string) bool {
	return !t.readOnly || t.definition == "" || confirmed[t.own] != t.definition
}

// functions are those of the tools that can be called.
func (l *link) functions() []*app.Function {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == stopped {
		return nil
	}
	var all []*app.Function
	for _, t := range l.tools {
		if t.problem == "" {
			all = append(all, t.function(l.name, t.marked(l.confirmed)))
		}
	}
	return all
}

// function is the function of a tool. The card says whose tool it is, in our words:
// what a server calls it would stand there as if we had said it.
func (t tool) function(server string, marked bool) *app.Function {
	f := *t.made
	f.Name = server + "." + t.name
	f.Title = fmt.Sprintf("Use %s of the server %s", t.name, server)
	f.Plural = f.Title + " {n} times"
	f.Description = fmt.Sprintf("A tool of the MCP server %s.", server)
	if t.title != "" {
		f.Description += " “" + t.title + "”."
	}
	if t.description != "" {
		f.Description += " It says: " + t.description
	}
	if marked {
		f.Approval = app.ApprovalAlways
	}
	return &f
}
