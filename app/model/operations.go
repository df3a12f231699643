package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
)

// Listed is a model that a server offers.
type Listed struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"` // for people, where the server has one
}

// Operations are what the page may ask for about the model that is set:
//
//	model.list  {} → {models: [{id, name?}], problem?}   by id
//	model.check {} → {ok, text, ms}                      one tiny request; text is for a person
//
// That something does not work is an answer, not an error.
func (f *Forwarder) Operations() []app.Operation {
	type list struct {
		Models  []Listed `json:"models"`
		Problem string   `json:"problem,omitempty"`
	}
	type check struct {
		OK   bool   `json:"ok"`
		Text string `json:"text"`
		Ms   int64  `json:"ms"`
	}
	return []app.Operation{
		{Name: "model.list", Do: func(ctx context.Context, raw json.RawMessage) (any, error) {
			if _, err := operation.Args[operation.None]("model.list", raw); err != nil {
				return nil, err
			}
			models, err := f.List(ctx)
			if problem, is := asFault(err); is {
				return list{[]Listed{}, problem.text}, nil
			}
			return list{Models: append([]Listed{}, models...)}, cancelled(err)
		}},
		{Name: "model.check", Do: func(ctx context.Context, raw json.RawMessage) (any, error) {
			if _, err := operation.Args[operation.None]("model.check", raw); err != nil {
				return nil, err
			}
			took, err := f.Check(ctx)
			if problem, is := asFault(err); is {
				return check{Text: problem.text}, nil
			}
			if err != nil {
				return nil, cancelled(err)
			}
			return check{true, f.config.Target().Name + " answers.", took.Milliseconds()}, nil
		}},
	}
}

// cancelled says that the page gave up, which is all that is left when it is no fault.
func cancelled(err error) error {
	if err == nil {
		return nil
	}
	return &app.Error{Code: app.Cancelled, Cause: err, Message: "the model was not asked any further"}
}

var errNoModel = newFault(http.StatusConflict, "No model is set. Choose one in Settings › Model.")

// List asks the server which models it offers. A *fault says why not.
func (f *Forwarder) List(ctx context.Context) ([]Listed, error) {
	t := f.config.Target()
	if t.Address == "" {
		return nil, errNoModel
	}
	t.Name = "" // a 404 here is not about the model
	rest := "models"
	if t.Provider == "anthropic" {
		rest += "?limit=1000" // else the first twenty
	}
	text, err := f.ask(ctx, t, http.MethodGet, rest, nil)
	if err != nil {
		return nil, err
	}
	var shape struct {
		Data []struct {
			ID          string `json:"id"`
			DisplayName string `json:"display_name"`
			Name        string `json:"name"`
		} `json:"data"`
	}
	if err := json.Unmarshal(text, &shape); err != nil || shape.Data == nil {
		return nil, newFault(http.StatusBadGateway, t.who()+" does not list its models. Write the name of one yourself.")
	}
	var models []Listed
	for _, m := range shape.Data {
		if m.ID == "" || len(m.ID) > 200 {
			continue
		}
		name := m.DisplayName
		if name == "" {
			name = m.Name
		}
		models = append(models, Listed{m.ID, name})
	}
	slices.SortFunc(models, func(a, b Listed) int { return strings.Compare(a.ID, b.ID) })
	return slices.CompactFunc(models, func(a, b Listed) bool { return a.ID == b.ID }), nil
}

// Check makes one tiny request and tells how long the answer took. A *fault says
// what is wrong.
func (f *Forwarder) Check(ctx context.Context) (time.Duration, error) {
	t := f.config.Target()
	switch {
	case t.Address == "":
		return 0, errNoModel
	case t.Name == "":
		return 0, newFault(http.StatusConflict, "No model is named yet. Choose one from the list, or write its name.")
	}
	hello := []map[string]string{{"role": "user", "content": "Hi"}}
	rest, body := "chat/completions", map[string]any{"model": t.Name, "messages": hello, "max_tokens": 1, "stream": true}
	switch t.Provider {
	case "anthropic":
		rest = "messages"
	case "openai":
		rest, body = "responses", map[string]any{"model": t.Name, "input": hello, "max_output_tokens": 16, "store": false, "stream": true}
	}
	text, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	err = f.begins(ctx, t, rest, text)
	return time.Since(began), err
}

// begins asks as the page does and waits for the first record of the answer.
func (f *Forwarder) begins(ctx context.Context, t Target, rest string, body []byte) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	header := http.Header{"Accept": {"text/event-stream"}, "Content-Type": {"application/json"}}
	response, err := f.send(ctx, t, http.MethodPost, rest, header, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type")); err != nil || kind != "text/event-stream" {
		return newFault(http.StatusBadGateway, t.who()+" does not stream its answers, which Countersign needs. Check the address in Settings › Model; most servers want it to end with /v1.")
	}
	records := &records{provider: t.Provider, rest: rest}
	from := watch(response.Body, cancel, f.config.Times.FirstByte)
	for piece := make([]byte, 4<<10); ; {
		n, err := from.Read(piece)
		whole, bad := records.add(piece[:n])
		switch {
		case bad != nil:
			return newFault(http.StatusBadGateway, t.who()+" sent something that cannot be read as an answer.")
		case records.failed != nil:
			return refused(t, records.failed, response.key)
		case bytes.Contains(whole, []byte("data:")):
			return nil
		case err != nil && ctx.Err() != nil && !errors.Is(err, errSilent):
			return err
		case err != nil:
			return broken(ctx, t, err, f.config.Times)
		}
	}
}

// refused is a fault that came as the first record of a stream.
func refused(t Target, body []byte, key string) *fault {
	return newFault(http.StatusBadGateway, t.who()+" refused the request. It said: “"+strings.TrimRight(said(body, key), ".")+"”.")
}

// ask makes one request of our own and reads the whole answer, which is JSON.
func (f *Forwarder) ask(ctx context.Context, t Target, method, rest string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	header := http.Header{"Accept": {"application/json"}}
	if body != nil {
		header.Set("Content-Type", "application/json")
	}
	response, err := f.send(ctx, t, method, rest, header, body)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(watch(response.Body, cancel, f.config.Times.Idle), maxWhole+1))
	switch {
	case err != nil && errors.Is(err, context.Canceled) && !errors.Is(err, errSilent):
		return nil, err
	case err != nil:
		return nil, broken(ctx, t, err, f.config.Times)
	case len(text) > maxWhole || !json.Valid(text):
		return nil, newFault(http.StatusBadGateway, t.who()+" answered with something that is not a model's answer. Check the address in Settings › Model; most servers want it to end with /v1.")
	}
	return response.clean(text), nil
}
