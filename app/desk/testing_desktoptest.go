//go:build desktoptest

package desk

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/bridge"
	"github.com/faustine-ai/countersign/app/demo"
	"github.com/faustine-ai/countersign/app/model"
	"github.com/faustine-ai/countersign/app/registry"
)

// What follows is in no program that is built without the tag desktoptest. The
// tests of the real program choose by the environment:
//
//	COUNTERSIGN_TEST_SCENE   the page plays this scene as soon as it is there
//	COUNTERSIGN_TEST_OFFER   the page offers this scene, and a person asks
//	COUNTERSIGN_TEST_DECIDE  cards are decided so, as by --decide of a demo
//	COUNTERSIGN_TEST_PAUSE   each function waits up to so many ms before and
//	                         after it works, so that a kill meets it anywhere
//	COUNTERSIGN_TEST_CHANGED this function has another definition than it had
//	COUNTERSIGN_TEST_WITHOUT this function does not exist
//	COUNTERSIGN_TEST_SHOW    why the app does not open is shown in a dialog, too,
//	                         which waits for somebody to close it

func testSetup(s setup) setup {
	name, auto := os.Getenv("COUNTERSIGN_TEST_SCENE"), true
	if name == "" {
		name, auto = os.Getenv("COUNTERSIGN_TEST_OFFER"), false
	}
	if scene, err := model.Find(name); err == nil && name != "" {
		s.scene = name
		s.playing = &bridge.Scene{Name: name, Request: scene.Request, Auto: auto}
	}
	if decide, err := demo.ParseDecide(os.Getenv("COUNTERSIGN_TEST_DECIDE")); err == nil {
		s.presenter = func(app.Presenter) app.Presenter { return demo.Presenter(decide, false) }
	}
	return s
}

func testShow() bool { return os.Getenv("COUNTERSIGN_TEST_SHOW") != "" }

// testFunctions adds functions that fail in every way, and slows all of them.
func testFunctions(functions []*app.Function) []*app.Function {
	type none struct{}
	fails := func(name string, run func() (any, error)) *app.Function {
		return registry.Define("test."+name, func(context.Context, none) (any, error) { return run() })
	}
	functions = append(functions, benchFunctions()...)
	functions = append(functions,
		fails("panic", func() (any, error) { panic("a test panics") }),
		fails("nil", func() (any, error) { var p *struct{ n int }; return p.n, nil }),
		fails("index", func() (any, error) { return []int{}[len(os.Args)], nil }),
		fails("goexit", func() (any, error) { runtime.Goexit(); return nil, nil }),
		fails("nan", func() (any, error) { return math.NaN(), nil }),
		fails("cycle", func() (any, error) {
			type node struct{ Next *node }
			n := &node{}
			n.Next = n
			return n, nil
		}),
		fails("channel", func() (any, error) { return make(chan int), nil }),
		fails("error", func() (any, error) { return nil, errors.New("it is broken") }),
		fails("empty", func() (any, error) { return nil, errors.New("") }),
		registry.Define("test.echo", func(_ context.Context, v app.Value) (app.Value, error) { return v, nil }),
		registry.Define("test.wait", func(ctx context.Context, _ none) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}),
	)
	if most, err := strconv.Atoi(os.Getenv("COUNTERSIGN_TEST_PAUSE")); err == nil && most > 0 {
		pause := func() { time.Sleep(time.Duration(rand.IntN(most*1000)) * time.Microsecond) }
		for _, f := range functions {
			run := f.Run
			f.Run = func(ctx context.Context, c app.Call) (app.Value, error) {
				pause()
				defer pause()
				return run(ctx, c)
			}
		}
	}
	functions = slices.DeleteFunc(functions, func(f *app.Function) bool { return f.Name == os.Getenv("COUNTERSIGN_TEST_WITHOUT") })
	for _, f := range functions {
		if f.Name == os.Getenv("COUNTERSIGN_TEST_CHANGED") {
			f.Description += " It does something else than it did."
		}
	}
	return functions
}
