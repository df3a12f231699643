package cli

import (
	"io"

	"github.com/spf13/cobra"
)

// SelfTest is what was asked of countersign selftest.
type SelfTest struct {
	Headless bool
	JSON     bool      // one object at the end in place of lines
	Out      io.Writer // for the results
}

func selfTestCommand(p Program) *cobra.Command {
	var asked SelfTest
	c := &cobra.Command{
		Use:   "selftest",
		Short: "Check the isolation in this machine's own webview",
		Long: `Check the isolation in this machine's own webview: programs that try to get out
run in the sandbox of the app's own window, with the app's bridge, gate and log
on throw-away data. Each result says what was claimed, what was tried and what
the engine answered; $ is the address of a server of the self-test's own, which
nothing may reach. Long texts are cut; --json has them whole.

Exit codes: 0 every check passed; 1 one did not, or could not be made; 2 the
command line is wrong.`,
		Example: `  countersign selftest
  countersign selftest --headless --json`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			asked.Out = c.OutOrStdout()
			return p.SelfTest(c.Context(), asked)
		},
	}
	c.Flags().BoolVar(&asked.Headless, "headless", false, "run without a display, on a virtual one (Xvfb)")
	c.Flags().BoolVar(&asked.JSON, "json", false, "print one JSON object")
	return c
}
