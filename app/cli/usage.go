package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usageError is a mistake in the command line itself: exit code 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// WrongUse marks an error as a mistake in the command line, for what is checked
// outside this package. nil stays nil.
func WrongUse(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

func wrongUse(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// wrongFlag says what is wrong with a flag in our words; the library's quote the
// Go function that failed.
func wrongFlag(_ *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return usageError{err}
	}
	if errors.Is(err, errTwice) {
		return wrongUse("--%s is given twice, the second time as %q: expected it once", invalid.GetFlag().Name, invalid.GetValue())
	}
	expected := map[string]string{"int": "a whole number", "bool": "true or false"}[invalid.GetFlag().Value.Type()]
	if expected == "" {
		return usageError{err}
	}
	return wrongUse("--%s %q: expected %s", invalid.GetFlag().Name, invalid.GetValue(), expected)
}

// once is a flag's value that is set once: of two the last would hold, and the
// first choose nothing without a word. The same again says nothing new, and comes
// of the library, which reads a line twice to complete it.
type once struct {
	pflag.Value
	set *string
}

var errTwice = errors.New("given twice")

// Set sets the value; the error is errTwice when it was set to another before.
func (o *once) Set(text string) error {
	if o.set != nil && *o.set != text {
		return errTwice
	}
	o.set = &text
	return o.Value.Set(text)
}

// onceEach lets each flag of a command, and of those below it, be given once.
func onceEach(c *cobra.Command) {
	for _, flags := range []*pflag.FlagSet{c.LocalNonPersistentFlags(), c.PersistentFlags()} {
		flags.VisitAll(func(f *pflag.Flag) { f.Value = &once{Value: f.Value} })
	}
	for _, below := range c.Commands() {
		onceEach(below)
	}
}

// strictHelp lets the commands that the library adds refuse what is wrong as ours do.
func strictHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, command := range root.Commands() {
		switch command.Name() {
		case "help":
			command.Args = nameOfCommand
		case "completion":
			strict(command)
		}
	}
}

// strict makes a command of the library's, and those below it, refuse arguments in
// our words.
func strict(c *cobra.Command) {
	c.Args = noArguments
	if !c.Runnable() {
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	for _, below := range c.Commands() {
		strict(below)
	}
}

// nameOfCommand wants arguments that name a command, or none.
func nameOfCommand(c *cobra.Command, args []string) error {
	_, rest, err := c.Root().Find(args)
	if err != nil {
		return usageError{err}
	}
	if len(rest) > 0 {
		return wrongUse("unknown command %q", rest[0])
	}
	return nil
}

// noEmptyValues refuses --flag "", and blanks alone: it comes from a shell variable that is not set,
// and would otherwise mean the same as no flag: another log, or all approved.
func noEmptyValues(c *cobra.Command, _ []string) error {
	var empty error
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && strings.TrimSpace(f.Value.String()) == "" && empty == nil {
			empty = wrongUse("--%s is empty: give it a value, or leave it out", f.Name)
		}
	})
	return empty
}

func noArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	what := "unexpected argument"
	if c.HasSubCommands() {
		what = "unknown command"
	}
	return wrongUse("%s %q", what, args[0])
}

func oneArgument(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return wrongUse("expected one argument, got %d", len(args))
	}
	return nil
}
