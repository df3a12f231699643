package cli

import (
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/faustine-ai/countersign/app/review"
	"github.com/faustine-ai/countersign/app/sqlite"
)

// notIntact is what verify found; it has an exit code of its own.
type notIntact struct {
	what  string
	state sqlite.State
}

// code is the exit code.
func (n notIntact) code() int {
	if n.state == sqlite.Consistent {
		return 4
	}
	return 3
}

func (n notIntact) Error() string {
	if n.state == sqlite.Consistent {
		return n.what + " is consistent in itself; whose signature it is was not checked: give the key with --key"
	}
	return fmt.Sprintf("%s is not intact: %s", n.what, n.state)
}

func logVerifyCommand(flags *logFlags) *cobra.Command {
	command := &cobra.Command{
		Use:   "verify",
		Short: "Check that no entry was changed, removed or cut off",
		Long: `Check that no entry was changed, removed or cut off.

Every entry holds the hash of the one before, and the last hash is kept outside
the log, in its anchor. The finding is one of: intact, entry changed, tail cut,
chain rewritten, anchor missing. Anything but intact exits with 3.

With --export a file of "log export" is checked instead, and no log is needed.
Its signature is then the anchor; --key names the public key that must have made
it, as verify prints it where the log is. Without --key the finding is at best
"consistent in itself" and exits with 4: whoever rewrites an export can sign it
with a key of their own.`,
		Example: `  countersign log verify
  countersign log verify --export log.jsonl --key 8f3c…`,
		Args: noArguments,
	}
	format := formatFlag(command, "text", "json")
	export := command.Flags().String("export", "", "check this `file` of \"log export\" (- for standard input)")
	key := command.Flags().String("key", "", "the public `key` that must have signed the export")
	completeFile(command, "export")
	completeWith(command, "key")
	command.RunE = func(c *cobra.Command, _ []string) error {
		if *format != "text" && *format != "json" {
			return wrongUse("--format %q: expected text or json", *format)
		}
		if *key != "" && *export == "" {
			return wrongUse("--key is for --export")
		}
		if sum, err := hex.DecodeString(*key); *key != "" && (err != nil || len(sum) != ed25519.PublicKeySize) {
			return wrongUse("--key %q: expected 64 hex digits, as verify prints them where the log is", *key)
		}
		what, report, err := "the log "+flags.path(), sqlite.Report{}, error(nil)
		if *export != "" {
			what = "the export " + *export
			report, err = verifyExport(c.InOrStdin(), *export, *key)
		} else if report, err = sqlite.VerifyGone(flags.path()); err == nil && report.State == "" {
			err = flags.withReader(func(r *sqlite.Reader) (err error) {
				report, err = r.Verify(commandContext(c))
				return err
			})
		}
		if err != nil {
			return err
		}
		if err := writeReport(c.OutOrStdout(), report, *format); err != nil {
			return err
		}
		if report.State != sqlite.Intact {
			return notIntact{what, report.State}
		}
		return nil
	}
	return command
}

func verifyExport(stdin io.Reader, path, key string) (report sqlite.Report, err error) {
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return report, err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		stdin = file
	}
	return sqlite.VerifyExport(stdin, key)
}

func writeReport(out io.Writer, report sqlite.Report, format string) error {
	if format == "json" {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(report)
	}
	lines := []string{string(report.State) + ": " + visible(report.Message, false), "meaning: " + review.MeaningOf(report).Text}
	for _, note := range report.Notes {
		lines = append(lines, "note: "+visible(note, false))
	}
	if report.AnchoredIn != "" {
		lines = append(lines, "anchor: "+report.AnchoredIn)
		if report.Key != "" {
			lines = append(lines, "key: "+report.Key)
		}
	}
	_, err := fmt.Fprintln(out, strings.Join(lines, "\n"))
	return err
}
