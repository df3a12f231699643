package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/review"
	"github.com/faustine-ai/countersign/app/sqlite"
	"github.com/faustine-ai/countersign/app/value"
)

func logShowCommand(flags *logFlags) *cobra.Command {
	command := &cobra.Command{
		Use:   "show ID",
		Short: "Show one call, or a run with its request, program and calls",
		Long: `Show one call, or a run with its request, program and calls.

ID is a number from "log list", the id of a run (or its beginning; digits alone
want a * behind them), or the id of a call. Nothing is cut.`,
		Args: oneArgument,
	}
	format := formatFlag(command, "text", "json")
	command.RunE = func(c *cobra.Command, args []string) error {
		if *format != "text" && *format != "json" {
			return wrongUse("--format %q: expected text or json", *format)
		}
		return flags.withReader(func(r *sqlite.Reader) error {
			if err := warn(c, r); err != nil {
				return err
			}
			found, err := find(commandContext(c), r, args[0])
			if err != nil {
				return err
			}
			if *format == "json" {
				e := json.NewEncoder(c.OutOrStdout())
				e.SetIndent("", "  ")
				e.SetEscapeHTML(false)
				return e.Encode(found)
			}
			return found.write(c.OutOrStdout())
		})
	}
	return command
}

// shown is what show prints: a run, or some calls of it.
type shown struct {
	Run     *app.RunBeganBody `json:"run,omitempty"`
	Ended   *app.RunEndedBody `json:"ended,omitempty"`
	Calls   []review.Call     `json:"calls"`
	Entries []app.Entry       `json:"entries"`
	whole   bool              // a run, rather than one call
}

func find(ctx context.Context, r *sqlite.Reader, id string) (*shown, error) {
	chosen, err := choose(ctx, r, id)
	if err != nil {
		return nil, err
	}
	filter := sqlite.Filter{RunID: chosen.RunID}
	if chosen.RunID == "" {
		filter.Number = chosen.Number // an attempt that belongs to no run
	}
	entries, err := r.Entries(ctx, filter)
	if err != nil {
		return nil, err
	}
	out := &shown{whole: chosen.CallID == ""}
	for _, e := range entries {
		switch e.Kind {
		case app.RunBegan:
			out.Run = &app.RunBeganBody{}
			err = json.Unmarshal(e.Body, out.Run)
		case app.RunEnded:
			out.Ended = &app.RunEndedBody{}
			err = json.Unmarshal(e.Body, out.Ended)
		}
		if err != nil {
			return nil, fmt.Errorf("entry %d cannot be read: %w", e.Number, err)
		}
		if out.whole || e.CallID == chosen.CallID {
			out.Entries = append(out.Entries, e)
		}
	}
	filter.CallID = chosen.CallID
	found, err := r.Calls(ctx, filter)
	if err != nil {
		return nil, err
	}
	for _, each := range found {
		call, err := review.NewCall(each)
		if err != nil {
			return nil, err
		}
		out.Calls = append(out.Calls, call)
	}
	return out, nil
}

