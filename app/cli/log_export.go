package cli

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

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

Filters choose entries rather than calls. What is exported then still verifies,
but nothing says what lies between.`,
		Example: `  countersign log export --output log.jsonl
  countersign log export --since 30d --format csv > month.csv`,
		Args: noArguments,
	}
	flags.filterFlags(command)
	format := formatFlag(command, "jsonl", "json", "csv")
	output := command.Flags().String("output", "", "write to this `file`, which must not exist (default standard output)")
	unsigned := command.Flags().Bool("unsigned", false, "write jsonl or json also where the key is missing, without a signature")
	completeFile(command, "output")
	command.RunE = func(c *cobra.Command, _ []string) error {
		begin, ok := map[string]func(io.Writer) entryWriter{"jsonl": jsonLinesExport, "json": jsonExport, "csv": csvExport}[*format]
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
		return flags.withReader(func(r *sqlite.Reader) error {
			return into(c.OutOrStdout(), *output, func(w io.Writer) error {
				out := begin(w)
				if err := r.Export(commandContext(c), filter, out.line); err != nil {
					return err
				}
				return out.end()
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
	if path != "" {
		var err error
		if file, err = os.OpenFile(filepath.Clean(path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
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

// entryWriter takes the lines of an export.
type entryWriter struct {
	line func(text []byte) error
	end  func() error
}

func jsonLinesExport(w io.Writer) entryWriter {
	return entryWriter{
		line: func(text []byte) error {
			_, err := w.Write(append(text, '\n'))
			return err
		},
		end: func() error { return nil },
	}
}

// jsonExport writes the same lines as members of a list.
func jsonExport(w io.Writer) entryWriter {
	before := "[\n"
	return entryWriter{
		line: func(text []byte) error {
			_, err := io.WriteString(w, before+string(text))
			before = ",\n"
			return err
		},
		end: func() error {
			_, err := io.WriteString(w, "\n]\n")
			return err
		},
	}
}

func csvExport(w io.Writer) entryWriter {
	out := csv.NewWriter(w)
	first := true
	return entryWriter{
		line: func(text []byte) error {
			if first { // the head of the export becomes the head of the table
				first = false
				return out.Write([]string{"number", "at", "kind", "run", "call", "seq", "function", "body", "previous", "hash"})
			}
			var e struct {
				End                     bool
				Number                  int64
				At, Kind, RunID, CallID string
				Seq                     int
				Fn                      string
				Body                    json.RawMessage
				Previous, Hash          string
			}
			if err := json.Unmarshal(text, &e); err != nil || e.End {
				return err
			}
			row := []string{strconv.FormatInt(e.Number, 10), e.At, e.Kind, e.RunID, e.CallID, strconv.Itoa(e.Seq), e.Fn, string(e.Body), e.Previous, e.Hash}
			for i := range row {
				row[i] = noFormula(row[i])
			}
			return out.Write(row)
		},
		end: func() error {
			out.Flush()
			return out.Error()
		},
	}
}
