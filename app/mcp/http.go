package mcp

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// overHTTP reaches a server by its address. The headers, which may hold a key, go
// to that host alone.
func overHTTP(s Server) mcp.Transport {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.ResponseHeaderTimeout = callTime
	return &mcp.StreamableClientTransport{
		Endpoint:     s.URL,
		MaxEventSize: maxMoved,
		MaxRetries:   2,
		HTTPClient: &http.Client{
			Transport: &withHeaders{base, s.Headers},
			CheckRedirect: func(r *http.Request, via []*http.Request) error {
				if len(via) > 5 || r.URL.Host != via[0].URL.Host || r.URL.Scheme != via[0].URL.Scheme {
					return fmt.Errorf("it sends requests on to %s; set that address if it is right", r.URL.Host)
				}
				return nil
			},
		},
	}
}

type withHeaders struct {
	next    http.RoundTripper
	headers map[string]string
}

func (w *withHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range w.headers {
		r.Header.Set(name, value)
	}
	response, err := w.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		response.Body = eventsOf(response.Body)
	} else {
		response.Body = wholeOf(response.Body)
	}
	response.ContentLength = -1 // a message may become longer
	return response, nil
}

const keepAlive = 30 * time.Second
