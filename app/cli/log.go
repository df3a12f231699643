package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

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

Reads while the app is running, needs no display and never writes; only prune
and reindex do, and only while the app is closed. The log is the app's own unless --db
names another.

Tables and text have local time with its offset from UTC; json, jsonl and csv
have UTC (RFC 3339), as the log itself.

Exit codes: 0 done; 1 the log cannot be read or written, or nothing has the id;
2 the command line is wrong; 3 verify found that the log is not intact; 4 verify
found an export consistent in itself, but was given no --key to know its signer by.`,
		Args:         noArguments,
		SilenceUsage: true,
		RunE:         func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	command.PersistentFlags().StringVar(&flags.db, "db", "", "`file` of the log (default "+sqlite.DefaultPath()+")")
	command.SetFlagErrorFunc(wrongFlag)
	command.PersistentPreRunE = noEmptyValues
	command.AddCommand(logListCommand(flags), logShowCommand(flags), logExportCommand(flags), logVerifyCommand(flags), logStatsCommand(flags), logPruneCommand(flags), logReindexCommand(flags), logFormatCommand())
	completeFile(command, "db")
	return command
}

type logFlags struct {
	db, since, until, fn, decision, run, text string
	limit                                     int
}

// filterFlags adds the flags that choose calls.
func (f *logFlags) filterFlags(c *cobra.Command) {
	c.Flags().StringVar(&f.since, "since", "", "from this `time` on: 2026-11-29, 2026-11-29T08:00:00Z, or an age such as 90m, 12h, 7d")
	c.Flags().StringVar(&f.until, "until", "", "before this `time`, written as for --since")
	c.Flags().StringVar(&f.fn, "fn", "", "only this `function`; orders.* takes a family")
	c.Flags().StringVar(&f.decision, "decision", "", "only calls with this `decision`: "+strings.Join(decisions, ", "))
	c.Flags().StringVar(&f.run, "run", "", "only this run `id`")
	c.Flags().StringVar(&f.text, "text", "", "only calls with these `words` together in function, input, error or rejection, or in the request; a * behind the last lets it go on")
	completeWith(c, "decision", decisions...)
	completeFrom(c, "fn", f, func(r *sqlite.Reader, ctx context.Context) ([]string, error) { return r.Functions(ctx) })
	completeFrom(c, "run", f, func(r *sqlite.Reader, ctx context.Context) ([]string, error) { return r.NewestRuns(ctx, 50) })
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

var decisions = []string{"approve", "reject", "user", "policy", "demo", "closed", "aborted"}

func (f *logFlags) filter(now time.Time) (sqlite.Filter, error) {
	filter := sqlite.Filter{Fn: f.fn, Decision: f.decision, RunID: f.run, Text: f.text, Limit: f.limit}
	if f.decision != "" && !slices.Contains(decisions, f.decision) {
		return filter, wrongUse("--decision %q: expected one of %s", f.decision, strings.Join(decisions, ", "))
	}
	if f.limit < 0 {
		return filter, wrongUse("--limit %d: expected 0 or more", f.limit)
	}
	var err error
	if filter.Since, err = parseTime("--since", f.since, now); err != nil {
		return filter, err
	}
	filter.Until, err = parseTime("--until", f.until, now)
	return filter, err
}

// parseTime reads a point in time, or an age before now.
func parseTime(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.DateTime, "2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n < 100_000 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if age, err := time.ParseDuration(text); err == nil && age >= 0 {
		return now.Add(-age), nil
	}
	return time.Time{}, wrongUse("%s %q: expected a date (2026-11-29), a time (2026-11-29T08:00:00Z) or an age (90m, 12h, 7d)", flag, text)
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

func commandContext(c *cobra.Command) context.Context {
	if ctx := c.Context(); ctx != nil {
		return ctx
	}
	return context.Background()
}
