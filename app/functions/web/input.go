package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/faustine-ai/countersign/app"
)

type fetchInput struct {
	URL     string            `json:"url" jsonschema:"https://example.com/page"`
	Method  string            `json:"method,omitempty" jsonschema:"GET when left out; HEAD, POST, PUT, PATCH or DELETE"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    *string           `json:"body,omitempty" jsonschema:"text to send; JSON is text too: JSON.stringify(it)"`
	Bytes   []byte            `json:"bytes,omitempty" jsonschema:"in place of body: a Uint8Array"`
	As      string            `json:"as,omitempty" jsonschema:"how the answer is given: text, bytes, or markdown (a page's text, from HTML); left out: text, or bytes for what is none"`
}

// request is an input that has been read.
type request struct {
	method  string
	url     *url.URL
	headers http.Header
	body    []byte
	as      string
}

var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}

// plain are the headers that only say how to read.
var plain = []string{"Accept", "Accept-Language", "If-None-Match", "If-Modified-Since", "Range"}

// own are the headers that belong to the connection, or that web.fetch does not
// send for anybody.
var own = []string{"Host", "Cookie", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Upgrade", "Te", "Trailer", "Accept-Encoding", "Expect", "User-Agent", "Origin", "Referer", "Via"}

func (in fetchInput) read() (request, error) {
	r := request{method: strings.ToUpper(in.Method), headers: http.Header{}, body: in.Bytes, as: in.As}
	if r.method == "" {
		r.method = "GET"
	}
	if !slices.Contains(methods, r.method) {
		return r, app.Errorf(app.InvalidInput, "input.method: expected one of %s, got %.40q", strings.Join(methods, ", "), in.Method)
	}
	if !slices.Contains([]string{"", "text", "bytes", "markdown"}, in.As) {
		return r, app.Errorf(app.InvalidInput, "input.as: expected text, bytes or markdown, got %.40q", in.As)
	}
	var err error
	if r.url, err = target(in.URL, "input.url"); err != nil {
		return r, err
	}
	switch {
	case in.Body != nil && in.Bytes != nil:
		return r, app.Errorf(app.InvalidInput, "input: expected body or bytes, got both")
	case in.Body != nil:
		r.body = []byte(*in.Body)
	}
	if r.body != nil && r.reads() {
		return r, app.Errorf(app.InvalidInput, "input: a %s sends no body; use POST", r.method)
	}
	if len(in.Headers) > 50 {
		return r, app.Errorf(app.InvalidInput, "input.headers: expected at most 50, got %d", len(in.Headers))
	}
	for name, value := range in.Headers {
		canonical := http.CanonicalHeaderKey(name)
		switch {
		case !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) || len(value) > 8<<10:
			return r, app.Errorf(app.InvalidInput, "input.headers: %.40q is no header that can be sent", name)
		case slices.Contains(own, canonical) || strings.HasPrefix(canonical, "Proxy-") || strings.HasPrefix(canonical, "Sec-"):
			return r, app.Errorf(app.InvalidInput, "input.headers: %s is not sent by web.fetch; leave it out", canonical)
		}
		r.headers.Set(canonical, value)
	}
	return r, nil
}

func (r request) reads() bool { return r.method == "GET" || r.method == "HEAD" }

// unasked says whether the request may go without anybody being asked; if not, why.
func (r request) unasked(hosts []string) (why string, ok bool) {
	switch {
	case !r.reads():
		return "sends data", false
	case !allowed(r.url, hosts):
		return "not among the hosts you allow", false
	}
	for name := range r.headers {
		if !slices.Contains(plain, name) {
			return "with headers of its own", false
		}
	}
	return "", true
}
