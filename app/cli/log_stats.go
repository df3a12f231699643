package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/faustine-ai/countersign/app"
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
		write, ok := map[string]func(io.Writer, []logStats) error{
			"table": writeStatsTable, "json": writeStatsJSON, "jsonl": writeStatsLines, "csv": writeStatsCSV}[*format]
		if !ok {
			return wrongUse("--format %q: expected table, json, jsonl or csv", *format)
		}
		filter, err := flags.filter(time.Now())
		if err != nil {
			return err
		}
		return flags.withReader(func(r *sqlite.Reader) error {
			counts := map[string]*counted{}
			err := r.EachCall(commandContext(c), filter, func(found sqlite.Call) error {
				call, err := newLogCall(found)
				if err != nil {
					return err
				}
				if counts[call.Fn] == nil {
					counts[call.Fn] = &counted{logStats: logStats{Fn: call.Fn}}
				}
				counts[call.Fn].add(call)
				return nil
			})
			if err != nil {
				return err
			}
			stats := []logStats{}
			for _, fn := range slices.Sorted(maps.Keys(counts)) {
				stats = append(stats, counts[fn].stats())
			}
			return write(c.OutOrStdout(), stats)
		})
	}
	return command
}

// logStats are the counts of one function. Times are medians in milliseconds; 0
// where there was none.
type logStats struct {
	Fn       string         `json:"fn"` // "": attempts that named none
	Calls    int            `json:"calls"`
	Approved int            `json:"approved"`
	Rejected int            `json:"rejected"`
	By       map[string]int `json:"by"`       // decider → decisions
	Outcomes map[string]int `json:"outcomes"` // outcome → calls
	WaitedMs float64        `json:"waitedMs"`
	Ms       float64        `json:"ms"`
}

type counted struct {
	logStats
	waited, took []float64
}

func (s *counted) add(c logCall) {
	if s.By == nil {
		s.By, s.Outcomes = map[string]int{}, map[string]int{}
	}
	s.Calls++
	s.Outcomes[string(c.Outcome)]++
	if d := c.Decision; d != nil {
		s.By[string(d.By)]++
		s.waited = append(s.waited, float64(d.WaitedMs))
		if d.Verdict == app.Approve {
			s.Approved++
		} else {
			s.Rejected++
		}
	}
	if c.Outcome == sqlite.OK || c.Outcome == sqlite.Failed {
		s.took = append(s.took, c.Ms)
	}
}

func (s *counted) stats() logStats {
	s.WaitedMs, s.Ms = median(s.waited), median(s.took)
	return s.logStats
}

func median(times []float64) float64 {
	if len(times) == 0 {
		return 0
	}
	slices.SortFunc(times, cmp.Compare[float64])
	return times[len(times)/2]
}

var (
	statsHead     = []string{"function", "calls", "approved", "rejected", "ok", "error", "refused", "waiting", "not_run", "unknown", "waited_ms", "ms"}
	statsOutcomes = [][]sqlite.Outcome{{sqlite.OK}, {sqlite.Failed}, {sqlite.Refused}, {sqlite.Waiting}, {sqlite.Approved}, {sqlite.Unknown}}
)

func (s logStats) cells() []string {
	row := []string{s.Fn, strconv.Itoa(s.Calls), strconv.Itoa(s.Approved), strconv.Itoa(s.Rejected)}
	for _, outcomes := range statsOutcomes {
		n := 0
		for _, o := range outcomes {
			n += s.Outcomes[string(o)]
		}
		row = append(row, strconv.Itoa(n))
	}
	return append(row, strconv.FormatFloat(s.WaitedMs, 'f', -1, 64), strconv.FormatFloat(s.Ms, 'f', -1, 64))
}

func writeStatsTable(w io.Writer, stats []logStats) error {
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
		t.AppendRow(row(s.cells()))
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

func writeStatsJSON(w io.Writer, stats []logStats) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(stats)
}

func writeStatsLines(w io.Writer, stats []logStats) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, s := range stats {
		if err := e.Encode(s); err != nil {
			return err
		}
	}
	return nil
}

func writeStatsCSV(w io.Writer, stats []logStats) error {
	rows := [][]string{slices.Clone(statsHead)}
	for _, s := range stats {
		rows = append(rows, s.cells())
	}
	return writeRows(w, rows)
}
