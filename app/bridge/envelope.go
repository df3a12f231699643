package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
)

const (
	// maxEnvelope bounds what is parsed, in bytes.
	maxEnvelope = 64 << 20
	// maxSubmit bounds the requests of one envelope. The sandbox lets 32 calls of
	// a run be in flight; the rest is room for several runs.
	maxSubmit = 1000
)

type envelope struct {
	Secret string    `json:"secret"`
	Submit []request `json:"submit"`
}

type request struct {
	ID   int64           `json:"id"`
	Op   string          `json:"op"`
	Args json.RawMessage `json:"args"`
}

// parse reads an envelope strictly. When only its inside is wrong, the secret
// comes back along with the error, so that a stranger learns nothing of it.
func (b *Bridge) parse(text string) (envelope, error) {
	if len(text) > maxEnvelope {
		return envelope{}, app.Errorf(app.BadRequest, "the envelope has %d bytes; at most %d are taken", len(text), maxEnvelope)
	}
	var whole envelope
	if err := operation.Strict([]byte(text), &whole); err == nil && len(whole.Submit) <= maxSubmit {
		for i, r := range whole.Submit {
			if err := b.known(i, r); err != nil {
				return envelope{Secret: whole.Secret}, err
			}
		}
		return whole, nil
	}
	return b.faultOf(text)
}

// known tells whether a request has an id and an op.
func (b *Bridge) known(i int, r request) error {
	if r.ID < 1 || r.ID > 1<<53-1 {
		return app.Errorf(app.BadRequest, "submit[%d]: the id must be a positive integer, got %d", i, r.ID)
	}
	if b.ops[r.Op] == nil {
		return app.Errorf(app.BadRequest, "submit[%d]: there is no op %.40q", i, r.Op)
	}
	return nil
}

// faultOf reads an envelope that is not as it should be once more, part by part,
// and says which part is wrong.
func (b *Bridge) faultOf(text string) (envelope, error) {
	var outer struct {
		Secret string            `json:"secret"`
		Submit []json.RawMessage `json:"submit"`
	}
	if err := operation.Strict([]byte(text), &outer); err != nil {
		return envelope{}, operation.Bad("the envelope", err)
	}
	e := envelope{Secret: outer.Secret}
	if len(outer.Submit) > maxSubmit {
		return e, app.Errorf(app.BadRequest, "the envelope submits %d requests; at most %d are taken", len(outer.Submit), maxSubmit)
	}
	for i, raw := range outer.Submit {
		var r request
		if err := operation.Strict(raw, &r); err != nil {
			return e, operation.Bad(fmt.Sprintf("submit[%d]", i), err)
		}
		if err := b.known(i, r); err != nil {
			return e, err
		}
		e.Submit = append(e.Submit, r)
	}
	return e, nil
}

// result is one request that is done.
type result struct {
	ID    int64           `json:"id"`
	OK    json.RawMessage `json:"ok,omitempty"`
	Error *wireError      `json:"error,omitempty"`
}

// written is JSON that encoding/json need not look at again: a value, which is
// canonical text from dispatch and may be long.
type written json.RawMessage

type wireError struct {
	Code    app.Code `json:"code"`
	Message string   `json:"message"`
}

// wire gives what leaves the process: code and message, never a cause.
func wire(err error) *wireError {
	var e *app.Error
	if errors.As(err, &e) {
		return &wireError{e.Code, e.Message}
	}
	if errors.Is(err, syscall.ENOSPC) { // wherever it comes from, it is the person who can help
		return &wireError{app.Internal, "the disk is full, so this could not be done: free some space and try again"}
	}
	return &wireError{app.Internal, "something inside Countersign failed; its own log says what"}
}

// done writes what came of requests. Each OK is JSON already and may be long, so
// it is not looked at again.
func done(results []result) string {
	size := 16
	for _, r := range results {
		size += len(r.OK) + 32
	}
	var b strings.Builder
	b.Grow(size)
	b.WriteString(`{"done":[`)
	for i, r := range results {
		if i > 0 {
			b.WriteByte(',')
		}
		if r.Error != nil || len(r.OK) == 0 {
			b.WriteString(marshal(r))
			continue
		}
		b.WriteString(`{"id":`)
		b.WriteString(strconv.FormatInt(r.ID, 10))
		b.WriteString(`,"ok":`)
		b.Write(r.OK)
		b.WriteByte('}')
	}
	b.WriteString(`]}`)
	return b.String()
}

func refused(err error) string {
	return marshal(struct {
		Refused *wireError `json:"refused"`
	}{wire(err)})
}

func marshal(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		// Results are checked when they are made, so this is a fault of ours.
		panic(fmt.Sprintf("bridge: an envelope cannot be written: %v", err))
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
