package web

import (
	"context"
	"crypto/tls"
	"fmt"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/JohannesKaufmann/html-to-markdown/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html/charset"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/registry"
	"github.com/faustine-ai/countersign/app/value"
)

// Web is the family on an allow-list.
type Web struct{ fetcher *fetcher }

// New makes the family. hosts gives the allow-list each time it is asked about:
// names in lower-case ASCII, *.name for all below one.
func New(hosts func() []string) *Web {
	return &Web{newFetcher(hosts, realNetwork(), &tls.Config{MinVersion: tls.VersionTLS12})}
}

type fetchOutput struct {
	URL      string            `json:"url" jsonschema:"that answered, after redirects"`
	Status   int               `json:"status"`
	OK       bool              `json:"ok" jsonschema:"the status is 200 to 299"`
	Headers  map[string]string `json:"headers" jsonschema:"names in lower case"`
	Type     string            `json:"type" jsonschema:"of the content, such as text/html"`
	Text     *string           `json:"text,omitempty"`
	Bytes    value.Tagged      `json:"bytes,omitempty" jsonschema:"a Uint8Array"`
	More     bool              `json:"more" jsonschema:"the answer was cut after 6 MiB"`
	Redirect string            `json:"redirect,omitempty" jsonschema:"it leads there, which was not followed since a person must approve it: fetch that address if it is wanted"`
}

// Functions returns the family's functions.
func (w *Web) Functions() []*app.Function {
	return []*app.Function{
		registry.Define("web.fetch", w.fetch,
			registry.Title("Fetch from the web"), registry.Plural("Fetch from the web {n} times"), registry.NeverNull(),
			registry.Description("Fetches an address of the public web. Reading (GET, HEAD) from a host that the person has allowed needs no approval; other hosts and everything that sends data do. An answer with an error status is returned, not thrown: look at ok. With as: \"markdown\" a page comes as readable text. No cookies; local addresses are never reached."),
			registry.MarkedIf(func(in fetchInput) bool {
				r, err := in.read()
				if err != nil {
					return false // it fails where it was made, before any request
				}
				_, ok := r.unasked(w.fetcher.hosts())
				return !ok
			}),
			registry.Valid(func(in fetchInput) error { // also where the person has it ask every time
				_, err := in.read()
				return err
			}),
			registry.Row(func(_ context.Context, in fetchInput) string {
				r, err := in.read()
				if err != nil {
					return ""
				}
				why, _ := r.unasked(w.fetcher.hosts())
				if r.url.Scheme == "http" {
					why += ", not encrypted"
				}
				return fmt.Sprintf("%s %s · %s", r.method, r.url.Host, why)
			}),
		),
	}
}

func (w *Web) fetch(ctx context.Context, in fetchInput) (fetchOutput, error) {
	r, err := in.read()
	if err != nil {
		return fetchOutput{}, err
	}
	timed, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	given, err := w.fetcher.fetch(timed, r)
	if err == nil {
		defer given.Body.Close()
		var out fetchOutput
		if out, err = given.output(r.as); err == nil {
			return out, nil
		}
	}
	if ctx.Err() != nil {
		return fetchOutput{}, ctx.Err()
	}
	return fetchOutput{}, err
}

func (a *answer) output(as string) (fetchOutput, error) {
	out := fetchOutput{URL: a.url.String(), Status: a.StatusCode, OK: a.StatusCode >= 200 && a.StatusCode < 300, Headers: map[string]string{}, Redirect: a.redirect}
	for name, values := range a.Header {
		if name != "Set-Cookie" { // none is kept, so none is told
			out.Headers[strings.ToLower(name)] = strings.ToValidUTF8(strings.Join(values, ", "), "\ufffd")
		}
	}
	content := a.Header.Get("Content-Type")
	var err error
	if out.Type, _, err = mime.ParseMediaType(content); err != nil {
		out.Type = ""
	}
	data, more, err := a.body()
	if err != nil {
		return fetchOutput{}, err
	}
	out.More = more
	if as == "bytes" || as == "" && !textual(out.Type, data) {
		out.Bytes = value.Tagged(value.Bytes(data))
		return out, nil
	}
	text, err := decoded(data, out.Type, content)
	if err != nil {
		return fetchOutput{}, &app.Error{Code: app.FunctionFailed, Cause: err, Message: a.url.Host + ": the answer is no text that can be read; ask for as: \"bytes\""}
	}
	if as == "markdown" && (out.Type == "text/html" || out.Type == "application/xhtml+xml") {
		if text, err = htmltomarkdown.ConvertString(text, converter.WithDomain(a.url.Scheme+"://"+a.url.Host)); err != nil {
			return fetchOutput{}, &app.Error{Code: app.FunctionFailed, Cause: err, Message: a.url.Host + ": the page cannot be turned into text; ask for as: \"text\""}
		}
	}
	out.Text = &text
	return out, nil
}

// textual says whether a content is text. What says nothing is looked at.
func textual(kind string, data []byte) bool {
	if kind == "" || kind == "application/octet-stream" {
		return len(data) == 0 || kind == "" && !strings.ContainsRune(string(data[:min(len(data), 1024)]), 0)
	}
	if strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml") {
		return true
	}
	switch kind {
	case "application/json", "application/xml", "application/javascript", "application/x-javascript", "application/x-ndjson",
		"application/yaml", "application/x-yaml", "application/toml", "application/sql", "application/x-www-form-urlencoded", "application/graphql":
		return true
	}
	return false
}

// decoded reads text in the encoding that its type, its mark or, for HTML, its
// head names; JSON is UTF-8.
func decoded(data []byte, kind, content string) (string, error) {
	if kind == "application/json" || strings.HasSuffix(kind, "+json") {
		return strings.ToValidUTF8(strings.TrimPrefix(string(data), "\ufeff"), "\ufffd"), nil
	}
	if kind != "text/html" && kind != "application/xhtml+xml" {
		content = strings.Replace(content, kind, "text/plain", 1) // no head to look into
	}
	encoding, _, certain := charset.DetermineEncoding(data, content)
	if !certain && utf8.Valid(data) { // it looks at the first KiB only
		return strings.TrimPrefix(string(data), "\ufeff"), nil
	}
	text, err := encoding.NewDecoder().Bytes(data)
	if err != nil {
		return "", err
	}
	return strings.ToValidUTF8(strings.TrimPrefix(string(text), "\ufeff"), "\ufffd"), nil
}
