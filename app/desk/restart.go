package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/bridge"
	"github.com/faustine-ai/countersign/app/cli"
	"github.com/faustine-ai/countersign/app/demo"
	"github.com/faustine-ai/countersign/app/model"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// A scene with a restart has two parts, each a process of its own, since a window
// toolkit starts once in a process, and since only another process proves that
// nothing was kept in memory. This one only watches.
const (
	beforeRestart = "before" // until the card waits; then the app is closed
	afterRestart  = "after"  // what waited is opened, decided and resumed
)

// cardTime is how long the card of the first part is on a screen before the app
// is closed.
const cardTime = 4 * time.Second

// restarted plays both parts on the same data, and judges what they left behind.
func (b Build) restarted(ctx context.Context, asked cli.Demo, scene model.Scene, decide *demo.Decide, folder string) (err error) {
	play := &play{scene: scene, decide: decide, began: time.Now()}
	if play.props, err = openProps(folder, scene.Functions); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, play.props.Close()) }()
	if play.log, err = sqlite.Open(asked.Log, sqlite.Options{Version: b.Version}); err != nil {
		return err
	}
	if err := errors.Join(play.remember(ctx), play.log.Close()); err != nil {
		return err
	}
	if err := b.process(ctx, asked, folder, beforeRestart); err != nil {
		return err
	}
	fmt.Fprint(asked.Out, "\nClosed\n  The app was closed while its card waited. It is started again on the same data.\n\n")
	if err := b.process(ctx, asked, folder, afterRestart); err != nil {
		return err
	}
	if play.log, err = sqlite.Open(asked.Log, sqlite.Options{Version: b.Version}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, play.log.Close()) }()
	ended, err := play.ending(ctx)
	if err != nil {
		return err
	}
	return play.judge(ctx, ended, asked.Out)
}

// process plays one part in a process of its own.
func (b Build) process(ctx context.Context, asked cli.Demo, folder, part string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args := []string{"demo", asked.Name, "--part", part, "--folder", folder, "--db", asked.Log}
	if asked.Headless {
		args = append(args, "--headless")
	}
	if asked.Decide != "" {
		args = append(args, "--decide", asked.Decide)
	}
	// Who ends this process ends the window that it waits for.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	child := exec.CommandContext(ctx, self, args...)
	child.Stdout, child.Stderr = asked.Out, os.Stderr
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
	child.WaitDelay = 3 * time.Second
	if err := child.Run(); err != nil {
		return fmt.Errorf("the part of the demo %s the restart: %w", part, err)
	}
	return nil
}

// keptWithin is how long the page may take to keep the conversation of a card that
// waits, on a machine that is busy.
const keptWithin = 20 * time.Second

// saidIn waits until the conversation of a run is kept: nobody would go on with it
// in the second part otherwise. The page keeps it while the card comes up.
func (d *desk) saidIn(run string) error {
	ctx, cancel := context.WithTimeout(context.Background(), keptWithin)
	defer cancel()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		found, err := d.said.OfRun(ctx, run)
		if err != nil || found != nil {
			return err
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return fmt.Errorf("the conversation of the card was not kept within %v, so the demo cannot go on after the restart", keptWithin)
		}
	}
}

// part plays one part, on the screen and in the folder of the process that
// started it.
func (b Build) part(ctx context.Context, asked cli.Demo, scene model.Scene, decide *demo.Decide) (err error) {
	play := &play{scene: scene}
	s := &showing{asked: asked, transcript: &demo.Transcript{Out: asked.Out, Plain: plain, Entries: play.entries}, over: func() {}}
	set := setup{title: demoTitle(scene), log: asked.Log, orders: filepath.Join(asked.Folder, "orders.db"), scene: scene.Name}
	props, err := openProps(asked.Folder, scene.Functions)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, props.Close()) }()
	set.functions = props.functions()
	ready := func(d *desk) (err error) {
		play.log = d.log
		play.entered, err = lastBeginning(ctx, d.log)
		return err
	}
	switch asked.Part {
	case beforeRestart:
		return b.untilClosed(s, set, scene, ready)
	case afterRestart:
		how := &bridge.Scene{Reopen: "person"}
		if asked.Headless {
			how.Reopen = "page"
		}
		set.playing = playing(scene, s.transcript.Tell, how)
		set.presenter = func(real app.Presenter) app.Presenter {
			if decide != nil {
				real = demo.Presenter(*decide, false)
			}
			return s.transcript.Watch(real)
		}
		return b.show(s, set, ready, func() error { return nil })
	}
	return fmt.Errorf("there is no part %q of a demo", asked.Part)
}

// lastBeginning is the last entry before the run that began last: of the second
// part the first one's run.
func lastBeginning(ctx context.Context, log *sqlite.Log) (int64, error) {
	entries, err := log.Entries(ctx, sqlite.Filter{})
	if err != nil {
		return 0, err
	}
	for _, e := range slices.Backward(entries) {
		if e.Kind == app.RunBegan {
			return e.Number - 1, nil
		}
	}
	return 0, nil
}

// untilClosed plays the first part. That the window goes while the card waits is
// how it should end; a person who closes it sooner has only done the same.
func (b Build) untilClosed(s *showing, set setup, scene model.Scene, ready func(*desk) error) error {
	shown := make(chan string, 1) // the run of the card
	set.playing = playing(scene, s.transcript.Tell, &bridge.Scene{Auto: true})
	set.presenter = func(real app.Presenter) app.Presenter {
		tell := func(card app.Card) {
			select {
			case shown <- card.RunID:
			default: // only the first counts
			}
		}
		if s.asked.Headless {
			return s.transcript.Watch(demo.Unanswered(tell))
		}
		return s.transcript.Watch(demo.Telling(tell, real))
	}
	s.over = func() {
		fmt.Fprintln(os.Stderr, "countersign: the run ended before the demo had closed the app, so nothing waits; play it again and leave the card alone")
	}
	closing := func(d *desk) error {
		go func() {
			select {
			case run := <-shown:
				if !s.asked.Headless {
					time.Sleep(cardTime) // for the eye
				}
				if err := d.saidIn(run); err != nil {
					fmt.Fprintln(os.Stderr, "countersign:", err)
				}
			case <-time.After(demoTimeout):
				fmt.Fprintf(os.Stderr, "countersign: no card came within %v\n", demoTimeout)
			}
			d.shell.Quit()
		}()
		return ready(d)
	}
	err := b.show(s, set, closing, func() error { return errors.New("the run was over before the app was closed") })
	if errors.Is(err, errClosedEarly) {
		return nil
	}
	return err
}
