package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/faustine-ai/countersign/app/review"
	"github.com/faustine-ai/countersign/app/sqlite"
)

func logListCommand(flags *logFlags) *cobra.Command {
	command := &cobra.Command{
		Use:   "list",
		Short: "List calls, with who decided and how they ended",
		Long: `List calls, oldest first, with who decided and how they ended.

"outcome unknown" is a call that had started when the app ended: nobody knows
whether it took effect, and it is never run again by itself. A refused call did
not run. Cells of csv that a spreadsheet would take for a formula begin with '.`,
		Example: `  countersign log list --since 7d --decision reject
  countersign log list --fn 'orders.*' --format csv`,
		Args: noArguments,
	}
	flags.filterFlags(command)
	format := formatFlag(command, "table", "json", "jsonl", "csv")
	command.RunE = func(c *cobra.Command, _ []string) error {
		write, ok := map[string]func(io.Writer, []review.Call) error{
			"table": writeTable, "json": writeJSON[review.Call], "jsonl": writeJSONLines[review.Call], "csv": writeCSV}[*format]
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
			calls := []review.Call{}
			err := catalog.EachCall(commandContext(c), filter, func(found sqlite.Call) error {
				call, err := review.NewCall(found)
				calls = append(calls, call)
				return err
			})
			if err != nil {
				return err
			}
			if len(calls) == 0 {
				if err := flags.noteUnknown(c, catalog); err != nil {
					return err
				}
			}
			return write(c.OutOrStdout(), calls)
		})
	}
	return command
}

const (
	tableInput = 60 // characters of an input in the table; show has all of it
	tableRun   = 13
)

func writeTable(w io.Writer, calls []review.Call) error {
	if len(calls) == 0 {
		_, err := fmt.Fprintln(w, "No calls.")
		return err
	}
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options.SeparateRows = false
	t.AppendHeader(table.Row{"ID", "Time", "Run", "Function", "Input", "Decision", "Outcome"})
	for _, c := range calls {
		t.AppendRow(table.Row{c.ID, localOf(c.At), short(visible(c.RunID, false), tableRun), visible(c.Fn, false),
			short(visible(inputOf(c), false), tableInput), c.DecisionWords(), visible(c.OutcomeWords(), false)})
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

func inputOf(c review.Call) string {
	if c.Input == nil {
		return ""
	}
	return c.Input.String()
}

func writeCSV(w io.Writer, calls []review.Call) error {
	out, err := review.NewCallsCSV(w)
	if err != nil {
		return err
	}
	for _, c := range calls {
		if err := out.Add(c); err != nil {
			return err
		}
	}
	return out.End()
}
