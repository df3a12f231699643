package settings

import (
	"maps"
	"slices"
	"strings"
)

// Settings is everything a person decides. The JSON is that of the file, in
// which what has a default can be left out.
type Settings struct {
	Model    Model    `json:"model"`
	Folders  []Folder `json:"folders"`
	Hosts    []string `json:"hosts"` // example.com, or *.example.com for the names below it
	Servers  []Server `json:"mcp"`
	Limits   Limits   `json:"limits"`
	Approval Approval `json:"approval"`
	Tighten  []string `json:"tighten"` // functions that are marked whatever Go says: files.read, files.* or *
	Theme    Theme    `json:"theme"`
}

// Model is who answers.
type Model struct {
	Provider Provider `json:"provider"`
	BaseURL  string   `json:"baseURL"` // empty: the provider's own
	Name     string   `json:"name"`    // as the provider calls it
}

// Folder is a place that functions on files may see.
type Folder struct {
	Path  string `json:"path"`  // absolute and clean; it may be missing at the moment
	Name  string `json:"name"`  // what programs call it; unique
	Write bool   `json:"write"` // false: they may only read
}

// Server is an MCP server: a command that is started, or an address.
type Server struct {
	Name    string            `json:"name"` // the first part of the names of its functions
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"` // values are secret
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"` // values are secret
	// ReadOnlyConfirmed are the tools that the person holds for read-only, each
	// with the hex SHA-256 of its definition: one that changes is asked about again.
	ReadOnlyConfirmed map[string]string `json:"readOnlyConfirmed,omitempty"`
}

// Approval says how the person is asked about marked calls.
type Approval string

const (
	Each  Approval = "each"  // a card for each call, when the program makes it
	Batch Approval = "batch" // a card for all calls that the program makes
	Never Approval = "never" // nobody is asked, and no marked call runs
)

// Theme is how the page looks.
type Theme string

const (
	System Theme = "system"
	Light  Theme = "light"
	Dark   Theme = "dark"
)

// Defaults are the settings of somebody who has decided nothing: no model but
// the offline one, nothing to reach, a card for every marked call.
func Defaults() Settings {
	return Settings{
		Model:    Model{Provider: Offline},
		Folders:  []Folder{},
		Hosts:    []string{},
		Servers:  []Server{},
		Limits:   DefaultLimits(),
		Approval: Batch,
		Tighten:  []string{},
		Theme:    System,
	}
}

// Strictest are the settings when nothing that was ever decided can be read:
// every function is marked, and no marked call runs.
func Strictest() Settings {
	s := Defaults()
	s.Approval = Never
	s.Tighten = []string{"*"}
	return s
}

// Tightened says whether calls of a function are marked whatever Go says.
func (s Settings) Tightened(function string) bool {
	return slices.ContainsFunc(s.Tighten, func(pattern string) bool { return coversFunction(pattern, function) })
}

// coversFunction says whether a pattern names everything that another, or a
// function's name, names.
func coversFunction(pattern, other string) bool {
	family, isFamily := strings.CutSuffix(pattern, "*")
	return pattern == other || isFamily && strings.HasPrefix(other, family)
}

// coversHost says the same of hosts.
func coversHost(pattern, other string) bool {
	below, isWild := strings.CutPrefix(pattern, "*")
	return pattern == other || isWild && strings.HasSuffix(strings.TrimPrefix(other, "*"), below)
}

// Clone is a copy that shares nothing.
func (s Settings) Clone() Settings {
	s.Folders = copyList(s.Folders)
	s.Hosts = copyList(s.Hosts)
	s.Tighten = copyList(s.Tighten)
	s.Servers = copyList(s.Servers)
	for i := range s.Servers {
		server := &s.Servers[i]
		server.Args = slices.Clone(server.Args)
		server.Env = maps.Clone(server.Env)
		server.Headers = maps.Clone(server.Headers)
		server.ReadOnlyConfirmed = maps.Clone(server.ReadOnlyConfirmed)
	}
	return s
}

// copyList never gives nil, so that JSON has a list.
func copyList[T any](list []T) []T { return append([]T{}, list...) }
