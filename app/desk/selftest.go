package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/bridge"
	"github.com/faustine-ai/countersign/app/cli"
	"github.com/faustine-ai/countersign/app/functions/probe"
	"github.com/faustine-ai/countersign/app/model"
	"github.com/faustine-ai/countersign/app/selftest"
	"github.com/faustine-ai/countersign/app/shell"
)

// selfTestTimeout ends a self-test that hangs. It takes some fifteen seconds.
const selfTestTimeout = 3 * time.Minute

// SelfTest has the page run its checks on throw-away data and prints them.
func (b Build) SelfTest(_ context.Context, asked cli.SelfTest) (err error) {
	slog.SetDefault(slog.New(selftest.Quiet(slog.NewTextHandler(os.Stderr, nil))))
	folder, leave, err := stage("selftest", asked.Headless)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, leave()) }()
	canary, err := probe.Open()
	if err != nil {
		return err
	}
	defer canary.Close()

	var unprinted error
	report := selftest.NewReport(func(c selftest.Check) {
		if !asked.JSON {
			unprinted = errors.Join(unprinted, selftest.Print(asked.Out, c, plain))
		}
	})
	lost := make(chan struct{}, 1)
	var loads atomic.Int32
	d, err := b.open(setup{
		log: filepath.Join(folder, "log.db"), orders: filepath.Join(folder, "orders.db"), scene: model.Scenes()[0].Name,
		functions: canary.Functions(),
		selfTest:  &bridge.SelfTest{Canary: canary.Address(), Report: report.Add},
		presenter: func(app.Presenter) app.Presenter { return selftest.Presenter{} },
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
	go func() {
		select {
		case <-report.Done():
		case <-lost:
			fmt.Fprintln(os.Stderr, "countersign: the page was loaded again in the middle of the self-test")
		case <-time.After(selfTestTimeout):
			fmt.Fprintf(os.Stderr, "countersign: the self-test was not over after %v\n", selfTestTimeout)
		}
		d.shell.Quit()
	}()
	if err := d.shell.Run(); err != nil {
		return err
	}
	result, failed := report.Result()
	result.Version, result.Engine = b.Version, shell.Engine()
	if asked.JSON {
		encoder := json.NewEncoder(asked.Out)
		encoder.SetIndent("", "  ")
		return errors.Join(encoder.Encode(result), failed)
	}
	_, err = fmt.Fprintf(asked.Out, "\n%d passed, %d failed in %s\n", result.Passed, result.Failed, result.Engine)
	return errors.Join(err, unprinted, failed)
}
