package desk

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/demo"
	"github.com/faustine-ai/countersign/app/model"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// play is a scene while it is played.
type play struct {
	scene   model.Scene
	decide  *demo.Decide
	began   time.Time
	props   *props
	log     *sqlite.Log
	before  demo.World
	entered int64 // the last entry before the scene
}

// remember notes the data and the log as they are before the scene.
func (p *play) remember(ctx context.Context) (err error) {
	if p.before, err = p.props.world(ctx); err != nil {
		return err
	}
	p.entered, err = lastEntry(ctx, p.log)
	return err
}

func lastEntry(ctx context.Context, log *sqlite.Log) (int64, error) {
	entries, err := log.Entries(ctx, sqlite.Filter{Limit: 1})
	if err != nil || len(entries) == 0 {
		return 0, err
	}
	return entries[len(entries)-1].Number, nil
}

// entries are those of the scene.
func (p *play) entries() ([]app.Entry, error) {
	all, err := p.log.Entries(context.Background(), sqlite.Filter{})
	if err != nil {
		return nil, err
	}
	for len(all) > 0 && all[0].Number <= p.entered {
		all = all[1:]
	}
	return all, nil
}

// ending reads what the scene has left behind by now.
func (p *play) ending(ctx context.Context) (e demo.Ending, err error) {
	e = demo.Ending{
		Scene: p.scene.Name, Request: p.scene.Request, Each: p.scene.Approval == "each", Decide: p.decide,
		Before: p.before, Now: p.began,
	}
	for _, status := range p.scene.Ends {
		e.Ends = append(e.Ends, app.Status(status))
	}
	if e.After, err = p.props.world(ctx); err != nil {
		return e, err
	}
	e.Entries, err = p.entries()
	return e, err
}

// judge compares what the scene left behind with what it should have, verifies
// the log, and prints what to notice.
func (p *play) judge(ctx context.Context, e demo.Ending, out io.Writer) error {
	if err := demo.Check(e); err != nil {
		return fmt.Errorf("the demo did not end as it should:\n%w", err)
	}
	report, err := p.log.Verify(ctx)
	if err != nil {
		return fmt.Errorf("the log cannot be verified: %w", err)
	}
	if report.State != sqlite.Intact {
		return fmt.Errorf("the log does not verify: %s", report.Message)
	}
	if _, err := fmt.Fprintf(out, "\nCheck\n  The data and the log agree, and the log verifies: %d entries.\n", report.Entries); err != nil {
		return err
	}
	return demo.Notice(out, p.scene.Notice)
}
