package settings

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Change is one way in which settings became looser. Before and After marshal to
// JSON and hold nothing secret.
type Change struct {
	Field  string `json:"field"` // “folders”
	Text   string `json:"text"`  // what it means, in a sentence
	Before any    `json:"before"`
	After  any    `json:"after"`
}

// Loosened lists how after lets the app do more, tell more, or ask less than
// before. What only tightens, or only changes how things look, is not in it.
func Loosened(before, after Settings) []Change {
	var list []Change
	add := func(field string, from, to any, format string, args ...any) {
		list = append(list, Change{field, fmt.Sprintf(format, args...), from, to})
	}
	loosenedModel(before.Model, after.Model, add)
	loosenedFolders(before.Folders, after.Folders, add)
	for _, host := range after.Hosts {
		if !slices.ContainsFunc(before.Hosts, func(old string) bool { return coversHost(old, host) }) {
			add("hosts", nil, host, "Programs may fetch from %s without asking.", host)
		}
	}
	for _, server := range after.Servers {
		loosenedServer(before.Servers, server, add)
	}
	for _, l := range limits {
		if from, to := *l.of(&before.Limits), *l.of(&after.Limits); to > from {
			add("limits."+l.name, from, to, "The limit %s rises from %d to %d %s.", l.name, from, to, l.unit)
		}
	}
	if asks(after.Approval) < asks(before.Approval) {
		add("approval", before.Approval, after.Approval, "%s", approvalText(before.Approval, after.Approval))
	}
	for _, pattern := range before.Tighten {
		if !slices.ContainsFunc(after.Tighten, func(other string) bool { return coversFunction(other, pattern) }) {
			add("tighten", pattern, nil, "%s is marked only where Countersign itself says so.", functionsText(pattern))
		}
	}
	return list
}

type addChange func(field string, from, to any, format string, args ...any)

func loosenedModel(before, after Model, add addChange) {
	if to := after.Address(); to != "" && (to != before.Address() || after.Provider != before.Provider) {
		add("model", before.Address(), to, "What you write, and what programs give back, is sent to %s.", to)
	}
}

func loosenedFolders(before, after []Folder, add addChange) {
	for _, f := range after {
		i := slices.IndexFunc(before, func(old Folder) bool { return old.Path == f.Path })
		switch {
		case i < 0 && f.Write:
			add("folders", nil, f, "Programs may read everything in %s, and change it when you approve.", f.Path)
		case i < 0:
			add("folders", nil, f, "Programs may read everything in %s.", f.Path)
		case f.Write && !before[i].Write:
			add("folders", before[i], f, "Programs may change what is in %s when you approve.", f.Path)
		}
	}
}

// reach is how a server is reached, without the values that are secret.
type reach struct {
	Name    string   `json:"name"`
	Command string   `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
	Env     []string `json:"env,omitempty"` // names
	URL     string   `json:"url,omitempty"`
	Headers []string `json:"headers,omitempty"` // names
}

func reachOf(s Server) reach {
	return reach{s.Name, s.Command, s.Args, slices.Sorted(maps.Keys(s.Env)), s.URL, slices.Sorted(maps.Keys(s.Headers))}
}

func loosenedServer(before []Server, s Server, add addChange) {
	i := slices.IndexFunc(before, func(old Server) bool { return old.Name == s.Name })
	old := Server{}
	where := s.URL
	if s.Command != "" {
		where = strings.Join(append([]string{s.Command}, s.Args...), " ")
	}
	if i < 0 {
		add("mcp", nil, reachOf(s), "The MCP server %s is started or reached, and its tools are offered: %s", s.Name, where)
	} else {
		old = before[i]
		a, b := old, s
		a.ReadOnlyConfirmed, b.ReadOnlyConfirmed = nil, nil
		switch {
		case !sameServer(a, b) && reflect.DeepEqual(reachOf(a), reachOf(b)):
			add("mcp", reachOf(old), reachOf(s), "The MCP server %s gets other values in its environment or headers.", s.Name)
		case !sameServer(a, b):
			add("mcp", reachOf(old), reachOf(s), "The MCP server %s is another one: %s", s.Name, where)
		}
	}
	for _, tool := range slices.Sorted(maps.Keys(s.ReadOnlyConfirmed)) {
		if old.ReadOnlyConfirmed[tool] != s.ReadOnlyConfirmed[tool] {
			add("mcp.readOnlyConfirmed", nil, s.Name+"."+tool, "%s of the MCP server %s runs without asking.", tool, s.Name)
		}
	}
}

func sameServer(a, b Server) bool {
	return a.Name == b.Name && a.Command == b.Command && slices.Equal(a.Args, b.Args) && maps.Equal(a.Env, b.Env) &&
		a.URL == b.URL && maps.Equal(a.Headers, b.Headers) && maps.Equal(a.ReadOnlyConfirmed, b.ReadOnlyConfirmed)
}

// asks orders the ways of asking by how strict they are.
func asks(a Approval) int { return slices.Index([]Approval{Batch, Each, Never}, a) }

func approvalText(before, after Approval) string {
	switch {
	case before == Never && after == Batch:
		return "Marked calls can run when you approve them; you are asked once about all calls that a program makes."
	case before == Never:
		return "Marked calls can run when you approve them."
	}
	return "You are asked once about all calls that a program makes, and not about each."
}

func functionsText(pattern string) string {
	switch {
	case pattern == "*":
		return "Every function"
	case strings.HasSuffix(pattern, ".*"):
		return "Every function of " + strings.TrimSuffix(pattern, ".*")
	}
	return pattern
}
