package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/faustine-ai/countersign/app/review"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// LogCommand is `countersign log`: reading and checking the log. It needs no
// display and may run while the app writes.
func LogCommand() *cobra.Command {
	flags := &logFlags{}
	command := &cobra.Command{
		Use:   "log",
		Short: "Read and check the log of what ran and who decided",
		Long: `Read and check the log of what ran and who decided.

Reads while the app is running, needs no display and never writes to the log;
only prune and reindex do, and only while the app is closed. The log is the app's own
unless --db names another. Filters mean the same here, in the window and in exports.

Tables and text have local time with its offset from UTC; json, jsonl and csv
have UTC (RFC 3339), as the log itself.

Exit codes: 0 done; 1 the log cannot be read or written, or nothing has the id;
2 the command line is wrong; 3 verify found that the log is not intact, or head that
it is not the one that was noted; 4 verify found an export consistent in itself, but
was given no --key to know its signer by.`,
		Args:         noArguments,
		SilenceUsage: true,
		RunE:         func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	command.PersistentFlags().StringVar(&flags.db, "db", "", "`file` of the log (default "+sqlite.DefaultPath()+")")
	command.SetFlagErrorFunc(wrongFlag)
	command.PersistentPreRunE = noEmptyValues
	command.AddCommand(logListCommand(flags), logShowCommand(flags), logExportCommand(flags), logVerifyCommand(flags), logHeadCommand(flags), logStatsCommand(flags), logPruneCommand(flags), logReindexCommand(flags), logFormatCommand())
	completeFile(command, "db")
	return command
}

type logFlags struct {
	db     string
	chosen review.Filter
	limit  int
}

// filterFlags adds the flags that choose calls.
func (f *logFlags) filterFlags(c *cobra.Command) {
	c.Flags().StringVar(&f.chosen.Since, "since", "", "from this `time` on: 2026-11-29, 2026-11-29T08:00:00Z, or an age such as 90m, 12h, 7d")
	c.Flags().StringVar(&f.chosen.Until, "until", "", "before this `time`, written as for --since")
	c.Flags().StringVar(&f.chosen.Fn, "fn", "", "only this `function`; orders.* takes a family")
	c.Flags().StringVar(&f.chosen.Decision, "decision", "", "only calls with this `decision`: "+strings.Join(review.Decisions, ", ")+"; a decider is taken too")
	c.Flags().StringVar(&f.chosen.Decider, "decider", "", "only calls that this `decider` decided: "+strings.Join(review.Deciders, ", "))
	c.Flags().StringVar(&f.chosen.Outcome, "outcome", "", "only calls with this `outcome`: "+strings.Join(review.Outcomes, ", "))
	c.Flags().StringVar(&f.chosen.Run, "run", "", "only this run `id`; its beginning and * takes all that begin so")
	c.Flags().StringVar(&f.chosen.Model, "model", "", "only calls of programs by this `model`; its beginning and * takes all that begin so")
	c.Flags().StringVar(&f.chosen.Text, "text", "", "only calls with these `words` together in function, input, error or rejection, or in the request; a * behind the last lets it go on")
	completeWith(c, "decision", append(slices.Clone(review.Decisions), review.Deciders...)...)
	completeWith(c, "decider", review.Deciders...)
	completeWith(c, "outcome", review.Outcomes...)
	completeFrom(c, "fn", f, func(r *sqlite.Reader, ctx context.Context) ([]string, error) { return r.Functions(ctx) })
	completeFrom(c, "run", f, func(r *sqlite.Reader, ctx context.Context) ([]string, error) { return r.NewestRuns(ctx, 50) })
	completeFrom(c, "model", f, func(r *sqlite.Reader, ctx context.Context) ([]string, error) { return r.Models(ctx) })
	for _, name := range []string{"since", "until", "text"} {
		completeWith(c, name)
	}
	c.Flags().IntVar(&f.limit, "limit", 0, "the newest `n` calls (0: all)")
}

// formatFlag adds --format; the first format is the default. Each command has
// its own variable, since StringVar writes the default at once.
func formatFlag(c *cobra.Command, formats ...string) *string {
	defer completeWith(c, "format", formats...)
	return c.Flags().String("format", formats[0], "`format` of the output: "+strings.Join(formats, ", "))
}

func (f *logFlags) filter(now time.Time) (sqlite.Filter, error) {
	if f.limit < 0 {
		return sqlite.Filter{}, wrongUse("--limit %d: expected 0 or more", f.limit)
	}
	filter, err := f.chosen.Read(now)
	filter.Limit = f.limit
	return filter, asFlag(err)
}

// noteUnknown says which filters name what no call in the log has: a slip there would
// look as if nothing had happened. For where a filter chose nothing.
func (f *logFlags) noteUnknown(c *cobra.Command, catalog *sqlite.Catalog) error {
	for _, each := range []struct {
		flag, value string
		alone       review.Filter
	}{
		{"fn", f.chosen.Fn, review.Filter{Fn: f.chosen.Fn}},
		{"run", f.chosen.Run, review.Filter{Run: f.chosen.Run}},
		{"model", f.chosen.Model, review.Filter{Model: f.chosen.Model}},
	} {
		if each.value == "" {
			continue
		}
		alone, err := each.alone.Read(time.Now())
		if err != nil {
			return asFlag(err)
		}
		numbers, err := catalog.Numbers(commandContext(c), alone, 0, 1)
		if err != nil {
			return err
		}
		if len(numbers) == 0 {
			fmt.Fprintf(c.ErrOrStderr(), "countersign: note: no call in the log has --%s %q; a * behind a beginning takes all that begin so\n", each.flag, each.value)
		}
	}
	return nil
}

// readTime reads a point in time, or an age before now.
func readTime(flag, text string, now time.Time) (time.Time, error) {
	at, err := review.ParseTime(flag, text, now)
	return at, asFlag(err)
}

// asFlag says what is wrong with a member of a filter as what it is here: a flag.
func asFlag(err error) error {
	var wrong *review.FieldError
	if errors.As(err, &wrong) {
		return wrongUse("--%s %s", wrong.Field, wrong.Text)
	}
	return err
}

func (f *logFlags) path() string {
	if f.db != "" {
		return f.db
	}
	return sqlite.DefaultPath()
}

// withReader opens the log for one command.
func (f *logFlags) withReader(use func(r *sqlite.Reader) error) (err error) {
	reader, err := sqlite.OpenReader(f.path())
	if err != nil {
		return plainError(err)
	}
	defer func() {
		if closing := reader.Close(); err == nil {
			err = closing
		}
	}()
	return plainError(use(reader))
}

// withCatalog opens the log and what lists its calls for one command.
func (f *logFlags) withCatalog(ctx context.Context, use func(c *sqlite.Catalog) error) (err error) {
	catalog, err := sqlite.OpenFilled(ctx, f.path(), f.catalog())
	if err != nil {
		return plainError(err)
	}
	defer func() {
		if closing := catalog.Close(); err == nil {
			err = closing
		}
	}()
	return plainError(use(catalog))
}

// warn says before what a command prints that the end of the log is not as its anchor
// knows it: whoever reads it should not take it for all there was.
func warn(c *cobra.Command, log *sqlite.Reader) error {
	report, err := log.VerifyEnd(commandContext(c))
	if err == nil && report.State != sqlite.Intact {
		_, err = fmt.Fprintf(c.ErrOrStderr(), "countersign: warning: the log is not intact: %s: %s; %q says more\n", report.State, visible(report.Message, false), "countersign log verify")
	}
	return err
}

// catalog is where the list of calls is kept: beside the app's own log, and only
// for as long as the command for another one, beside which nothing is written.
func (f *logFlags) catalog() string {
	if f.db != "" {
		return ""
	}
	return sqlite.CatalogFor(f.path())
}

func commandContext(c *cobra.Command) context.Context {
	if ctx := c.Context(); ctx != nil {
		return ctx
	}
	return context.Background()
}
