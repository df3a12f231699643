// Command pages writes what a package holds beside the program itself and which
// follows from its command line: manual pages and completions for shells.
//
//	pages VERSION DATE FOLDER    DATE: seconds since 1970
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/faustine-ai/countersign/app/cli"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
		os.Exit(1)
	}
}

func write(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("expected VERSION DATE FOLDER, got %q", args)
	}
	seconds, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil {
		return fmt.Errorf("expected a date in seconds since 1970: %w", err)
	}
	date, folder := time.Unix(seconds, 0).UTC(), args[2]
	root := cli.Root(cli.Program{Version: args[0]}, cli.LogCommand())
	root.DisableAutoGenTag = true // it has today's date, and a package is built the same on every day
	root.InitDefaultCompletionCmd()
	return errorsOf(manual(root, args[0], date, filepath.Join(folder, "share/man/man1")), completions(root, filepath.Join(folder, "share")))
}

// manual writes a compressed page for each command.
func manual(root *cobra.Command, version string, date time.Time, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	header := &doc.GenManHeader{Section: "1", Date: &date, Source: "Countersign " + version, Manual: "Countersign"}
	if err := doc.GenManTree(root, header, folder); err != nil {
		return err
	}
	pages, err := filepath.Glob(filepath.Join(folder, "*.1"))
	if err != nil {
		return err
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		var packed bytes.Buffer
		zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression) // without name and time
		if err != nil {
			return err
		}
		if _, err := zip.Write(text); err != nil {
			return err
		}
		if err := errorsOf(zip.Close(), os.WriteFile(page+".gz", packed.Bytes(), 0o644), os.Remove(page)); err != nil {
			return err
		}
	}
	return nil
}

func completions(root *cobra.Command, share string) error {
	for path, generate := range map[string]func(*bytes.Buffer) error{
		"bash-completion/completions/countersign":    func(out *bytes.Buffer) error { return root.GenBashCompletionV2(out, true) },
		"zsh/vendor-completions/_countersign":        func(out *bytes.Buffer) error { return root.GenZshCompletion(out) },
		"fish/vendor_completions.d/countersign.fish": func(out *bytes.Buffer) error { return root.GenFishCompletion(out, true) },
	} {
		var out bytes.Buffer
		if err := generate(&out); err != nil {
			return err
		}
		file := filepath.Join(share, path)
		if err := errorsOf(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, out.Bytes(), 0o644)); err != nil {
			return err
		}
	}
	return nil
}

// errorsOf is the first of these that is one.
func errorsOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}
