package dispatch_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/registry"
)

// Whichever way a call ends, one of its two ways to its caller has the answer: the
// return, or otherwise, which has it when nothing is returned, or too late.
func TestACallAnswersByReturningOrOtherwiseButNeverTwice(t *testing.T) {
	entered, release := make(chan struct{}, 1), make(chan struct{})
	b := begun(t,
		registry.Define("f.fine", func(context.Context, struct{}) (int, error) { return 7, nil }),
		registry.Define("f.panic", func(context.Context, struct{}) (int, error) { panic("no") }),
		registry.Define("f.goexit", func(context.Context, struct{}) (int, error) { runtime.Goexit(); return 0, nil }),
		registry.Define("f.polite", func(ctx context.Context, _ struct{}) (int, error) {
			entered <- struct{}{}
			<-ctx.Done()
			return 0, ctx.Err()
		}),
		registry.Define("f.deaf", func(context.Context, struct{}) (int, error) {
			entered <- struct{}{}
			<-release
			return 7, nil
		}),
	)
	for i, c := range []struct {
		fn                  string
		cancelled           bool
		otherwise, returned app.Code // "": no error, "none": nothing came
	}{
		{"f.fine", false, "none", ""},
		{"f.panic", false, "none", app.FunctionPanicked},
		{"f.goexit", false, app.FunctionPanicked, "none"},
		{"f.polite", true, "none", app.Cancelled},
		{"f.deaf", true, app.Cancelled, ""}, // returned when nobody waits any more
	} {
		ctx, cancel := context.WithCancel(t.Context())
		otherwise, ended := make(chan app.Code, 2), make(chan app.Code, 1)
		go func() {
			came := app.Code("none")
			defer func() { ended <- came }()
			_, err := b.Dispatcher.Call(ctx, call(i+1, c.fn, `{}`), func(err error) { otherwise <- app.CodeOf(err) })
			came = codeOf(err)
		}()
		if c.cancelled {
			<-entered
			cancel()
		}
		got := app.Code("none")
		if c.otherwise != "none" {
			got = <-otherwise
			if c.fn == "f.deaf" {
				close(release)
			}
		}
		if came := <-ended; got != c.otherwise || came != c.returned {
			t.Errorf("%s: otherwise %q, returned %q; want %q and %q", c.fn, got, came, c.otherwise, c.returned)
		}
		cancel()
		select {
		case more := <-otherwise:
			t.Errorf("%s was answered again: %q", c.fn, more)
		default:
		}
	}
}

func codeOf(err error) app.Code {
	if err == nil {
		return ""
	}
	return app.CodeOf(err)
}
