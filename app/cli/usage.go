package cli

import (
	"errors"
	"fmt"

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
	expected := map[string]string{"int": "a whole number", "bool": "true or false"}[invalid.GetFlag().Value.Type()]
	if expected == "" {
		return usageError{err}
	}
	return wrongUse("--%s %q: expected %s", invalid.GetFlag().Name, invalid.GetValue(), expected)
}

// noEmptyValues refuses --flag "": it comes from a shell variable that is not set,
// and would otherwise mean the same as no flag: another log, or all approved.
func noEmptyValues(c *cobra.Command, _ []string) error {
	var empty error
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" && empty == nil {
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
