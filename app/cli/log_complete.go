package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/faustine-ai/countersign/app/sqlite"
)

// completeWith lets a shell complete a flag with these words and nothing else.
func completeWith(c *cobra.Command, flag string, words ...string) {
	register(c, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// completeFile lets a shell complete a flag with files.
func completeFile(c *cobra.Command, flag string) {
	register(c, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault
	})
}

// completeFrom lets a shell complete a flag with words from the log.
func completeFrom(c *cobra.Command, flag string, f *logFlags, words func(*sqlite.Reader, context.Context) ([]string, error)) {
	register(c, flag, func(c *cobra.Command, _ []string, _ string) (found []string, _ cobra.ShellCompDirective) {
		err := f.withReader(func(r *sqlite.Reader) (err error) {
			found, err = words(r, commandContext(c))
			return err
		})
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	})
}

func register(c *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic("cli: " + err.Error()) // no such flag: a slip of ours, which any test finds
	}
}
