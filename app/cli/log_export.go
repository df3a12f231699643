package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/faustine-ai/countersign/app/review"
	"github.com/faustine-ai/countersign/app/sqlite"
)

func logExportCommand(flags *logFlags) *cobra.Command {
	command := &cobra.Command{
		Use:   "export",
		Short: "Write the log's entries, so that they verify without the log",
		Long: `Write the log's entries, so that they verify without the log.

jsonl and json hold every entry as it was hashed, the hash before it, and a
signature at the end: "log verify --export" checks them anywhere, and "log format"
prints how to do so without this program. The signature wants the log's key;
where that is missing nothing is written unless --unsigned is given. csv has the chain's
hashes too, but is for reading: cells that a spreadsheet would take for a formula
begin with '.

Filters choose calls, as for "log list": every entry of each is exported, and what
tells of the runs they belong to. That still verifies, but nothing says what lies
between.`,
		Example: `  countersign log export --output log.jsonl
  countersign log export --since 30d --format csv > month.csv`,
		Args: noArguments,
	}
	flags.filterFlags(command)
	format := formatFlag(command, "jsonl", "json", "csv")
	output := command.Flags().String("output", "", "write to this `file`, which must not exist (- or none: standard output)")
	unsigned := command.Flags().Bool("unsigned", false, "write jsonl or json also where the key is missing, without a signature")
	completeFile(command, "output")
	command.RunE = func(c *cobra.Command, _ []string) error {
		begin, ok := map[string]func(io.Writer) review.EntryWriter{"jsonl": review.JSONLines, "json": review.JSONList, "csv": review.EntriesCSV}[*format]
		if !ok {
			return wrongUse("--format %q: expected jsonl, json or csv", *format)
		}
		filter, err := flags.filter(time.Now())
		if err != nil {
			return err
		}
		if *format != "csv" {
			if err := flags.mustSign(c.ErrOrStderr(), *unsigned); err != nil {
				return err
			}
		}
		return flags.withCatalog(commandContext(c), func(catalog *sqlite.Catalog) error {
			if err := warn(c, catalog.Log()); err != nil {
				return err
			}
			if chosen, err := catalog.Numbers(commandContext(c), filter, 0, 1); err != nil {
				return err
			} else if len(chosen) == 0 {
				if err := flags.noteUnknown(c, catalog); err != nil {
					return err
				}
			}
			return into(c.OutOrStdout(), *output, func(w io.Writer) error {
				out := begin(w)
				if err := catalog.Export(commandContext(c), filter, out.Line); err != nil {
					return err
				}
				return out.End()
			})
		})
	}
	return command
}

// mustSign refuses to export what nobody could check, unless that was asked for.
func (f *logFlags) mustSign(stderr io.Writer, unsigned bool) error {
	if _, err := os.Stat(f.path()); err != nil {
		return nil // that there is no log is said better where it is opened
	}
	_, err := sqlite.LoadKey(sqlite.KeyFor(f.path()))
	if err == nil {
		return nil
	}
	if !errors.Is(err, sqlite.ErrNoKey) {
		return err
	}
	if !unsigned {
		return fmt.Errorf("%w, so the export could not be signed and nobody could check it; nothing was written: restore the key, or export with --unsigned", err)
	}
	_, err = fmt.Fprintf(stderr, "countersign: warning: %v; the export is not signed, and verifying it will say so\n", err)
	return err
}

// into writes to a new 0600 file, or to standard output. A file that could not be
// written whole is removed: nobody shall take half of a log for all of it.
func into(stdout io.Writer, path string, write func(io.Writer) error) error {
	var file *os.File
	if path != "" && path != "-" {
		var err error
		file, err = os.OpenFile(filepath.Clean(path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s exists, and is left as it is: name a new file, or move that one aside", path)
		}
		if err != nil {
			return err
		}
		stdout = file
	}
	buffered := bufio.NewWriterSize(stdout, 1<<16)
	err := write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if file == nil {
		return err
	}
	if err = errors.Join(err, file.Close()); err != nil {
		err = errors.Join(err, os.Remove(file.Name()))
	}
	return err
}
