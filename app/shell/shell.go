// Package shell is the app's window: the webview with its asset routes and their
// policies, the watch over the web process, and the way to the end.
//
// It knows the words of package app and no more of ours. What it serves, binds
// and ends is handed to it, so that main can wire it to the real app and a test
// to something smaller.
package shell

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// endWithin is how long the way to the end may take before the process is ended
// the hard way. Five seconds are promised; the log is consistent either way.
const endWithin = 4500 * time.Millisecond

// Config is what a Shell needs.
type Config struct {
	Title   string
	Icon    []byte       // PNG, for the window
	Assets  fs.FS        // the built page, index.html at its root
	Sandbox http.Handler // the frame document, with its own policy
	Model   http.Handler // answers below /model/, secret checked already
	Bytes   http.Handler // answers below /bytes/, secret checked already; nil: nothing does
	Secret  string       // 64 hex digits, new with each start
	Bind    []any        // what the page can call; every method of these needs the secret
	Dialogs *Dialogs     // that come with the window; nil: none
	Door    string       // the socket at which Raise reaches the window; "": none

	// Abort ends every run, call and card that is open as aborted, with the
	// reason in the log, and returns when the log has it. It is called when the
	// app ends and when the page's process has died, from any goroutine.
	Abort func(reason string)

	// Limit is Abort for when the shell has ended the page's process because it
	// used too much memory: a program did, and its run ends as limit. nil: Abort.
	Limit func(reason string)
}

// Shell is the app's window. Run it once.
type Shell struct {
	config  Config
	ctx     atomic.Pointer[context.Context] // Wails' own, from startup on
	started chan struct{}                   // closed when ctx is there
	signals chan os.Signal
	end     sync.Once
	ended   chan struct{} // closed when Run has returned
	greedy  atomic.Bool   // the page's process was ended for the memory it used
}

// New returns a Shell that shows nothing yet.
func New(config Config) *Shell {
	return &Shell{config: config, started: make(chan struct{}), signals: make(chan os.Signal, 1), ended: make(chan struct{})}
}

// Run opens the window and returns when it has been closed. It must be called on
// the program's first thread, where GTK runs. SIGINT, SIGTERM and SIGHUP close
// the window as the person would.
func (s *Shell) Run() error {
	routes, err := Routes(s.config)
	if err != nil {
		return err
	}
	defer close(s.ended)
	if err := Ready(); err != nil {
		return err
	}
	size := fit(workArea())
	stop := s.watchSignals()
	defer stop()
	app := &options.App{
		Title:                  s.config.Title,
		Width:                  size.width,
		Height:                 size.height,
		MinWidth:               size.leastWidth,
		MinHeight:              size.leastHeight,
		BackgroundColour:       options.NewRGB(250, 250, 250),
		AssetServer:            &assetserver.Options{Handler: routes},
		Bind:                   s.config.Bind,
		BindingsAllowedOrigins: "", // the app's own origin and no other
		Logger:                 wailsLog{s.config.Secret},
		LogLevelProduction:     logger.ERROR,
		OnStartup:              s.onStartup,
		OnDomReady:             s.onDomReady,
		OnBeforeClose:          func(context.Context) bool { return !s.close("the app was closed") },
		Linux: &linux.Options{
			Icon:             s.config.Icon,
			ProgramName:      "countersign",
			WebviewGpuPolicy: linux.WebviewGpuPolicyNever,
		},
	}
	addDriver(s, app)
	err = wails.Run(app)
	s.close("the app ended") // a window that went without asking
	if err != nil {
		return fmt.Errorf("open the window: %w", err)
	}
	return nil
}

// Quit closes the window as the person would.
func (s *Shell) Quit() {
	select {
	case <-s.started:
		runtime.Quit(*s.ctx.Load())
	case <-s.ended:
	}
}

// close ends what is open, once. It reports whether this call did it: the window
// goes with the first and only the first, or Wails would quit a loop twice.
func (s *Shell) close(reason string) (first bool) {
	s.end.Do(func() {
		first = true
		time.AfterFunc(endWithin, func() {
			select {
			case <-s.ended:
			default:
				fmt.Fprintln(os.Stderr, "countersign: the window did not close in time; ending without it")
				os.Exit(1)
			}
		})
		if s.config.Abort != nil {
			s.config.Abort(reason)
		}
	})
	return first
}

func (s *Shell) onStartup(ctx context.Context) {
	s.ctx.Store(&ctx)
	// Wails has set a handler of its own by now. It writes of a “Ctrl+C” that
	// nobody pressed, and ends without asking; one handler is enough.
	signal.Reset(endings...)
	signal.Notify(s.signals, endings...)
	close(s.started)
	if err := watchWeb(s); err != nil {
		fmt.Fprintln(os.Stderr, "countersign: cannot watch the page's process:", err)
	}
	go s.watchMemory()
	if s.config.Dialogs != nil {
		s.config.Dialogs.open(ctx)
	}
	if s.config.Door == "" {
		return
	}
	shut, err := openDoor(s.config.Door, func() { raiseWindow(ctx) })
	if err != nil {
		fmt.Fprintln(os.Stderr, "countersign: a second start will not find this window:", err)
		return
	}
	go func() { <-s.ended; shut() }()
}

func (s *Shell) onDomReady(context.Context) {}

// pageLost is called when the page's process has died.
func (s *Shell) pageLost(reason string) (forMemory bool) {
	end := s.config.Abort
	if forMemory = s.greedy.Swap(false); forMemory {
		reason = tooMuchMemory()
		if s.config.Limit != nil {
			end = s.config.Limit
		}
	} else {
		reason = "the page's process ended: " + reason
	}
	fmt.Fprintln(os.Stderr, "countersign:", reason)
	if end != nil {
		end(reason)
	}
	return forMemory
}

// endings are the signals that ask a program to end.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// watchSignals closes the window on a signal, as soon as there is one.
func (s *Shell) watchSignals() (stop func()) {
	signal.Notify(s.signals, endings...)
	go func() {
		select {
		case <-s.signals:
			s.Quit()
		case <-s.ended:
		}
	}()
	return func() { signal.Stop(s.signals) }
}

var errNoWebView = errors.New("the window has no web view")
