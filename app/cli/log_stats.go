package cli

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/faustine-ai/countersign/app/review"
	"github.com/faustine-ai/countersign/app/sqlite"
)

func logStatsCommand(flags *logFlags) *cobra.Command {
	command := &cobra.Command{
		Use:   "stats",
		Short: "Count calls by function, decision and outcome",
		Long: `Count calls by function, decision and outcome, and say how long people took.

One row per function: its calls, how many a person or a rule approved and
rejected, how they ended, and the middle of the times that decisions and
executions took, in milliseconds. "unknown" are calls that had started when the
app ended.`,
		Args: noArguments,
	}
	flags.filterFlags(command)
	format := formatFlag(command, "table", "json", "jsonl", "csv")
	command.RunE = func(c *cobra.Command, _ []string) error {
		write, ok := map[string]func(io.Writer, []review.FunctionStats) error{
			"table": writeStatsTable, "json": writeJSON[review.FunctionStats], "jsonl": writeJSONLines[review.FunctionStats], "csv": writeStatsCSV}[*format]
		if !ok {
			return wrongUse("--format %q: expected table, json, jsonl or csv", *format)
		}
		filter, err := flags.filter(time.Now())
		if err != nil {
			return err
		}
		return flags.withCatalog(commandContext(c), func(catalog *sqlite.Catalog) error {
			if err := warn(c, catalog.Log()); err != nil {
				return err
			}
			stats, err := review.Count(commandContext(c), catalog, filter)
			if err != nil {
				return err
			}
			if len(stats.Functions) == 0 {
				if err := flags.noteUnknown(c, catalog); err != nil {
					return err
				}
			}
			return write(c.OutOrStdout(), stats.Functions)
		})
	}
	return command
}

var (
	statsHead     = []string{"function", "calls", "approved", "rejected", "ok", "error", "refused", "waiting", "not_run", "unknown", "waited_ms", "ms"}
	statsOutcomes = [][]sqlite.Outcome{{sqlite.OK}, {sqlite.Failed}, {sqlite.Refused}, {sqlite.Waiting}, {sqlite.Approved}, {sqlite.Unknown}}
)

func statsCells(s review.FunctionStats) []string {
	row := []string{s.Fn, strconv.FormatInt(s.Calls, 10), strconv.FormatInt(s.Approved, 10), strconv.FormatInt(s.Rejected, 10)}
	for _, outcomes := range statsOutcomes {
		n := int64(0)
		for _, o := range outcomes {
			n += s.Outcomes[string(o)]
		}
		row = append(row, strconv.FormatInt(n, 10))
	}
	return append(row, strconv.FormatFloat(s.WaitedMs, 'f', -1, 64), strconv.FormatFloat(s.Ms, 'f', -1, 64))
}

func writeStatsTable(w io.Writer, stats []review.FunctionStats) error {
	if len(stats) == 0 {
		_, err := fmt.Fprintln(w, "No calls.")
		return err
	}
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	row := func(cells []string) table.Row {
		out := table.Row{}
		for _, cell := range cells {
			out = append(out, visible(cell, false))
		}
		return out
	}
	t.AppendHeader(row([]string{"Function", "Calls", "Approved", "Rejected", "OK", "Error", "Refused", "Waiting", "Not run", "Unknown", "Waited ms", "Took ms"}))
	for _, s := range stats {
		t.AppendRow(row(statsCells(s)))
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

func writeStatsCSV(w io.Writer, stats []review.FunctionStats) error {
	out := csv.NewWriter(w)
	if err := out.Write(statsHead); err != nil {
		return err
	}
	for _, s := range stats {
		if err := out.Write(review.NoFormulas(statsCells(s))); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