// choose finds the entry that an id of the command line means.
func choose(ctx context.Context, r *sqlite.Reader, id string) (app.Entry, error) {
	var found []app.Entry
	if number, err := strconv.ParseInt(id, 10, 64); err == nil && strconv.FormatInt(number, 10) == id {
		// Never a run as well, whose id begins with the same digits: it is another one.
		return numbered(ctx, r, number)
	}
	begin := strings.TrimSuffix(strings.TrimSuffix(id, "…"), "*")
	if begin != "" && !strings.Contains(begin, "*") {
		filters := []sqlite.Filter{{RunID: begin + "*"}}
		if begin == id {
			filters = append(filters, sqlite.Filter{CallID: id})
		}
		for _, filter := range filters {
			entries, err := r.Entries(ctx, filter)
			if err != nil {
				return app.Entry{}, err
			}
			for _, e := range entries { // one for each run
				if filter.CallID == "" && e.Kind == app.RunBegan || filter.CallID != "" && (len(found) == 0 || found[len(found)-1].RunID != e.RunID) {
					found = append(found, e)
				}
			}
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return app.Entry{}, fmt.Errorf("nothing in the log has the id %q; `countersign log list` shows ids", id)
	}
	var names []string
	for _, e := range found {
		names = append(names, fmt.Sprintf("%d (run %s)", e.Number, visible(e.RunID, false)))
	}
	return app.Entry{}, fmt.Errorf("%q may mean several: use the number: %s", id, short(strings.Join(names, ", "), 400))
}

// numbered is the entry of a number.
func numbered(ctx context.Context, r *sqlite.Reader, number int64) (app.Entry, error) {
	found, err := r.Entries(ctx, sqlite.Filter{Number: number})
	if err != nil {
		return app.Entry{}, err
	}
	if number > 0 && len(found) == 1 {
		return found[0], nil
	}
	return app.Entry{}, fmt.Errorf("nothing in the log has the number %d; `countersign log list` shows numbers, and %d* is a run whose id begins so", number, number)
}

func (s *shown) write(w io.Writer) error {
	var b strings.Builder
	first := s.Entries[0]
	fmt.Fprintf(&b, "Run       %s\n", visible(first.RunID, false))
	if s.Run != nil {
		fmt.Fprintf(&b, "Request   %s\n", visible(s.Run.Request, true))
		fmt.Fprintf(&b, "Model     %s\n", visible(s.Run.Model, false))
	}
	if s.whole {
		fmt.Fprintf(&b, "Time      %s\n", local(first.At))
		s.writeEnd(&b)
		if s.Run != nil {
			fmt.Fprintf(&b, "Program\n%s\n", indent(visible(s.Run.Code, true)))
		}
	}
	for _, c := range s.Calls {
		b.WriteByte('\n')
		writeCall(&b, c)
	}
	if len(s.Calls) == 0 && s.Run == nil {
		for _, e := range s.Entries {
			fmt.Fprintf(&b, "\nEntry     %d, %s\n%s\n", e.Number, e.Kind, indent(visible(string(e.Body), true)))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *shown) writeEnd(b *strings.Builder) {
	if s.Ended == nil {
		b.WriteString("Status    not ended\n")
		return
	}
	fmt.Fprintf(b, "Status    %s\n", s.Ended.Status)
	if e := s.Ended.Error; e != nil {
		fmt.Fprintf(b, "Error     %s: %s\n", visible(e.Name, false), visible(e.Message, true))
	}
	if len(s.Ended.Unknown) > 0 {
		fmt.Fprintf(b, "Unknown   %s\n", visible(strings.Join(s.Ended.Unknown, ", "), false))
	}
}

func writeCall(b *strings.Builder, c review.Call) {
	fmt.Fprintf(b, "Call      %d  %s", c.ID, visible(c.Fn, false))
	if c.CallID != "" {
		fmt.Fprintf(b, "  (call %d, %s)", c.Seq, visible(c.CallID, false))
	}
	fmt.Fprintf(b, "\nAt        %s\n", localOf(c.At))
	if c.Input != nil {
		fmt.Fprintf(b, "Input\n%s\n", indent(visible(value.Pretty(c.Input), true)))
	}
	if d := c.Decision; d != nil {
		fmt.Fprintf(b, "Decision  %s after %d ms", c.DecisionWords(), d.WaitedMs)
		if d.Shown != "" {
			fmt.Fprintf(b, ", shown as “%s”", visible(d.Shown, false))
		}
		b.WriteByte('\n')
		if d.Reason != "" {
			fmt.Fprintf(b, "Reason    %s\n", visible(d.Reason, true))
		}
	}
	fmt.Fprintf(b, "Outcome   %s", c.Outcome)
	if c.Outcome == sqlite.Rejected && c.Decision == nil {
		b.WriteString(": its run ended before it was decided")
	}
	if c.Outcome == sqlite.Unknown {
		b.WriteString(": it had started, and nobody knows whether it took effect")
	}
	if c.Ran() {
		fmt.Fprintf(b, " after %g ms", c.Ms)
	}
	b.WriteByte('\n')
	if n := c.Noted; n != nil {
		fmt.Fprintf(b, "Noted     %s, at %s", review.FindingWords(n.Finding)[len("noted: "):], localOf(n.At))
		if n.Reason != "" {
			fmt.Fprintf(b, ": %s", visible(n.Reason, true))
		}
		b.WriteByte('\n')
	}
	if c.Error != nil {
		fmt.Fprintf(b, "Error     %s: %s\n", visible(c.Error.Name, false), visible(c.Error.Message, true))
	}
	if c.Outcome == sqlite.OK {
		fmt.Fprintf(b, "Result\n%s\n", indent(visible(value.Pretty(c.Value), true)))
	}
}

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }
