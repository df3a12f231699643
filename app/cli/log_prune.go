package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/faustine-ai/countersign/app/sqlite"
)

func logPruneCommand(flags *logFlags) *cobra.Command {
	command := &cobra.Command{
		Use:   "prune",
		Short: "Remove the oldest entries under a signed checkpoint",
		Long: `Remove the oldest entries under a signed checkpoint.

Nothing is ever removed by itself. This removes the entries before a time, from
the first on and only whole runs, so that it may remove less. A checkpoint that
the log's key signs takes their place, an entry says so, and the rest verifies as
before. What is removed is gone from the file as well: export it first if it may
be asked for. The app must be closed.`,
		Example: `  countersign log export --output log-2026.jsonl
  countersign log prune --before 365d`,
		Args: noArguments,
	}
	before := command.Flags().String("before", "", "remove what is older than this `time`, written as for --since (required)")
	completeWith(command, "before")
	command.RunE = func(c *cobra.Command, _ []string) (err error) {
		if *before == "" {
			return wrongUse("--before is missing: say from when on entries are kept")
		}
		until, err := readTime("before", *before, time.Now())
		if err != nil {
			return err
		}
		// Opening would make a log where there is none.
		if err := flags.withReader(func(*sqlite.Reader) error { return nil }); err != nil {
			return err
		}
		// And it would make a key where there is none, which nobody knows the log by.
		if _, err := sqlite.LoadKey(sqlite.KeyFor(flags.path())); err != nil {
			return fmt.Errorf("%w, so the checkpoint could not be signed; nothing was removed: restore the key", err)
		}
		log, err := sqlite.Open(flags.path(), sqlite.Options{})
		if err != nil {
			return plainError(err)
		}
		defer func() { err = errors.Join(err, log.Close()) }()
		pruned, err := log.Prune(commandContext(c), until)
		if err != nil {
			return plainError(err)
		}
		if pruned.Checkpoint == nil {
			_, err = fmt.Fprintln(c.OutOrStdout(), "Nothing was removed: no whole run lies before that time.")
			return err
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "Removed %d entries, up to number %d. Its hash is %s.\n", pruned.Removed, pruned.Checkpoint.Number, pruned.Checkpoint.Hash)
		return err
	}
	return command
}
