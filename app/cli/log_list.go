package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

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
		write, ok := map[string]func(io.Writer, []logCall) error{
			"table": writeTable, "json": writeJSON, "jsonl": writeJSONLines, "csv": writeCSV}[*format]
		if !ok {
			return wrongUse("--format %q: expected table, json, jsonl or csv", *format)
		}
		filter, err := flags.filter(time.Now())
		if err != nil {
			return err
		}
		return flags.withReader(func(r *sqlite.Reader) error {
			found, err := r.Calls(commandContext(c), filter)
			if err != nil {
				return err
			}
			calls, err := newLogCalls(found)
			if err != nil {
				return err
			}
			return write(c.OutOrStdout(), calls)
		})
	}
	return command
}

func newLogCalls(found []sqlite.Call) ([]logCall, error) {
	calls := make([]logCall, len(found))
	for i, c := range found {
		var err error
		if calls[i], err = newLogCall(c); err != nil {
			return nil, err
		}
	}
	return calls, nil
}

const (
	tableInput = 60 // characters of an input in the table; show has all of it
	tableRun   = 13
)

func writeTable(w io.Writer, calls []logCall) error {
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
			short(visible(c.input(), false), tableInput), c.decision(), visible(c.outcome(), false)})
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

func (c logCall) input() string {
	if c.Input == nil {
		return ""
	}
	return c.Input.String()
}

func writeJSON(w io.Writer, calls []logCall) error {
	if calls == nil {
		calls = []logCall{}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(calls)
}

func writeJSONLines(w io.Writer, calls []logCall) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, c := range calls {
		if err := e.Encode(c); err != nil {
			return err
		}
	}
	return nil
}

func writeCSV(w io.Writer, calls []logCall) error {
	rows := [][]string{{"id", "at", "run", "call", "seq", "function", "input", "verdict", "by", "reason", "waited_ms", "outcome", "value", "error", "ms"}}
	for _, c := range calls {
		d := logDecision{}
		waited := ""
		if c.Decision != nil {
			d, waited = *c.Decision, strconv.FormatInt(c.Decision.WaitedMs, 10)
		}
		failure := ""
		if c.Error != nil {
			failure = c.Error.Name + ": " + c.Error.Message
		}
		ms := ""
		if c.Outcome == sqlite.OK || c.Outcome == sqlite.Failed {
			ms = strconv.FormatFloat(c.Ms, 'f', -1, 64)
		}
		rows = append(rows, []string{strconv.FormatInt(c.ID, 10), c.At, c.RunID, c.CallID, strconv.Itoa(c.Seq), c.Fn, c.input(),
			string(d.Verdict), string(d.By), d.Reason, waited, string(c.Outcome), c.Value.String(), failure, ms})
	}
	return writeRows(w, rows)
}

// writeRows writes a head and rows as CSV, without formulas.
func writeRows(w io.Writer, rows [][]string) error {
	out := csv.NewWriter(w)
	for i, row := range rows {
		for j := range row {
			if i > 0 {
				row[j] = noFormula(row[j])
			}
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// noFormula keeps a spreadsheet from running a cell: a leading apostrophe makes
// it text. The last four are full-width forms that some programs take as well. A
// cell with an apostrophe of its own gets another, so that taking one away always
// gives back what was there.
func noFormula(cell string) string {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(cell, " "))
	if strings.ContainsRune("'=+-@\t\r\n＝＋－＠", first) && cell != "" {
		return "'" + cell
	}
	return cell
}
