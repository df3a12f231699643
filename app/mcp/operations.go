package mcp

import (
	"context"
	"encoding/json"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
)

// Status is a server as the page shows it.
type Status struct {
	Name     string       `json:"name"`     // in the settings
	Function string       `json:"function"` // the first part of its functions' names
	Kind     string       `json:"kind"`     // stdio, http
	State    state        `json:"state"`    // starting, ready, waiting, stopped
	Problem  string       `json:"problem,omitempty"`
	RetryAt  *time.Time   `json:"retryAt,omitempty"`
	Server   *About       `json:"server,omitempty"` // what it says of itself
	Tools    []ToolStatus `json:"tools"`
	Problems []string     `json:"problems"`         // of its tools
	Stderr   string       `json:"stderr,omitempty"` // the end of its error output
}

// About is what a server says of itself.
type About struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// ToolStatus is a tool as the page shows it.
type ToolStatus struct {
	Tool         string `json:"tool"`           // the server's own name, which a confirmation is kept under
	Name         string `json:"name,omitempty"` // of the function; none: it is left out
	Title        string `json:"title"`
	Description  string `json:"description"`
	ReadOnlyHint bool   `json:"readOnlyHint"`
	Confirmed    bool   `json:"confirmed"` // for this definition
	Stale        bool   `json:"stale"`     // another definition was confirmed
	Marked       bool   `json:"marked"`
	Definition   string `json:"definition"` // hex SHA-256; what a confirmation binds
	Problem      string `json:"problem,omitempty"`
}

func (l *link) status() Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := Status{Name: l.server.Name, Function: l.name, Kind: l.server.kind(), State: l.state, Problem: l.problem,
		Tools: []ToolStatus{}, Problems: append([]string{}, l.problems...), Stderr: l.stderr.String()}
	if l.name != identifier(l.server.Name) {
		s.Problems = append(s.Problems, "its functions begin with "+l.name+", since "+identifier(l.server.Name)+" is taken")
	}
	if !l.retryAt.IsZero() {
		at := l.retryAt
		s.RetryAt = &at
	}
	if l.about.Name != "" {
		s.Server = &About{tame(l.about.Name, 100), tame(l.about.Version, 100)}
	}
	for _, t := range l.tools {
		row := ToolStatus{Tool: t.own, Title: t.title, Description: t.description, ReadOnlyHint: t.readOnly,
			Confirmed: t.definition != "" && l.confirmed[t.own] == t.definition, Marked: t.marked(l.confirmed), Definition: t.definition, Problem: t.problem}
		row.Stale = !row.Confirmed && l.confirmed[t.own] != ""
		if t.problem == "" {
			row.Name = l.name + "." + t.name
		}
		s.Tools = append(s.Tools, row)
	}
	return s
}

type watched struct {
	Revision int64    `json:"revision"`
	Servers  []Status `json:"servers"`
}

// Operations are what the page may ask for:
//
//	mcp.status {}           → {revision, servers}
//	mcp.watch {since}       → the same, as soon as the revision is another
//	mcp.restart {name}      starts a server anew, at once
func (s *Servers) Operations() []app.Operation {
	return []app.Operation{
		{Name: "mcp.status", Do: func(ctx context.Context, raw json.RawMessage) (any, error) {
			if _, err := operation.Args[operation.None]("mcp.status", raw); err != nil {
				return nil, err
			}
			return s.watch(ctx, 0)
		}},
		{Name: "mcp.watch", Do: func(ctx context.Context, raw json.RawMessage) (any, error) {
			args, err := operation.Args[struct {
				Since int64 `json:"since"`
			}]("mcp.watch", raw)
			if err != nil {
				return nil, err
			}
			return s.watch(ctx, args.Since)
		}},
		{Name: "mcp.restart", Do: func(_ context.Context, raw json.RawMessage) (any, error) {
			args, err := operation.Args[struct {
				Name string `json:"name"`
			}]("mcp.restart", raw)
			if err != nil {
				return nil, err
			}
			return operation.None{}, s.restart(args.Name)
		}},
	}
}

func (s *Servers) watch(ctx context.Context, since int64) (watched, error) {
	revision, err := s.news.After(ctx, since)
	if err != nil {
		return watched{}, err
	}
	s.mu.Lock()
	links := s.links
	s.mu.Unlock()
	now := watched{Revision: revision, Servers: []Status{}}
	for _, l := range links {
		now.Servers = append(now.Servers, l.status())
	}
	return now, nil
}

func (s *Servers) restart(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.links {
		if l.server.Name == name {
			l.restart()
			return nil
		}
	}
	return app.Errorf(app.BadRequest, "mcp.restart: there is no server %.50q in the settings", name)
}
