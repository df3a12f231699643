//go:build desktoptest

// Command shelltest is the shell around nearly nothing: a page, a vault that the
// page can open with the secret, and a file that says what was aborted. The
// tests of package shell drive it.
package main

import (
	"context"
	"crypto/subtle"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing/fstest"
	"time"

	"github.com/faustine-ai/countersign/app/shell"
)

const page = `<!doctype html><html><head><meta charset="utf-8"><meta name="countersign-secret" content=""><title>shelltest</title></head><body>page</body></html>`

var secret = strings.Repeat("0123456789abcdef", 4)

// Vault stands for the bridge: one method, which needs the secret.
type Vault struct{ opened, refused atomic.Int64 }

// Call opens the vault for the right secret.
func (v *Vault) Call(got string) string {
	if subtle.ConstantTimeCompare([]byte(got), []byte(secret)) != 1 {
		v.refused.Add(1)
		return "refused"
	}
	return fmt.Sprintf("opened %d refused %d", v.opened.Add(1), v.refused.Load())
}

// Desk stands for what else the page can ask for.
type Desk struct{ dialogs *shell.Dialogs }

// Ask opens a dialog for at most so many milliseconds: “folder”, “open” or “save”.
func (d *Desk) Ask(kind string, ms int) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(ms)*time.Millisecond)
	defer cancel()
	var path string
	var err error
	switch kind {
	case "save":
		path, err = d.dialogs.SaveFile(ctx, "Export the log", "log.csv")
	case "open":
		path, err = d.dialogs.OpenFile(ctx, "Open a log")
	default:
		path, err = d.dialogs.PickFolder(ctx, "Choose a folder")
	}
	if err != nil {
		return "error: " + err.Error()
	}
	return path
}

func init() { runtime.LockOSThread() }

func main() {
	record, err := os.OpenFile(os.Args[1], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	dialogs := shell.NewDialogs()
	s := shell.New(shell.Config{
		Title:  "shelltest",
		Assets: fstest.MapFS{"index.html": {Data: []byte(page)}},
		Sandbox: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline'")
			io.WriteString(w, `<!doctype html><script>parent.postMessage({ go: typeof window.go, wails: typeof window.wails, runtime: typeof window.runtime, origin }, '*')</script>`)
		}),
		Model: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintln(record, "model")
			io.WriteString(w, "model")
		}),
		Secret:  secret,
		Bind:    []any{&Vault{}, &Desk{dialogs}},
		Dialogs: dialogs,
		Abort:   func(reason string) { fmt.Fprintln(record, reason) },
	})
	if err := s.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(record, "returned")
}
