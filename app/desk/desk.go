// Package desk joins the packages below app, which do not know each other, into
// what a window stands on: for the app, for a demo, and for a self-test.
package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/bridge"
	"github.com/faustine-ai/countersign/app/card"
	"github.com/faustine-ai/countersign/app/cli"
	"github.com/faustine-ai/countersign/app/conversations"
	"github.com/faustine-ai/countersign/app/dispatch"
	"github.com/faustine-ai/countersign/app/functions/orders"
	"github.com/faustine-ai/countersign/app/gate"
	"github.com/faustine-ai/countersign/app/mcp"
	"github.com/faustine-ai/countersign/app/model"
	"github.com/faustine-ai/countersign/app/registry"
	"github.com/faustine-ai/countersign/app/settings"
	"github.com/faustine-ai/countersign/app/shell"
	"github.com/faustine-ai/countersign/app/sqlite"
	"github.com/faustine-ai/countersign/app/value"
	"github.com/faustine-ai/countersign/sandbox"
)

// Build is what is put into the program when it is built.
type Build struct {
	Version string
	Page    fs.FS  // the host page: index.html and its assets
	Icon    []byte // PNG
}

// Program is the build as the command line knows it.
func (b Build) Program() cli.Program {
	return cli.Program{Version: b.Version, Engine: shell.Engine(), Open: b.App, Demo: b.Demo, SelfTest: b.SelfTest, Scenes: scenes}
}

// App opens the app on the person's own data. The page offers the one request
// that the recorded model can answer.
// A second start brings the window of the first to the front. An error from before
// the window has a method Show, which shows it to who sees no standard error.
func (b Build) App(ctx context.Context) error {
	if err := needDisplay("play a demo without one: countersign demo " + model.Scenes()[0].Name + " --headless"); err != nil {
		return err
	}
	path, scene := sqlite.DefaultPath(), model.Scenes()[0]
	if err := makePrivate(filepath.Dir(path), filepath.Dir(sqlite.HeadFor(path))); err != nil {
		return unopened{err}
	}
	d, err := b.openBesideWebKit(testSetup(setup{
		log:      path,
		orders:   filepath.Join(filepath.Dir(path), "orders.db"),
		scene:    scene.Name,
		playing:  &bridge.Scene{Name: scene.Name, Request: scene.Request, Auto: false},
		settings: personsSettings,
		gallery:  true,
		door:     doorOf(path),
	}))
	if errors.Is(err, sqlite.ErrInUse) {
		if err := shell.Raise(ctx, doorOf(path)); err != nil {
			return unopened{fmt.Errorf("the app is open already: go on in its window, or close it first (it holds %s); %w", path, err)}
		}
		return nil
	}
	if err != nil {
		return unopened{err}
	}
	return errors.Join(d.shell.Run(), d.Close())
}

// setup is what differs between the app and a demo.
type setup struct {
	log, orders string        // files
	scene       string        // whose transcript the offline model plays
	playing     *bridge.Scene // nil: the person asks
	presenter   func(app.Presenter) app.Presenter
	settings    func(app.Log) (*settings.Store, error) // nil: the defaults, fixed
	functions   []*app.Function                        // in place of those on orders; a self-test's
	selfTest    *bridge.SelfTest                       // nil: none
	title       string                                 // of the window; "": the app's name
	gallery     bool                                   // the page may play demos
	door        string                                 // where a second start finds the window; "": nowhere
	hello       func()                                 // the page has loaded, also when it does so again; may be nil
}

// desk is everything that a window stands on. Close it after the window has gone.
type desk struct {
	log       *sqlite.Log
	orders    *orders.Store
	said      *conversations.Store
	settings  *settings.Store
	functions *registry.Live
	servers   *mcp.Servers
	dispatch  *dispatch.Dispatcher
	shell     *shell.Shell
	closers   []func() error
}

// openBesideWebKit opens a setup while WebKit starts on the program's first thread,
// where it must be called: neither needs the other, and both keep a person waiting.
func (b Build) openBesideWebKit(s setup) (d *desk, err error) {
	opened := make(chan struct{})
	go func() {
		defer close(opened)
		d, err = b.open(s)
	}()
	shell.Prepare()
	<-opened
	return d, err
}

