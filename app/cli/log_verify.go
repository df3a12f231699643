package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/faustine-ai/countersign/app/sqlite"
)

func logVerifyCommand(flags *logFlags) *cobra.Command {
	command := &cobra.Command{
		Use:   "verify",
		Short: "Check that no entry was changed, removed or cut off",
		Long: `Check that no entry was changed, removed or cut off.

Every entry holds the hash of the one before, and the last hash is kept outside
the log, in its anchor. The finding is one of: intact, entry changed, tail cut,
chain rewritten, anchor missing. Anything but intact exits with 1.`,
		Args: cobra.NoArgs,
	}
	format := formatFlag(command, "text", "json")
	command.RunE = func(c *cobra.Command, _ []string) error {
		if *format != "text" && *format != "json" {
			return fmt.Errorf("--format %q: expected text or json", *format)
		}
		var report sqlite.Report
		err := flags.withReader(func(r *sqlite.Reader) (err error) {
			report, err = r.Verify(commandContext(c))
			return err
		})
		if err != nil {
			return err
		}
		out := c.OutOrStdout()
		if *format == "json" {
			e := json.NewEncoder(out)
			e.SetIndent("", "  ")
			err = e.Encode(report)
		} else {
			_, err = fmt.Fprintf(out, "%s: %s\n", report.State, report.Message)
			for _, note := range report.Notes {
				if err == nil {
					_, err = fmt.Fprintln(out, "note: "+note)
				}
			}
		}
		if err != nil {
			return err
		}
		if report.State != sqlite.Intact {
			return fmt.Errorf("the log %s is not intact: %s", flags.path(), report.State)
		}
		return nil
	}
	return command
}
