// Package cli is the command line. It parses and prints; what the commands do is
// handed to it.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"
)

// Program is what the commands of the app itself do.
type Program struct {
	Version string // “0.1.0”
	Engine  string // “WebKitGTK 2.50.6”, "" where it is not known

	// Open opens the app and returns when it has been closed.
	Open func(ctx context.Context) error
	// Demo plays a scene and returns when it is over; nil means that it ended as
	// it should.
	Demo func(ctx context.Context, demo Demo) error
	// SelfTest checks the isolation in the webview; nil means that all passed.
	SelfTest func(ctx context.Context, asked SelfTest) error
	// Scenes lists what Demo can play, the default first.
	Scenes func() []Scene
}

// Scene is a demo by its name.
type Scene struct{ Name, Title string }

// Root returns the whole command line of p, with further commands from elsewhere.
func Root(p Program, further ...*cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use:   "countersign",
		Short: "A desktop assistant whose changes you countersign",
		Long: `Countersign answers a request by a small program that a model writes. The
program runs in a sandbox, and what changes anything waits for your approval.

Without a command it opens the app.

Exit codes: 0 done; 1 it failed; 2 the command line is wrong; "log verify" has
more of its own.`,
		Args:          noArguments,
		SilenceUsage:  true,
		SilenceErrors: true, // main prints them
		RunE:          func(c *cobra.Command, _ []string) error { return p.Open(c.Context()) },
	}
	root.SetFlagErrorFunc(wrongFlag)
	root.PersistentPreRunE = noEmptyValues
	root.Version = p.line()
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddCommand(demoCommand(p), selfTestCommand(p), versionCommand(p))
	root.AddCommand(further...)
	onceEach(root)
	return root
}

// Execute runs the command line and returns the exit code: 0, 1 for a failure, 2
// for a wrong use of the command line, 3 for a log that is not intact, 4 for an
// export whose signer was not checked.
func Execute(ctx context.Context, root *cobra.Command, stderr io.Writer) int {
	strictHelp(root)
	command, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintln(stderr, "countersign:", err)
	var shown interface{ Show() }
	if errors.As(err, &shown) {
		shown.Show() // to who does not see that
	}
	var usage usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(stderr, "Run %q to see how it is used.\n", command.CommandPath()+" --help")
		return 2
	}
	var other differs
	if errors.As(err, &other) {
		return 3
	}
	var broken notIntact
	if errors.As(err, &broken) {
		return broken.code()
	}
	return 1
}

// line is what version prints: “countersign 0.1.0 (go1.26, linux/amd64, …)”.
func (p Program) line() string {
	line := fmt.Sprintf("countersign %s (%s, %s/%s", p.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if p.Engine != "" {
		line += ", " + p.Engine
	}
	return line + ")"
}

func versionCommand(p Program) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(c.OutOrStdout(), p.line())
			return err
		},
	}
}
