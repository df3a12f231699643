package desk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/bridge"
	"github.com/faustine-ai/countersign/app/card"
	"github.com/faustine-ai/countersign/app/cli"
	"github.com/faustine-ai/countersign/app/demo"
	"github.com/faustine-ai/countersign/app/model"
)

// demoTimeout ends a demo that nobody watches. The longest scene runs into the
// busy limit of ten seconds.
const demoTimeout = 2 * time.Minute

var errClosedEarly = errors.New("the demo was closed before it was over")

// Demo plays one scene on throw-away data and checks how it ended.
func (b Build) Demo(ctx context.Context, asked cli.Demo) (err error) {
	scene, err := model.Find(asked.Name)
	if err != nil {
		return err
	}
	decide, err := decisions(asked, scene)
	if err != nil {
		return err
	}
	if asked.Part != "" {
		return b.part(ctx, asked, scene, decide)
	}
	if err := folderFor(asked.Log); err != nil {
		return err
	}
	folder, leave, err := stage("demo", asked.Headless)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, leave()) }()
	if asked.Log == "" {
		asked.Log = filepath.Join(folder, "log.db")
	}
	if asked.Headless {
		fmt.Fprintf(os.Stderr, "countersign: playing the demo %s without a window; it ends by itself, after %v at the latest\n", scene.Name, demoTimeout)
	}
	if scene.Restarts {
		return b.restarted(ctx, asked, scene, decide, folder)
	}

	play := &play{scene: scene, decide: decide, began: time.Now()}
	s := &showing{asked: asked, transcript: &demo.Transcript{Out: asked.Out, Plain: plain, Entries: play.entries}}
	if play.props, err = openProps(folder, scene.Functions); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, play.props.Close()) }()
	var ended demo.Ending
	var unread error
	s.over = func() {
		// Read now: in a window the person may go on and ask for more.
		unread = s.desk.settle()
		if unread == nil {
			ended, unread = play.ending(ctx)
		}
	}
	if err := b.show(s, setup{
		title: demoTitle(scene), log: asked.Log, orders: filepath.Join(folder, "orders.db"), scene: scene.Name,
		functions: play.props.functions(),
		playing:   playing(scene, s.transcript.Tell, &bridge.Scene{Auto: true}),
		presenter: func(real app.Presenter) app.Presenter {
			if decide != nil {
				real = demo.Presenter(*decide, scene.Approval == "each")
			}
			return s.transcript.Watch(real)
		},
	}, func(d *desk) error {
		play.log = d.log
		return play.remember(ctx)
	}, func() error {
		if unread != nil {
			return unread
		}
		return play.judge(ctx, ended, asked.Out)
	}); err != nil {
		return err
	}
	return nil
}

// demoTitle says of a window that nothing in it is the person's own.
func demoTitle(scene model.Scene) string { return "Offline demo: " + scene.Name + " – Countersign" }

// playing is a scene as the page is told of it.
func playing(scene model.Scene, tell func(kind, text string), how *bridge.Scene) *bridge.Scene {
	how.Name, how.Title, how.Notice, how.Request, how.Approval = scene.Name, scene.Title, scene.Notice, scene.Request, scene.Approval
	how.Transcript = tell
	return how
}

// showing is a window that shows a scene.
type showing struct {
	asked      cli.Demo
	transcript *demo.Transcript
	desk       *desk
	over       func() // the page says that the scene is over; called once
}

// show opens a window on a setup and returns when it has gone and all is checked:
// ready comes before the page, check after the scene is over and the window has
// gone.
func (b Build) show(s *showing, set setup, ready func(*desk) error, check func() error) (err error) {
	over, lost := make(chan struct{}), make(chan struct{}, 1)
	var once sync.Once
	var loads atomic.Int32
	set.playing.Done = func(string) {
		once.Do(func() {
			s.over()
			close(over)
		})
	}
	set.hello = func() {
		if loads.Add(1) == 2 {
			lost <- struct{}{}
		}
	}
	d, err := b.open(set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	s.desk = d
	if err := ready(d); err != nil {
		return err
	}
	if s.asked.Headless && s.asked.Part != beforeRestart {
		go func() {
			select {
			case <-over:
			case <-lost:
				fmt.Fprintln(os.Stderr, "countersign: the page was loaded again in the middle of the demo")
			case <-time.After(demoTimeout):
				fmt.Fprintf(os.Stderr, "countersign: the demo was not over after %v\n", demoTimeout)
			}
			d.shell.Quit()
		}()
	}
	if err := d.shell.Run(); err != nil {
		return err
	}
	select {
	case <-over:
	default:
		return errClosedEarly
	}
	return check()
}

// folderFor refuses a log in a folder that is not there: a slip in the path would
// otherwise make one. "" is no log.
func folderFor(log string) error {
	if log == "" {
		return nil
	}
	info, err := os.Stat(filepath.Dir(log))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return fmt.Errorf("--db %s: there is no folder %s; make it first, or name another file", log, filepath.Dir(log))
	}
	return err
}

// decisions reads --decide. Without it a person decides, if there is one, and
// otherwise what the scene is about.
func decisions(asked cli.Demo, scene model.Scene) (*demo.Decide, error) {
	text := asked.Decide
	if text == "" {
		if !asked.Headless {
			return nil, nil
		}
		text = scene.Decide
	}
	decide, err := demo.ParseDecide(text)
	if err != nil {
		return nil, cli.WrongUse(err)
	}
	return &decide, nil
}

func plain(text string) string {
	shown, _ := card.PlainLines(text)
	return shown
}
