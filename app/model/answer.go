package model

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"
)

const (
	maxWhole  = 32 << 20  // of an answer that is not streamed, in bytes
	maxStream = 256 << 20 // of one that is
)

// answer gives the page what the server answers, as it comes. It gives a fault
// only when nothing was given yet.
func (f *Forwarder) answer(ctx context.Context, cancel context.CancelFunc, w http.ResponseWriter, response *begun, t Target, rest string) *fault {
	kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if err != nil {
		kind = ""
	}
	body := watch(response.Body, cancel, f.config.Times.Idle)
	if kind == "text/event-stream" {
		f.stream(ctx, w, body, t, rest, response.clean)
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(body, maxWhole+1))
	switch {
	case err != nil:
		return broken(ctx, t, err, f.config.Times)
	case len(text) > maxWhole:
		return newFault(http.StatusBadGateway, t.who()+" answered with more than can be read.")
	case !json.Valid(text):
		return newFault(http.StatusBadGateway, t.who()+" answered with something that is not a model's answer. Check the address in Settings › Model; most servers want it to end with /v1.")
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(response.StatusCode)
	if _, err := w.Write(response.clean(text)); err != nil {
		return nil // the page went away
	}
	return nil
}

// stream passes whole records on, each as soon as it is there. A stream that does
// not end as it should ends with a record that says so.
func (f *Forwarder) stream(ctx context.Context, w http.ResponseWriter, body io.Reader, t Target, rest string, clean func([]byte) []byte) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	give := func(text []byte) bool {
		if len(text) == 0 {
			return true
		}
		if _, err := w.Write(clean(text)); err != nil {
			return false
		}
		// The webview's writer is a pipe: it has no Flush and needs none.
		err := control.Flush()
		return err == nil || errors.Is(err, http.ErrNotSupported)
	}
	if !give([]byte(": countersign\n\n")) { // the page sees that the answer begins
		return
	}
	records := &records{rest: rest, provider: t.Provider}
	piece := make([]byte, 32<<10)
	for total := 0; ; {
		n, err := body.Read(piece)
		total += n
		ready, bad := records.add(piece[:n])
		if !give(ready) {
			return
		}
		switch {
		case bad != nil:
		case err == nil && total <= maxStream:
			continue
		case err == nil:
			bad = newFault(http.StatusBadGateway, t.who()+" sent more than an answer can have.")
		case records.complete(): // how the connection ends matters no more
			give(records.remainder())
			return
		default:
			bad = broken(ctx, t, err, f.config.Times)
		}
		if bad.text == "" {
			bad.text = t.who() + " sent something that cannot be read as an answer. Try again; if it goes on, check the address in Settings › Model."
		}
		give([]byte(bad.event(t.Provider, rest)))
		return
	}
}

// broken says how an answer that had begun came to an end.
func broken(ctx context.Context, t Target, err error, times Times) *fault {
	if errors.Is(err, errSilent) {
		return newFault(http.StatusGatewayTimeout, t.who()+" stopped in the middle of the answer: nothing came for "+seconds(times.Idle)+". Try again.")
	}
	if ctx.Err() != nil {
		return newFault(http.StatusBadGateway, "The request was stopped.")
	}
	return newFault(http.StatusBadGateway, "The connection to "+lower(t.who())+" broke in the middle of the answer. Try again.")
}

// watched is a body that ends when nothing comes for too long.
type watched struct {
	from  io.Reader
	idle  time.Duration
	timer *time.Timer
}

// watch begins to watch a body. The time in which the page takes what came does
// not count.
func watch(body io.Reader, cancel context.CancelFunc, idle time.Duration) *watched {
	b := &watched{from: body, idle: idle, timer: time.AfterFunc(idle, cancel)}
	b.timer.Stop()
	return b
}

func (b *watched) Read(p []byte) (int, error) {
	b.timer.Reset(b.idle)
	n, err := b.from.Read(p)
	if fired := !b.timer.Stop(); fired && err != nil && !errors.Is(err, io.EOF) {
		return n, errSilent
	}
	return n, err
}
