package mcp

import (
	"errors"
	"fmt"
	"io"
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
		MaxEventSize: maxMessage,
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
	if err == nil && !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		response.Body = &bounded{response.Body, maxMessage} // events are bounded one by one
	}
	return response, err
}

var errLarge = errors.New("its answer is larger than 16 MiB")

// bounded ends a body that is too large.
type bounded struct {
	io.ReadCloser
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLarge
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

const keepAlive = 30 * time.Second
