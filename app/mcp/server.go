package mcp

import (
	"maps"
	"slices"
	"time"
)

// Server is one that the person has added: a command or an address.
type Server struct {
	Name    string
	Command string // a path, or a name that is looked up in PATH
	Args    []string
	Env     map[string]string // added to a minimal environment; secret
	URL     string            // in place of Command: streamable HTTP
	Headers map[string]string // sent with each request; secret
	// ReadOnlyConfirmed are the tools, by the server's own names, that the person
	// has confirmed to only read, each with the digest of the definition that was
	// confirmed.
	ReadOnlyConfirmed map[string]string
}

// sameProcess says whether a change from one to the other leaves the connection as
// it is.
func (s Server) sameProcess(o Server) bool {
	return s.Name == o.Name && s.Command == o.Command && slices.Equal(s.Args, o.Args) && maps.Equal(s.Env, o.Env) &&
		s.URL == o.URL && maps.Equal(s.Headers, o.Headers)
}

// Kind is how a server is reached.
func (s Server) kind() string {
	if s.URL != "" {
		return "http"
	}
	return "stdio"
}

// How long a server may take; tests have less time.
var (
	startTime = 20 * time.Second // to start and list its tools
	callTime  = 2 * time.Minute  // for one call
)

// What a server may take and cost otherwise.
const (
	quietTime  = time.Minute // after which an earlier failure is forgotten
	firstPause = time.Second // before it is started again; doubled each time
	longPause  = time.Minute // at most

	maxTools    = 200       // of a server
	maxSchema   = 64 << 10  // bytes of one schema
	maxSchemas  = 512 << 10 // bytes of all schemas of a server: the model reads them
	maxMessage  = 16 << 20  // bytes of one message, so of a result
	maxStderr   = 16 << 10  // bytes that are kept
	maxText     = 1_500     // characters of a description
	maxProblems = 50
)
