//go:build packagetest

package package_

import (
	"debug/elf"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// unpacked is the .deb, unpacked.
func unpacked(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	output(t, "dpkg-deb", "--extract", one(t, "*.deb"), root)
	return root
}

func TestEveryLibraryThatTheProgramWantsIsADependency(t *testing.T) {
	program, err := elf.Open(filepath.Join(unpacked(t), "usr/bin/countersign"))
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	libraries, err := program.ImportedLibraries()
	if err != nil || len(libraries) < 5 {
		t.Fatalf("%v, %v", libraries, err)
	}
	depends := output(t, "dpkg-deb", "--field", one(t, "*.deb"), "Depends")
	for _, library := range libraries {
		found := output(t, "dpkg", "--search", "*/"+library)
		owner, _, _ := strings.Cut(found, ":")
		if !strings.Contains(depends, owner) {
			t.Errorf("%s is in %s, which is not among the dependencies %s", library, owner, depends)
		}
	}
}

func TestWhatIsBesideTheProgramIsWhole(t *testing.T) {
	root := unpacked(t)
	share := filepath.Join(root, "usr/share")
	output(t, "desktop-file-validate", filepath.Join(share, "applications/countersign.desktop"))
	output(t, "appstreamcli", "validate", "--no-net", filepath.Join(share, "metainfo/io.github.faustine_ai.countersign.metainfo.xml"))
	output(t, "bash", "-n", filepath.Join(share, "bash-completion/completions/countersign"))
	for _, file := range []string{
		"man/man1/countersign.1.gz", "man/man1/countersign-demo.1.gz", "man/man1/countersign-log-verify.1.gz", "zsh/vendor-completions/_countersign",
		"fish/vendor_completions.d/countersign.fish", "icons/hicolor/48x48/apps/countersign.png", "icons/hicolor/scalable/apps/countersign.svg",
		"doc/countersign/copyright", "doc/countersign/changelog.gz", "doc/countersign/THIRD-PARTY-LICENCES.txt", "doc/countersign/countersign.cdx.json",
	} {
		if info, err := os.Stat(filepath.Join(share, file)); err != nil || info.Size() == 0 || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: %v, %v", file, info, err)
		}
	}
}

func TestLicencesAndBillOfMaterialsNameEverythingThatTheProgramIsBuiltFrom(t *testing.T) {
	root := unpacked(t)
	docs := filepath.Join(root, "usr/share/doc/countersign")
	licences, err := os.ReadFile(filepath.Join(docs, "THIRD-PARTY-LICENCES.txt"))
	if err != nil {
		t.Fatal(err)
	}
	bill, err := os.ReadFile(filepath.Join(docs, "countersign.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var bom struct {
		BOMFormat  string
		Components []struct{ Name string }
	}
	if err := json.Unmarshal(bill, &bom); err != nil || bom.BOMFormat != "CycloneDX" {
		t.Fatalf("%v, %q", err, bom.BOMFormat)
	}
	named := map[string]bool{}
	for _, c := range bom.Components {
		named[c.Name] = true
	}
	// What the linker put into the program itself says what is in it.
	built := output(t, "go", "version", "-m", filepath.Join(root, "usr/bin/countersign"))
	modules := 0
	for line := range strings.Lines(built) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[0] != "dep" {
			continue
		}
		modules++
		if !named[fields[1]] {
			t.Errorf("the bill of materials does not name %s", fields[1])
		}
		if !strings.Contains(string(licences), "\n"+fields[1]+" "+fields[2]+"  ") {
			t.Errorf("the licences do not name %s %s", fields[1], fields[2])
		}
	}
	if modules < 20 {
		t.Errorf("the program names %d modules", modules)
	}
	for _, direct := range []string{"react", "react-dom", "ai", "zod"} {
		if !named[direct] || !strings.Contains(string(licences), "\n"+direct+" ") {
			t.Errorf("%s of the page is not named", direct)
		}
	}
}

func TestTheTarballInstallsIntoAFolder(t *testing.T) {
	folder := t.TempDir()
	output(t, "tar", "--extract", "--file", one(t, "*.tar.gz"), "--directory", folder)
	found, err := filepath.Glob(filepath.Join(folder, "countersign-*", "install.sh"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	prefix := filepath.Join(folder, "prefix")
	output(t, found[0], prefix)
	out, err := exec.Command(filepath.Join(prefix, "bin/countersign"), "version").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "countersign 0.") {
		t.Errorf("%s, %v", out, err)
	}
}
