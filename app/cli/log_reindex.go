package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/faustine-ai/countersign/app/sqlite"
)

func logReindexCommand(flags *logFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "reindex",
		Short: "Make the search index anew, where it is damaged",
		Long: `Make the search index anew from the entries, where "log list --text" says that it
is damaged. The entries are not changed. The app must be closed.`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			// Opening would make a log where there is none.
			if err := flags.withReader(func(*sqlite.Reader) error { return nil }); err != nil {
				return err
			}
			log, err := sqlite.Open(flags.path(), sqlite.Options{})
			if err != nil {
				return plainError(err)
			}
			defer func() { err = errors.Join(err, log.Close()) }()
			if err := log.Reindex(commandContext(c)); err != nil {
				return plainError(err)
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), "The search index was made anew.")
			return err
		},
	}
}
