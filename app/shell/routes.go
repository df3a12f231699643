package shell

import (
	"crypto/subtle"
	"errors"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// SecretHeader carries the per-start secret on requests to the model and on bytes.
const SecretHeader = "X-Countersign-Secret"

// maxModelBody bounds what one request to the model may send, in bytes.
const maxModelBody = 64 << 20

// contentTypes of what the page is built from. They are named here because the
// system's own table differs from machine to machine.
var contentTypes = map[string]string{
	".css":   "text/css; charset=utf-8",
	".html":  "text/html; charset=utf-8",
	".ico":   "image/x-icon",
	".js":    "text/javascript; charset=utf-8",
	".json":  "application/json",
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".woff2": "font/woff2",
}

// Routes answers every request of the webview but those for Wails' own two
// scripts, /wails/ipc.js and /wails/runtime.js, which Wails serves itself.
//
//	GET /, /index.html   the host page, with the secret; Wails adds its scripts
//	GET /sandbox.html    the frame document, under its own policy
//	*   /model/…         the model, for requests that carry the secret
//	*   /bytes/…         bytes of large values, for requests that carry the secret
//	GET /…               the built assets
//	else                 404
//
// Everything answers under a policy. An error means that the page is not built.
func Routes(c Config) (http.Handler, error) {
	index, err := indexWith(c.Assets, c.Secret)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	page := only(http.MethodGet, pageHandler(index))
	mux.Handle("/{$}", page)
	mux.Handle("/index.html", page)
	mux.Handle("/sandbox.html", frameDocument(c.Sandbox))
	mux.Handle("/model/", withSecret(c.Secret, http.MaxBytesHandler(c.Model, maxModelBody)))
	if c.Bytes != nil {
		mux.Handle("/bytes/", withSecret(c.Secret, c.Bytes))
	}
	mux.Handle("/", only(http.MethodGet, assetHandler(c.Assets)))
	addTestRoutes(mux)
	return underPolicy(undecorated(mux)), nil
}

func pageHandler(index []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Type", "text/html; charset=utf-8")
		header.Set("Content-Security-Policy", PagePolicy)
		header.Set("X-Frame-Options", "DENY")
		header.Set("Cache-Control", "no-store") // it holds the secret
		if _, err := w.Write(index); err != nil {
			return // the reader went away
		}
	})
}

func assetHandler(assets fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		body, err := readFile(assets, name)
		if err != nil {
			http.Error(w, "not found", http.StatusNotFound)
			return
		}
		kind := contentTypes[path.Ext(name)]
		if kind == "" {
			kind = "application/octet-stream"
		}
		w.Header().Set("Content-Type", kind)
		if _, err := w.Write(body); err != nil {
			return // the reader went away
		}
	})
}

func readFile(assets fs.FS, name string) ([]byte, error) {
	if !fs.ValidPath(name) || strings.HasPrefix(path.Base(name), ".") {
		return nil, errors.New("no such name")
	}
	return fs.ReadFile(assets, name)
}

// withSecret lets requests through that carry the secret. A sandboxed frame can
// send blind requests here, but cannot set a header without being asked for it.
func withSecret(secret string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get(SecretHeader)), []byte(secret)) != 1 {
			http.Error(w, "the secret of this start is missing or wrong", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func only(method string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method {
			http.Error(w, "use "+method, http.StatusMethodNotAllowed)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// undecorated keeps Wails from answering for us. It replaces a 404 on paths that
// end in “/” or “/index.html” by a page of its own, with its runtime in it, and
// puts its runtime into every HTML answer there; 410 it leaves alone.
func undecorated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := r.URL.Path
		if p != "/" && p != "/index.html" && (strings.HasSuffix(p, "/") || strings.HasSuffix(p, "/index.html")) {
			http.Error(w, "there is nothing here", http.StatusGone)
			return
		}
		next.ServeHTTP(w, r)
	})
}
