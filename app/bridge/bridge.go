// Package bridge is what the page can call: one bound method, Bridge.Call, that
// takes an envelope of text and returns one. PROTOCOL, phases and an example:
//
//	page → Go   {"secret":"…","submit":[{"id":1,"op":"call","args":{…}}, …]}
//	Go → page   {"done":[{"id":1,"ok":…},{"id":2,"error":{"code":"…","message":"…"}}]}
//	       or   {"refused":{"code":"…","message":"…"}}
//
// Call starts everything in submit, each in a goroutine of its own, and returns
// when at least one request of this page is done and not yet delivered, its own
// or one whose envelope has returned; it delivers all such. While more of its own
// are under way it waits up to half a millisecond for them, so that what was asked
// together is answered together. With nothing outstanding it returns at once. An empty submit is a poll; the page keeps an
// envelope in flight while requests are outstanding. Calls made in one tick travel
// in one envelope.
//
// An envelope is refused as a whole, and nothing of it is started, when the
// secret is wrong (Unauthorized) or the envelope is not exactly of this form
// (BadRequest): unknown members or ops, an id that is no positive integer or was
// used before by this page. On Linux a sandboxed frame can reach Wails' IPC, so
// the secret, which only the host page is given, is what keeps others out.
//
// A page opens with hello, the first request of its first envelope: it cancels
// what an earlier load of the page left and ends its runs as aborted, but for
// those that wait (waiting.go); ids begin anew. Before hello, and after the app has ended what the page began, envelopes
// are refused with Cancelled.
package bridge

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/dispatch"
	"github.com/faustine-ai/countersign/app/gate"
)

// Config is what a bridge needs. All but Engine, Scene, SelfTest, Operations, Hello
// and Called is required.
type Config struct {
	Secret     string    // of this start; NewSecret makes one
	Version    string    // of the app
	Engine     string    // of the webview
	Scene      *Scene    // of a demo; nil: none
	SelfTest   *SelfTest // nil: none
	Log        app.Log
	Functions  app.Functions
	Gate       *gate.Gate
	Dispatch   *dispatch.Dispatcher
	Operations []app.Operation // what the page may ask for beside a run
	Hello      func()          // the page has loaded; may be nil
	Called     func()          // a function is called; may be nil
}

// Scene is what a demo plays.
type Scene struct {
	Name       string
	Title      string // what it shows, in one line
	Notice     string // what to notice when it is over
	Request    string
	Approval   string                  // how marked calls wait: each, batch or never; "": as the page would by itself
	Auto       bool                    // the page submits the request by itself
	Reopen     string                  // in place of asking, what waits is opened: by the page, or by the person
	Transcript func(kind, text string) // what the page shows; may be nil
	Done       func(status string)     // the scene is over; may be nil
}

// Bridge is bound to Wails, which exposes every exported method: there is one.
type Bridge struct {
	config   Config
	ops      map[string]op
	secret   [sha256.Size]byte
	page     *page
	carrier  *carrier
	refusals *refusals
	played   atomic.Bool // a page was told to play the scene
}

// NewSecret makes the secret of a start: 32 random bytes in hex.
func NewSecret() (string, error) {
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return "", err
	}
	return hex.EncodeToString(secret), nil
}

// New makes a bridge.
func New(config Config) (*Bridge, error) {
	if len(config.Secret) < 32 {
		return nil, fmt.Errorf("the secret has %d characters; expected at least 32, as NewSecret makes them", len(config.Secret))
	}
	if config.Log == nil || config.Functions == nil || config.Gate == nil || config.Dispatch == nil {
		return nil, errors.New("a bridge needs Log, Functions, Gate and Dispatch")
	}
	ops, err := withOps(config.Operations)
	if err != nil {
		return nil, err
	}
	return &Bridge{config: config, ops: ops, secret: sha256.Sum256([]byte(config.Secret)), page: newPage(), carrier: newCarrier(time.Now), refusals: newRefusals(config.Log, time.Now)}, nil
}

// Call takes an envelope and returns one. It never panics and returns no error:
// Wails would turn one into a rejection, or end the process.
func (b *Bridge) Call(envelope string) (reply string) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("the bridge panicked", "panic", p)
			reply = refused(app.Errorf(app.Internal, "something inside Countersign failed; nothing of this envelope can be relied on"))
		}
	}()
	requests, err := b.open(envelope)
	if err != nil {
		return refused(err)
	}
	load, turn, err := b.page.submit(requests, b.start)
	if err != nil {
		return refused(err)
	}
	return done(b.page.wait(load, turn))
}

// open checks the secret and reads the envelope.
func (b *Bridge) open(envelope string) ([]request, error) {
	parsed, err := b.parse(envelope)
	if err != nil && parsed.Secret == "" {
		b.refusals.add("an envelope that cannot be read")
		return nil, err
	}
	// Hashing first makes the comparison one of equal lengths.
	given := sha256.Sum256([]byte(parsed.Secret))
	if subtle.ConstantTimeCompare(given[:], b.secret[:]) != 1 {
		b.refusals.add("an envelope without the secret of this start")
		return nil, app.Errorf(app.Unauthorized, "the secret is missing or wrong; only the page of this start may call")
	}
	if err != nil {
		return nil, err
	}
	return parsed.Submit, nil
}

// Abort ends what the page has begun: its requests are cancelled and its runs
// end as aborted, or wait on where their card was open and they are kept, with
// this reason in the log. It returns when the log has it,
// after about two seconds at most. It is for the end of the app and for the
// death of the web process; a page that loads afterwards says hello and goes on.
func Abort(b *Bridge, reason string) { b.leave(reason, b.config.Gate.AbortAll) }

// Limit is Abort for when the page's process was ended because a program used
// too much memory: its runs end as limit.
func Limit(b *Bridge, reason string) { b.leave(reason, b.config.Gate.LimitAll) }

func (b *Bridge) leave(reason string, end func(context.Context, string) error) {
	b.page.reset(reason)
	b.carrier.reset()
	b.refusals.flush()
	if err := end(context.Background(), reason); err != nil {
		slog.Error("ending the page's runs", "error", err)
	}
}
