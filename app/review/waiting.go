package review

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/faustine-ai/countersign/app"
)

// Ready is how far the calls of a log are listed. A log of a million entries takes
// some seconds the first time it is opened.
type Ready struct {
	Ready bool  `json:"ready"`
	Done  int64 `json:"done"` // entries
	Total int64 `json:"total"`
}

// tellEvery is how often who waits is told how far it is.
const tellEvery = 200 * time.Millisecond

// ready lists the calls of a log. It returns when that is done, or with how far it
// has come; who asks again goes on waiting.
func (r *Review) ready(ctx context.Context, a from) (any, error) {
	s, err := r.of(a.Source)
	if err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() {
		// It goes on when who waits has left: the next one needs it too.
		_, _, err := r.fill(context.Background(), s)
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			return nil, err
		}
		if s, err = r.of(a.Source); err != nil { // another one may have taken its place
			return nil, err
		}
		at, total := s.catalog.Filling()
		return Ready{true, at, total}, nil
	case <-time.After(tellEvery):
		at, total := s.catalog.Filling()
		return Ready{false, at, total}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// lookEvery is how often a log is looked at for new entries while somebody waits.
const lookEvery = 700 * time.Millisecond

// watch waits until the log has entries behind since.
func (r *Review) watch(ctx context.Context, a struct {
	Source string `json:"source"`
	Since  int64  `json:"since"`
}) (any, error) {
	s, err := r.of(a.Source)
	if err != nil {
		return nil, err
	}
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		head, err := s.catalog.Log().Head(ctx)
		if err != nil {
			return nil, err
		}
		if head.Number > a.Since {
			return map[string]int64{"head": head.Number}, nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (r *Review) list(ctx context.Context) (any, error) {
	if _, err := r.of(own); err != nil {
		return nil, err
	}
	r.mu.Lock()
	sources := []*source{}
	for _, s := range r.sources {
		sources = append(sources, s)
	}
	r.mu.Unlock()
	slices.SortFunc(sources, func(a, b *source) int {
		if (a.kind == OwnLog) != (b.kind == OwnLog) {
			return map[bool]int{true: -1, false: 1}[a.kind == OwnLog]
		}
		return strings.Compare(a.id, b.id)
	})
	out := []Source{}
	for _, s := range sources {
		described, err := s.describe(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, described)
	}
	return out, nil
}

func (r *Review) openAsked(ctx context.Context) (any, error) {
	if r.config.Dialogs == nil {
		return nil, app.Errorf(app.BadRequest, "files cannot be chosen here")
	}
	path, err := r.config.Dialogs.OpenFile(ctx, "Open a log or an export of one, to read it")
	if err != nil {
		return nil, err
	}
	out := struct {
		Source *Source `json:"source"`
	}{}
	if path == "" {
		return out, nil
	}
	s, err := r.open(ctx, path)
	if err != nil {
		return nil, err
	}
	described, err := s.describe(ctx)
	out.Source = &described
	return out, err
}

func publicKey(text string) (string, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if sum, err := hex.DecodeString(text); text != "" && (err != nil || len(sum) != ed25519.PublicKeySize) {
		return "", app.Errorf(app.BadRequest, "expected a key of 64 hex digits, as verifying shows it where the log is")
	}
	return text, nil
}

// requestOf is what the person asked, in the entries of a run.
func requestOf(entries []app.Entry) string {
	for _, e := range entries {
		var body app.RunBeganBody
		if e.Kind == app.RunBegan && json.Unmarshal(e.Body, &body) == nil {
			return first(body.Request)
		}
	}
	return ""
}

// message is an error as it may be shown.
func message(err error) string {
	var known *app.Error
	if errors.As(err, &known) {
		return known.Message
	}
	return err.Error()
}

func mustMarshal(x any) json.RawMessage {
	text, err := json.Marshal(x)
	if err != nil {
		panic("review: a body cannot fail to marshal: " + err.Error())
	}
	return text
}
