package model

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Times are how long each part of a request may take.
type Times struct {
	Connect   time.Duration // to the server, and again for TLS
	FirstByte time.Duration // from the request to the first of the answer: a local model may have to be loaded
	Idle      time.Duration // between two pieces of an answer
	Retry     time.Duration // before the second try; doubled for each further one
	Patience  time.Duration // the longest that a server may ask us to wait for it
}

// DefaultTimes suit services and models on one's own machine.
func DefaultTimes() Times {
	return Times{Connect: 10 * time.Second, FirstByte: 5 * time.Minute, Idle: 2 * time.Minute, Retry: 500 * time.Millisecond, Patience: 20 * time.Second}
}

// Config is what a forwarder needs.
type Config struct {
	Target func() Target // what is set now; asked for each request
	// Key finds the key for a target; empty: there is none. An error says why one
	// may be there and cannot be had.
	Key   func(context.Context, Target) (string, error)
	Agent string // name and version of the app, for the server
	Times Times  // zero: DefaultTimes
	Trust func(*http.Transport)
}

// Forwarder carries the page's model traffic to the address that is set, and to
// no other: it puts the key in, takes the page's own headers out, tries again
// before anything has come, and says in a sentence what went wrong.
//
//	POST /model/<provider>/…           the answer, streamed as it comes
//	DELETE /model/requests/<id>        ends the request with this X-Countersign-Request
type Forwarder struct {
	config Config
	client *http.Client
	pause  func(context.Context, time.Duration) error

	mu   sync.Mutex
	on   map[string]context.CancelFunc
	gone []string // ids that were ended before they began
}

// requestHeader names a request, so that the page can end it: the webview does
// not tell us when it has given one up.
const requestHeader = "X-Countersign-Request"

// NewForwarder makes a forwarder.
func NewForwarder(config Config) *Forwarder {
	if config.Times == (Times{}) {
		config.Times = DefaultTimes()
	}
	dialer := &net.Dialer{Timeout: config.Times.Connect, KeepAlive: 30 * time.Second}
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dialer.DialContext,
		ForceAttemptHTTP2:     true,
		TLSHandshakeTimeout:   config.Times.Connect,
		ResponseHeaderTimeout: config.Times.FirstByte,
		IdleConnTimeout:       90 * time.Second,
		MaxIdleConnsPerHost:   4,
		DisableCompression:    true, // pieces must come as they are sent
	}
	if config.Trust != nil {
		config.Trust(transport)
	}
	return &Forwarder{
		config: config, pause: pause, on: map[string]context.CancelFunc{},
		client: &http.Client{Transport: transport, CheckRedirect: stayThere},
	}
}

// stayThere follows a redirect within the host only: anywhere else the key and
// the conversation would be told to somebody who was not chosen.
func stayThere(next *http.Request, before []*http.Request) error {
	first := before[0]
	if next.URL.Scheme != first.URL.Scheme || next.URL.Host != first.URL.Host || len(before) > 3 {
		return errElsewhere
	}
	return nil
}

func (f *Forwarder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	provider, rest, ok := split(r.URL.Path)
	if !ok {
		http.NotFound(w, r)
		return
	}
	if provider == "requests" {
		f.end(w, r, rest)
		return
	}
	if problem := f.forward(w, r, provider, rest); problem != nil {
		// A page that went away needs no answer.
		_ = problem.write(w, provider)
	}
}

// passed are the headers of the page that mean something to the server. Cookies,
// origin and the page's secret are not among them.
var passed = []string{"Content-Type", "Accept", "Anthropic-Version", "Anthropic-Beta"}

// forward answers, or gives the fault when nothing has been answered yet.
func (f *Forwarder) forward(w http.ResponseWriter, r *http.Request, provider, rest string) *fault {
	t := f.config.Target()
	if allowed, known := may[provider]; !known || !slices.Contains(allowed, r.Method+" "+rest) {
		return newFault(http.StatusNotFound, "Countersign passes nothing on to "+r.Method+" "+r.URL.Path+".")
	}
	if t.Provider != provider || t.Address == "" {
		return newFault(http.StatusConflict, "Another model is set now. Ask again, and it answers.")
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	done, begun := f.begin(r.Header.Get(requestHeader), cancel)
	if !begun {
		return newFault(http.StatusConflict, "The request was stopped.")
	}
	defer done()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			return newFault(http.StatusRequestEntityTooLarge, "The conversation is too long to be sent. Begin a new one.")
		}
		return newFault(http.StatusBadRequest, "The request could not be read.")
	}
	header := http.Header{}
	for _, name := range passed {
		if value := r.Header.Values(name); len(value) > 0 {
			header[name] = value
		}
	}
	response, err := f.send(ctx, t, r.Method, rest, header, body)
	if err != nil {
		if problem, is := asFault(err); is {
			return problem
		}
		return newFault(http.StatusBadGateway, "The request was stopped.") // nobody listens any more
	}
	defer response.Body.Close()
	return f.answer(ctx, cancel, w, response, t, rest)
}

// begin notes a request under its id; false: it was ended before it came.
func (f *Forwarder) begin(id string, cancel context.CancelFunc) (done func(), begun bool) {
	if id == "" {
		return func() {}, true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if at := slices.Index(f.gone, id); at >= 0 {
		f.gone = slices.Delete(f.gone, at, at+1)
		return nil, false
	}
	f.on[id] = cancel
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.on, id)
	}, true
}

// maxGone bounds the ids that are kept for requests that have not come.
const maxGone = 64

func (f *Forwarder) end(w http.ResponseWriter, r *http.Request, id string) {
	if r.Method != http.MethodDelete || id == "" || len(id) > 64 || strings.Contains(id, "/") {
		http.Error(w, "expected DELETE /model/requests/<id>", http.StatusBadRequest)
		return
	}
	f.mu.Lock()
	cancel := f.on[id]
	if cancel == nil {
		if f.gone = append(f.gone, id); len(f.gone) > maxGone {
			f.gone = f.gone[1:]
		}
	}
	f.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	w.WriteHeader(http.StatusNoContent)
}

// EndAll ends every request: the page that asked is gone.
func (f *Forwarder) EndAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, cancel := range f.on {
		cancel()
	}
}
