// Package sandbox serves the frame document of the library beside it, with the
// policy of its <meta> as a response header too.
package sandbox

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"html"
	"net/http"
	"regexp"
)

//go:embed dist/sandbox.html
var document []byte

var metaPolicy = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]+)">`)

// Policy returns the Content-Security-Policy of the frame document. It panics
// when the document has none: such a build must not start.
func Policy() string {
	match := metaPolicy.FindSubmatch(document)
	if match == nil {
		panic(fmt.Sprintf("sandbox.html has no policy (%d bytes): build the library again", len(document)))
	}
	return html.UnescapeString(string(match[1]))
}

// Build names this build of the library, as the SHA-256 of its frame document.
// A continuation is resumed by the build that made it.
func Build() string {
	sum := sha256.Sum256(document)
	return hex.EncodeToString(sum[:])
}

// Handler serves the frame document, whatever the path: route it at a path
// that does not end in “/” or “/index.html”, or Wails puts its runtime in.
func Handler() http.Handler {
	policy := Policy()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "the frame document is only read: use GET", http.StatusMethodNotAllowed)
			return
		}
		header := w.Header()
		header.Set("Content-Type", "text/html; charset=utf-8")
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Cache-Control", "no-store")
		if _, err := w.Write(document); err != nil {
			return // the reader went away
		}
	})
}
