package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// Demo is what was asked of countersign demo.
type Demo struct {
	Name     string // of the scene
	Headless bool
	Decide   string    // approve, reject, first:N; "": a person decides, or all is approved when headless
	Log      string    // where to keep the log; "": nowhere
	Part     string    // which part of a demo that starts the app twice; "": the whole
	Folder   string    // of a part: where its data is
	Out      io.Writer // for the transcript
}

func demoCommand(p Program) *cobra.Command {
	var demo Demo
	var list bool
	c := &cobra.Command{
		Use:   "demo [NAME]",
		Short: "Play an offline demo through the whole path, on throw-away data",
		Long: `Play an offline demo: a recorded model answers, everything else is real: the
program runs in the sandbox of the app's own webview, calls go through the gate,
and the log has it all. It prints a transcript, what to notice, and exits with 0
only if the data and the log show that the demo ended as it should.

Without a NAME it plays the first of the list. --decide first:N approves the
first N rows and rejects the others; a card with fewer rows than N is an error,
and all of it is rejected. A demo without a card leaves nothing to decide.
Without --decide a person decides, and when there is no display what the demo is
about.

Exit codes: 0 it ended as it should; 1 it did not, or could not be played; 2 the
command line is wrong.`,
		Example: `  countersign demo
  countersign demo cancel-orders --headless --decide first:2
  countersign demo --list`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			scenes := p.Scenes()
			if list {
				if err := noArguments(c, args); err != nil {
					return err
				}
				return printScenes(c.OutOrStdout(), scenes)
			}
			if len(args) > 1 {
				return wrongUse("expected one demo, got %q", args)
			}
			if len(scenes) == 0 {
				return errors.New("this build has no demos")
			}
			demo.Name = scenes[0].Name
			if len(args) == 1 {
				demo.Name = args[0]
			}
			if !slices.ContainsFunc(scenes, func(s Scene) bool { return s.Name == demo.Name }) {
				return wrongUse("there is no demo %q; %q names those there are", demo.Name, c.CommandPath()+" --list")
			}
			demo.Out = c.OutOrStdout()
			return p.Demo(c.Context(), demo)
		},
	}
	c.Flags().BoolVar(&list, "list", false, "list the demos")
	c.Flags().BoolVar(&demo.Headless, "headless", false, "play without a display, on a virtual one (Xvfb)")
	c.Flags().StringVar(&demo.Decide, "decide", "", "decide in place of a person: approve, reject or first:N (demos only)")
	c.Flags().StringVar(&demo.Log, "db", "", "keep the log in this `FILE`")
	// For the processes that a demo starts, not for people.
	c.Flags().StringVar(&demo.Part, "part", "", "play one part of the demo")
	c.Flags().StringVar(&demo.Folder, "folder", "", "the folder of a part's data")
	c.MarkFlagsRequiredTogether("part", "folder")
	for _, hidden := range []string{"part", "folder"} {
		c.Flags().Lookup(hidden).Hidden = true
	}
	return c
}

func printScenes(out io.Writer, scenes []Scene) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, s := range scenes {
		fmt.Fprintf(table, "%s\t%s\n", s.Name, s.Title)
	}
	return table.Flush()
}
