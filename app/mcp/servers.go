package mcp

import (
	"log/slog"
	"slices"
	"sync"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
)

// Servers are all that the person has added, each with its connection.
type Servers struct {
	reserved []string // first parts of names that others have
	changed  func()

	news operation.News

	mu     sync.Mutex
	links  []*link
	closed bool
}

// New makes Servers without any. changed is called, from any goroutine, when
// Functions gives another list; reserved are first parts of names that servers
// cannot have, such as files.
func New(changed func(), reserved ...string) *Servers {
	return &Servers{changed: changed, reserved: reserved}
}

// Set takes the place of the whole list: what is new is started, what is gone is
// ended, what is the same goes on.
func (s *Servers) Set(servers []Server) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	before := s.links
	s.links = nil
	taken := map[string]bool{}
	for _, name := range s.reserved {
		taken[name] = true
	}
	var gone, fresh []*link
	for _, server := range servers {
		i := slices.IndexFunc(before, func(l *link) bool { return l.server.sameProcess(server) })
		var l *link
		if i >= 0 {
			l, before = before[i], slices.Delete(slices.Clone(before), i, i+1)
			l.confirm(server.ReadOnlyConfirmed)
		} else {
			l = newLink(server, s.tell)
			fresh = append(fresh, l)
		}
		l.rename(free(identifier(server.Name), taken))
		s.links = append(s.links, l)
	}
	gone = before
	s.mu.Unlock()
	for _, l := range gone {
		go l.stop()
	}
	for _, l := range fresh {
		go l.run()
	}
	s.tell()
}

// Functions are those of all tools, of servers that are there and of those that
// are being started again.
func (s *Servers) Functions() []*app.Function {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*app.Function
	for _, l := range s.links {
		all = append(all, l.functions()...)
	}
	return all
}

// tell says that something has changed.
func (s *Servers) tell() {
	s.news.Changed()
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if !closed {
		s.changed()
	}
}

// Close ends all servers, and their processes, at once.
func (s *Servers) Close() error {
	s.mu.Lock()
	s.closed = true
	links := s.links
	s.links = nil
	s.mu.Unlock()
	var ending sync.WaitGroup
	for _, l := range links {
		ending.Go(l.stop)
	}
	ending.Wait()
	return nil
}

func logEnd(name string, err error) {
	slog.Warn("an MCP server is not there", "server", name, "error", err)
}
