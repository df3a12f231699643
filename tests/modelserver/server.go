package modelserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Said is what the model says to one request: a text, then perhaps a program.
type Said struct {
	Text string
	Code string // a call of the tool runCode
	// How it breaks, if it does.
	Status int  // answers with this status and Text as the reason
	Drop   bool // ends the connection in the middle of the stream
	Hold   bool // says the text and then nothing, until the request is given up
}

// Asked is a request as the model got it.
type Asked struct {
	Path   string
	Header http.Header
	// Messages are what was said so far, oldest first; the system's words are left out.
	Messages []Message
	System   string
}

// Message is one message of a request. Role is user, assistant or tool.
type Message struct {
	Role string
	Text string // what was said; of a tool, the output of the program
	Code string // the program, where there is one
}

// Last is the last message.
func (a Asked) Last() Message { return a.Messages[len(a.Messages)-1] }

// Outputs are the outputs of programs since the person last asked.
func (a Asked) Outputs() []string {
	var outputs []string
	for _, m := range slices.Backward(a.Messages) {
		if m.Role == "user" {
			break
		}
		if m.Role == "tool" {
			outputs = append([]string{m.Text}, outputs...)
		}
	}
	return outputs
}

// Script decides what the model says.
type Script func(Asked) Said

// Server is a running server.
type Server struct {
	Address string // http://127.0.0.1:…
	mu      sync.Mutex
	asked   []Asked
	gone    int
	script  Script
}

// Start starts a server that ends with the test.
func Start(t *testing.T, script Script) *Server {
	s := &Server{script: script}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, chat{}) })
	mux.HandleFunc("POST /v1/messages", func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, messages{}) })
	mux.HandleFunc("POST /v1/responses", func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, responses{}) })
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"scripted","object":"model","created":1,"owned_by":"tests"}]}`)
	})
	server := httptest.NewServer(mux)
	s.Address = server.URL
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return s
}

// Asked are all requests so far.
func (s *Server) Asked() []Asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// GivenUp is how many requests ended because whoever asked went away.
func (s *Server) GivenUp() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone
}

// format is how a provider writes requests and answers.
type format interface {
	read(body []byte) (Asked, error)
	// write gives the records of a stream, each as it goes over the wire.
	write(said Said, n int) []string
	refuse(status int, reason string) string
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request, f format) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	asked, err := f.read(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	asked.Path, asked.Header = r.URL.Path, r.Header.Clone()
	s.mu.Lock()
	s.asked = append(s.asked, asked)
	n := len(s.asked)
	s.mu.Unlock()
	said := s.script(asked)
	if said.Status != 0 {
		w.Header().Set("Content-Type", "application/json")
		if said.Status == http.StatusTooManyRequests {
			w.Header().Set("Retry-After", "0")
		}
		w.WriteHeader(said.Status)
		fmt.Fprint(w, f.refuse(said.Status, said.Text))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	records := f.write(said, n)
	for i, record := range records {
		if (said.Drop || said.Hold) && i == len(records)/2 {
			break
		}
		fmt.Fprint(w, record)
		w.(http.Flusher).Flush()
	}
	switch {
	case said.Hold:
		<-r.Context().Done()
		s.mu.Lock()
		s.gone++
		s.mu.Unlock()
	case said.Drop:
		panic(http.ErrAbortHandler) // ends the connection as a crash would
	}
}

// pieces cuts a text as a model streams it.
func pieces(text string) []string {
	var cut []string
	for len(text) > 0 {
		n := min(len(text), 24)
		for n < len(text) && text[n]&0xC0 == 0x80 {
			n++ // not within a character
		}
		cut, text = append(cut, text[:n]), text[n:]
	}
	return cut
}

func arguments(code string) string {
	text, err := json.Marshal(map[string]string{"code": code})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func codeIn(arguments string) string {
	var input struct{ Code string }
	if json.Unmarshal([]byte(arguments), &input) != nil {
		return ""
	}
	return input.Code
}

// event is a record with a name.
func event(name string, data any) string {
	return "event: " + name + "\n" + line(data)
}

func line(data any) string {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	return "data: " + string(text) + "\n\n"
}

// textOf reads a content that is a text, or a list of parts with texts.
func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(raw, &parts) // a content of another kind has no text
	var all strings.Builder
	for _, p := range parts {
		all.WriteString(p.Text)
	}
	return all.String()
}
