// Command licences collects the licence of everything that is in the program: of
// the Go modules that it is built from, and of the npm packages that its page is
// built from. It fails when one has no licence that we know and allow, so that
// nobody adds such a thing unseen.
//
//	licences TAGS >THIRD-PARTY-LICENCES.txt    run at the top of the repository
//
// It reads what go list and the lock file of npm say, since no kept tool knows
// both: google/go-licenses stops at the standard library of this Go, and
// license-checker knows npm only.
package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
)

// dependency is something that is in the program.
type dependency struct {
	name, version string
	licence       string // SPDX: “MIT”
	text          string // as it ships it; "": it ships none
	where         string // its page
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("expected the build tags, got %q", args)
	}
	modules, err := goModules(args[0])
	if err != nil {
		return err
	}
	packages, err := npmPackages("frontend")
	if err != nil {
		return err
	}
	all := append(modules, packages...)
	if refused := refuse(all); refused != "" {
		return fmt.Errorf("these may not be in the program as they are:\n%s", refused)
	}
	_, err = fmt.Print(written(all))
	return err
}

// allowed are licences that let us pass the program on as we do: with their
// texts, and without source that we would have to offer.
var allowed = []string{
	"MIT", "MIT-0", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "BlueOak-1.0.0", "Unlicense", "CC0-1.0",
	"OFL-1.1", "Zlib", "Unicode-3.0",
	"MPL-2.0", // file by file: the files are unchanged, and their page says where they are
}

func refuse(all []dependency) string {
	var lines []string
	for _, d := range all {
		if !allows(d.licence) {
			lines = append(lines, fmt.Sprintf("  %s %s: licence %q", d.name, d.version, d.licence))
		}
	}
	return strings.Join(lines, "\n")
}

// allows reads “MIT”, “(MIT OR GPL-3.0)” and “MIT AND ISC”.
func allows(expression string) bool {
	expression = strings.Trim(expression, "()")
	if either := strings.Split(expression, " OR "); len(either) > 1 {
		return slices.ContainsFunc(either, allows)
	}
	for one := range strings.SplitSeq(expression, " AND ") {
		if !slices.Contains(allowed, strings.Trim(one, "() ")) {
			return false
		}
	}
	return true
}

// written is the whole file. A text that several share stands once.
func written(all []dependency) string {
	slices.SortFunc(all, func(a, b dependency) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name)), cmp.Compare(a.version, b.version))
	})
	var out strings.Builder
	fmt.Fprintf(&out, "Countersign is built from these %d works of others. Each is used unchanged.\n\n", len(all))
	sharers := map[string][]dependency{}
	var texts []string
	for _, d := range all {
		fmt.Fprintf(&out, "%s %s  %s  %s\n", d.name, d.version, d.licence, d.where)
		if _, known := sharers[d.text]; !known && d.text != "" {
			texts = append(texts, d.text)
		}
		sharers[d.text] = append(sharers[d.text], d)
	}
	for _, text := range texts {
		var names []string
		for _, d := range sharers[text] {
			names = append(names, d.name+" "+d.version)
		}
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", strings.Repeat("─", 78), strings.Join(names, "\n"), strings.TrimSpace(text))
	}
	if without := sharers[""]; len(without) > 0 {
		fmt.Fprintf(&out, "\n%s\nThese ship no text; what they are licensed under is what they say themselves:\n\n", strings.Repeat("─", 78))
		for _, d := range without {
			fmt.Fprintf(&out, "%s %s: %s\n", d.name, d.version, d.licence)
		}
	}
	return out.String()
}
