package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	"github.com/faustine-ai/countersign/app/functions/orders"
	"github.com/faustine-ai/countersign/app/model"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// demoTimeout ends a demo that nobody watches. The longest scene runs into the
// busy limit of ten seconds.
const demoTimeout = 2 * time.Minute

// Demo plays one scene on throw-away data and checks how it ended.
func (b Build) Demo(ctx context.Context, asked cli.Demo) (err error) {
	scene, err := model.Find(asked.Name)
	if err != nil {
		return err
	}
	decide, err := decisions(asked)
	if err != nil {
		return err
	}
	if err := folderFor(asked.Log); err != nil {
		return err
	}
	folder, leave, err := stage("demo", asked.Headless)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, leave()) }()

	path := asked.Log
	if path == "" {
		path = filepath.Join(folder, "log.db")
	}
	play := &play{scene: scene, decide: decide, began: time.Now()}
	transcript := &demo.Transcript{Out: asked.Out, Plain: plain, Entries: play.entries}
	over, lost := make(chan struct{}), make(chan struct{}, 1)
	var once sync.Once
	var loads atomic.Int32
	d, err := b.open(setup{
		log: path, orders: filepath.Join(folder, "orders.db"), scene: scene.Name,
		playing: &bridge.Scene{Name: scene.Name, Request: scene.Request, Auto: true, Transcript: transcript.Tell,
			Done: func(string) { once.Do(func() { close(over) }) }},
		presenter: func(real app.Presenter) app.Presenter {
			if decide != nil {
				real = demo.Presenter(*decide)
			}
			return transcript.Watch(real)
		},
		hello: func() {
			if loads.Add(1) == 2 {
				lost <- struct{}{}
			}
		},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	play.desk = d
	if err := play.remember(ctx); err != nil {
		return err
	}
	if asked.Headless {
		fmt.Fprintf(os.Stderr, "countersign: playing the demo %s without a window; it ends by itself, after %v at the latest\n", scene.Name, demoTimeout)
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
		return errors.New("the demo was closed before it was over")
	}
	if err := d.settle(); err != nil {
		return err
	}
	return play.check(ctx, asked.Out)
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

// decisions reads --decide. Without it a person decides, if there is one.
func decisions(asked cli.Demo) (*demo.Decide, error) {
	text := asked.Decide
	if text == "" {
		if !asked.Headless {
			return nil, nil
		}
		text = "approve"
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

// play is a scene while it is played.
type play struct {
	desk    *desk
	scene   model.Scene
	decide  *demo.Decide
	began   time.Time
	before  []demo.Order
	entered int64 // the last entry before the scene
}

// remember notes the store and the log as they are before the scene.
func (p *play) remember(ctx context.Context) (err error) {
	if p.before, err = read(ctx, p.desk.orders); err != nil {
		return err
	}
	entries, err := p.desk.log.Entries(ctx, sqlite.Filter{Limit: 1})
	if err == nil && len(entries) > 0 {
		p.entered = entries[len(entries)-1].Number
	}
	return err
}

// entries are those of the scene.
func (p *play) entries() ([]app.Entry, error) {
	all, err := p.desk.log.Entries(context.Background(), sqlite.Filter{})
	if err != nil {
		return nil, err
	}
	for len(all) > 0 && all[0].Number <= p.entered {
		all = all[1:]
	}
	return all, nil
}

// check compares what the scene left behind with what it should have.
func (p *play) check(ctx context.Context, out io.Writer) error {
	after, err := read(ctx, p.desk.orders)
	if err != nil {
		return err
	}
	entries, err := p.entries()
	if err != nil {
		return err
	}
	if err := demo.Check(demo.Ending{
		Scene: p.scene.Name, Request: p.scene.Request, Ends: app.Status(p.scene.Ends), Decide: p.decide,
		Before: p.before, After: after, Entries: entries, Now: p.began,
	}); err != nil {
		return fmt.Errorf("the demo did not end as it should:\n%w", err)
	}
	report, err := p.desk.log.Verify(ctx)
	if err != nil {
		return fmt.Errorf("the log cannot be verified: %w", err)
	}
	if report.State != sqlite.Intact {
		return fmt.Errorf("the log does not verify: %s", report.Message)
	}
	_, err = fmt.Fprintf(out, "\nCheck\n  The orders and the log agree, and the log verifies: %d entries.\n", report.Entries)
	return err
}

func read(ctx context.Context, store *orders.Store) ([]demo.Order, error) {
	all, err := store.All(ctx)
	if err != nil {
		return nil, err
	}
	var read []demo.Order
	for _, o := range all {
		read = append(read, demo.Order{ID: o.ID, Status: o.Status, Total: o.Total, Placed: o.Placed})
	}
	return read, nil
}
