package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/review"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// differs is that a log does not go on from a head; it has the exit code of a log
// that is not intact.
type differs struct{ text string }

func (d differs) Error() string { return d.text }

func logHeadCommand(flags *logFlags) *cobra.Command {
	command := &cobra.Command{
		Use:   "head",
		Short: "Print the last entry's number and hash, to note down; or compare with one that was",
		Long: `Print the last entry's number and hash, to note down; or compare with one that was.

The hash of the last entry stands for the whole log up to it. Note it where nobody
who can reach this computer can change it. With --compare the log is compared with
a head that was noted, or with the last line of an export; exits with 3 when the
log does not go on from it.`,
		Example: `  countersign log head
  countersign log head --compare "1042 $HASH"    # all 64 digits of it`,
		Args: noArguments,
	}
	format := formatFlag(command, "text", "json")
	text := command.Flags().String("compare", "", "compare with this `head`: a number and a hash, or the last line of an export")
	completeWith(command, "compare")
	command.RunE = func(c *cobra.Command, _ []string) error {
		if *format != "text" && *format != "json" {
			return wrongUse("--format %q: expected text or json", *format)
		}
		return flags.withReader(func(r *sqlite.Reader) error {
			if err := warn(c, r); err != nil {
				return err
			}
			if *text == "" {
				note, err := review.NoteHead(commandContext(c), r)
				if err != nil {
					return err
				}
				return tell(c, *format, note, note.Text)
			}
			found, err := review.Compare(commandContext(c), r, *text)
			if app.CodeOf(err) == app.BadRequest {
				return wrongUse("--compare %q: %v", short(*text, 80), plainError(err))
			}
			if err != nil {
				return err
			}
			if err := tell(c, *format, found, found.Finding+": "+found.Text); err != nil {
				return err
			}
			if found.Weight != "good" {
				return differs{fmt.Sprintf("%s: %s", flags.path(), found.Finding)}
			}
			return nil
		})
	}
	return command
}

func tell(c *cobra.Command, format string, value any, line string) error {
	if format == "json" {
		e := json.NewEncoder(c.OutOrStdout())
		e.SetIndent("", "  ")
		return e.Encode(value)
	}
	_, err := fmt.Fprintln(c.OutOrStdout(), visible(line, false))
	return err
}
