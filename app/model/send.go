package model

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"syscall"
	"time"
)

const (
	maxTries   = 4
	maxRefusal = 64 << 10 // of a refusal's body that is read
)

// begun is an answer that has begun, and the key that it was asked with.
type begun struct {
	*http.Response
	key string
}

// clean takes the key out of what a server repeats.
func (r *begun) clean(text []byte) []byte { return hideInAnswer(text, r.key) }

// send asks the target, again where that may help, until an answer begins. The
// error is a *fault, or that of ctx.
func (f *Forwarder) send(ctx context.Context, t Target, method, rest string, header http.Header, body []byte) (*begun, error) {
	key, keyErr := f.config.Key(ctx, t)
	if key == "" && t.needsKey() {
		text := "No key is set for " + lower(t.who()) + ". Set one in Settings › Model."
		if keyErr != nil {
			text += " (" + strings.TrimRight(keyErr.Error(), ".") + ".)"
		}
		return nil, newFault(http.StatusUnauthorized, text)
	}
	for try := 1; ; try++ {
		response, problem := f.once(ctx, t, method, rest, header, body, key)
		if problem == nil {
			return &begun{response, key}, nil
		}
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if !problem.again || try >= maxTries || problem.after > f.config.Times.Patience {
			return nil, problem
		}
		if err := f.pause(ctx, f.backOff(try, problem)); err != nil {
			return nil, err
		}
	}
}

// backOff is how long to leave the server alone: what it asks for, or a time that
// doubles, with some chance in it so that many do not come back together.
func (f *Forwarder) backOff(try int, problem *fault) time.Duration {
	if problem.after > 0 {
		return problem.after
	}
	rest := f.config.Times.Retry << (try - 1)
	return rest + time.Duration(rand.Int64N(int64(rest)/2+1))
}

func (f *Forwarder) once(ctx context.Context, t Target, method, rest string, header http.Header, body []byte, key string) (*http.Response, *fault) {
	request, err := http.NewRequestWithContext(ctx, method, t.Address+"/"+rest, bytes.NewReader(body))
	if err != nil {
		return nil, newFault(http.StatusBadGateway, "The address in Settings › Model cannot be used: "+innermost(err)+".")
	}
	if len(body) == 0 {
		request.Body, request.GetBody, request.ContentLength = nil, nil, 0
	}
	request.Header = header.Clone()
	request.Header.Set("User-Agent", f.config.Agent)
	t.sign(request.Header, key)
	response, err := f.client.Do(request)
	if err != nil {
		problem := unreachable(t, err, f.config.Times)
		if errors.Is(err, syscall.ECONNREFUSED) && t.nearby() {
			problem.again = false // nothing on this machine starts by waiting for it
		}
		return nil, problem
	}
	if response.StatusCode < 300 {
		return response, nil
	}
	defer response.Body.Close()
	// A server that refuses at length must not hold us up.
	timer := time.AfterFunc(f.config.Times.Connect, func() { response.Body.Close() })
	said, err := io.ReadAll(io.LimitReader(response.Body, maxRefusal))
	timer.Stop()
	if err != nil {
		said = nil // the status says enough
	}
	if response.StatusCode < 400 {
		return nil, newFault(http.StatusBadGateway, t.who()+" sends requests on to another place, where your key must not go. Put its final address into Settings › Model.")
	}
	return nil, refusal(t, response, said, key)
}

// nearby says whether the target is on this machine.
func (t Target) nearby() bool {
	host := t.host()
	return strings.HasPrefix(host, "127.") || strings.HasPrefix(host, "localhost") || strings.HasPrefix(host, "[::1]")
}
