package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/faustine-ai/countersign/app/docs"
)

func logFormatCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "format",
		Short: "Print how exports are written and checked without this program",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(c.OutOrStdout(), docs.LogFormat)
			return err
		},
	}
}
