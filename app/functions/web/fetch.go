package web

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/url"
	"time"
)

const (
	fetchTime    = 30 * time.Second // for a request with all its redirects
	maxRedirects = 8
	maxBody      = 6 << 20 // bytes of an answer, unpacked
	maxHeader    = 256 << 10
)

// fetcher makes requests.
type fetcher struct {
	hosts     func() []string
	transport *http.Transport
}

func newFetcher(hosts func() []string, n network, roots *tls.Config) *fetcher {
	return &fetcher{hosts: hosts, transport: &http.Transport{
		Proxy:                  nil, // one would look names up itself
		DialContext:            n.dial,
		TLSClientConfig:        roots,
		TLSHandshakeTimeout:    connectTime,
		ResponseHeaderTimeout:  fetchTime,
		MaxResponseHeaderBytes: maxHeader,
		ForceAttemptHTTP2:      true,
		// A connection that was judged is not kept for a name that may be another
		// by then.
		DisableKeepAlives: true,
	}}
}

// answer is what came back, its body not yet read.
type answer struct {
	*http.Response
	url      *url.URL
	redirect string // where it leads, not followed
}

// fetch makes the request and follows the redirects that need nobody's approval.
func (f *fetcher) fetch(ctx context.Context, r request) (*answer, error) {
	if _, ok := r.unasked(f.hosts()); ok && r.url.Scheme == "http" {
		r.url.Scheme = "https" // nobody was asked, so nobody has agreed to send it open
	}
	for followed := 0; ; followed++ {
		response, err := f.once(ctx, r)
		if err != nil {
			return nil, failed(r.url, err)
		}
		given := &answer{Response: response, url: r.url}
		next, leads := f.next(r, response)
		if leads == "" {
			return given, nil
		}
		if next == nil || followed == maxRedirects {
			given.redirect = leads
			return given, nil
		}
		_ = response.Body.Close() // nobody reads it
		r = *next
	}
}

func (f *fetcher) once(ctx context.Context, r request) (*http.Response, error) {
	var body io.Reader
	if r.body != nil {
		body = bytes.NewReader(r.body)
	}
	asked, err := http.NewRequestWithContext(ctx, r.method, r.url.String(), body)
	if err != nil {
		return nil, err
	}
	asked.Header = r.headers.Clone()
	asked.Header.Set("User-Agent", "Countersign")
	return f.transport.RoundTrip(asked)
}

// next gives the request that a redirect asks for, where nobody needs to be asked
// for it, and where it leads.
func (f *fetcher) next(r request, response *http.Response) (*request, string) {
	location := response.Header.Get("Location")
	switch response.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, ""
	}
	if location == "" {
		return nil, ""
	}
	to, err := r.url.Parse(location)
	if err != nil {
		return nil, clip(location)
	}
	leads := clip(to.String())
	if to, err = target(to.String(), "redirect"); err != nil {
		return nil, leads
	}
	next := r
	next.url = to
	switch {
	case r.reads():
	case response.StatusCode == http.StatusSeeOther:
		next.method, next.body = http.MethodGet, nil
	default:
		return nil, leads // sending the same again is for a person to decide
	}
	if _, ok := next.unasked(f.hosts()); ok && to.Scheme == "https" {
		return &next, leads
	}
	// An approval is for a host, whatever page of it; headers go nowhere else.
	if sameOrigin(r.url, to) && next.reads() {
		return &next, leads
	}
	return nil, leads
}

func clip(text string) string {
	const most = 2_000
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// body reads an answer up to the bound.
func (a *answer) body() (data []byte, more bool, err error) {
	data, err = io.ReadAll(io.LimitReader(a.Body, maxBody+1))
	if err != nil {
		return nil, false, failed(a.url, err)
	}
	if len(data) > maxBody {
		return data[:maxBody], true, nil
	}
	return data, false, nil
}