func (b Build) open(s setup) (_ *desk, err error) {
	d := &desk{}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
		}
	}()
	for _, path := range []string{s.log, s.orders} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
	}
	if d.log, err = sqlite.Open(s.log, sqlite.Options{Version: b.Version}); err != nil {
		return nil, err
	}
	d.closers = append(d.closers, d.log.Close)
	if err = d.openSettings(s); err != nil {
		return nil, err
	}
	if d.orders, err = orders.Open(s.orders); err != nil {
		return nil, err
	}
	d.closers = append(d.closers, d.orders.Close)
	// Beside the log of the app; a demo's are thrown away with its data.
	d.said = conversations.Open(context.Background(), conversations.Path(s.orders))
	d.closers = append(d.closers, d.said.Close)
	defined := s.functions
	if defined == nil {
		defined = d.orders.Functions()
	}
	if err = d.openFunctions(s, defined); err != nil {
		return nil, err
	}
	var presenter app.Presenter = card.New(card.Config{Pretty: value.Brief, Size: cardSize()})
	if s.presenter != nil {
		presenter = s.presenter(presenter)
	}
	held := gate.New(d.log, d.functions, presenter, gate.Version(b.Version), gate.Engine(shell.Engine()),
		gate.Keep(d.log.Waiting(), sandbox.Build()), gate.Asks(func() bool { return d.settings.Current().Approval != settings.Never }))
	d.dispatch = dispatch.New(testLog(d.log), d.functions, held)
	secret, err := bridge.NewSecret()
	if err != nil {
		return nil, err
	}
	dialogs := shell.NewDialogs()
	demos, err := d.openGallery(s)
	if err != nil {
		return nil, err
	}
	models, err := b.openModels(d, s)
	if err != nil {
		return nil, err
	}
	bound, err := bridge.New(bridge.Config{
		Secret: secret, Version: b.Version, Engine: shell.Engine(), Scene: s.playing, SelfTest: s.selfTest,
		Log: d.log, Functions: d.functions, Gate: held, Dispatch: d.dispatch, Hello: s.hello, Called: new(collecting).called,
		Operations: slices.Concat(dialogs.Operations(), d.openReview(s, dialogs, held.On).Operations(), d.said.Operations(), demos, d.openChecks(), d.settings.Operations(), models.operations, d.functions.Operations(), d.servers.Operations()),
	})
	if err != nil {
		return nil, err
	}
	d.shell = shell.New(shell.Config{
		Title: cmp.Or(s.title, "Countersign"), Icon: b.Icon, Assets: testPage(b.Page), Sandbox: sandbox.Handler(), Model: models.handler,
		Bytes: bridge.Bytes(bound), Secret: secret, Bind: []any{bound}, Dialogs: dialogs, Door: s.door,
		Abort: func(reason string) {
			models.end()
			bridge.Abort(bound, reason)
		},
		Limit: func(reason string) {
			models.end()
			bridge.Limit(bound, reason)
		},
	})
	return d, nil
}

// settle waits for functions that are still executing, so that the log has what
// became of them. One that takes longer is left as “outcome unknown”.
func (d *desk) settle() error {
	ctx, cancel := context.WithTimeout(context.Background(), 1500*time.Millisecond)
	defer cancel()
	if err := d.dispatch.Wait(ctx); err != nil {
		return fmt.Errorf("not everything that ran is settled in the log: %w", err)
	}
	return nil
}

// Close waits for what still runs and closes the files, the log last but one.
func (d *desk) Close() error {
	var failed []error
	if d.dispatch != nil {
		failed = append(failed, d.settle())
	}
	for _, c := range d.closers {
		failed = append(failed, c())
	}
	d.closers = nil
	return errors.Join(failed...)
}

func scenes() []cli.Scene {
	var list []cli.Scene
	for _, s := range model.Scenes() {
		list = append(list, cli.Scene{Name: s.Name, Title: s.Title})
	}
	return list
}
